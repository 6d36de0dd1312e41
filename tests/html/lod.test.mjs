// SPDX-License-Identifier: GPL-2.0-or-later
// Shares of states at any zoom against the sum of all segments, one by one.
import assert from 'node:assert/strict';
import test from 'node:test';
import {CODE, encode} from './encode.mjs';
import {load} from './setup.mjs';
import {merged, random} from './synthetic.mjs';

const ftwait = load();
const {lod, walk} = ftwait;

function random_trace(dice, count) {
  const states = [0, 1, 2, 5, 6, CODE.disk, CODE.lock, CODE.task];
  const segments = Array.from({length: count}, () => {
    const state = states[Math.floor(dice(states.length))];
    const length = Math.floor(dice() < 0.1 ? 0 : dice() < 0.1 ? dice(1e5) : dice(50));
    const cut = Math.floor(dice(length)), known = Math.floor(dice(length - cut));
    return {length, state, mix: {segments: 2, parts: [[0, cut], [CODE.net, known]]}};
  });
  return {begin: 0, end: 1e6, tasks: [[1, 1, 'x', 1, null, -1]],
    rows: [{begin: Math.floor(dice(1000)), segments}]};
}

// The same by brute force.
function sum_up(data, begin, end) {
  const sums = new Float64Array(ftwait.classes.count);
  const classes = ftwait.classes.class_of_states(data.meta.states);
  for (let i = 0; i < data.tasks[0].count; i++) {
    const from = Math.max(begin, data.begins[i]), to = Math.min(end, data.begins[i + 1]);
    if (to <= from)
      continue;
    const code = data.states[i] & 0x3f, length = data.begins[i + 1] - data.begins[i];
    let left = to - from;
    if (code === 6) {
      const {first, states, lengths} = data.mixes, mix = data.causes[i];
      states.slice(first[mix], first[mix + 1]).forEach((state, k) => {
        const share = lengths[first[mix] + k] * (to - from) / length;
        sums[classes[state]] += share;
        left -= share;
      });
    }
    sums[classes[code]] += left;
  }
  return sums;
}

const is_near = (a, b, message) => assert.equal(a.every((value, i) =>
  Math.abs(value - b[i]) <= 1e-6 * Math.max(1, Math.abs(b[i]))), true, message);

test('totals of any stretch', () => {
  const dice = random(1);
  for (const count of [0, 1, 2, 15, 16, 17, 31, 32, 33, 48, 500, 3000]) {
    const data = ftwait.decode(encode(random_trace(dice, count)));
    const track = walk.track_of(data, 0), last = data.begins[count];
    for (let round = 0; round < 200; round++) {
      const begin = dice(last * 1.1) - last * 0.05, end = begin + dice() ** 4 * last;
      is_near(lod.totals(track, begin, end), sum_up(data, begin, end), `${count} ${begin} ${end}`);
    }
    // from and to the very borders of segments
    for (let k = 0; k < count; k += 7)
      is_near(lod.totals(track, data.begins[k], last), sum_up(data, data.begins[k], last), 'end');
  }
});

test('each column is what there was', () => {
  const dice = random(3);
  for (let round = 0; round < 150; round++) {
    const count = Math.floor(1 + dice(2000));
    const data = ftwait.decode(encode(random_trace(dice, count)));
    const track = walk.track_of(data, 0), last = data.begins[count];
    const begin = dice(last) * dice() - 100, end = begin + dice() ** 3 * last + 1;
    const width = Math.floor(1 + dice(200)), per = (end - begin) / width;
    let next = 0;
    const meet = x => {
      // nothing is left out but what the track does not reach
      is_near(sum_up(data, begin + next * per, begin + x * per), new Float64Array(20), 'left out');
      next = x;
    };
    lod.each_column(track, begin, end, width, {
      span(x, to, i) {
        meet(x);
        assert.equal(to > x && to <= width, true);
        assert.equal(data.begins[i] <= begin + x * per + 1e-3, true);
        assert.equal(data.begins[i + 1] >= begin + to * per - 1e-3, true);
        next = to;
      },
      column(x, shares) {
        meet(x);
        is_near(shares, sum_up(data, begin + x * per, begin + (x + 1) * per), 'column');
        next = x + 1;
      },
    });
    meet(width);
  }
});

test('the segment of a time', () => {
  const dice = random(5), data = ftwait.decode(encode(random_trace(dice, 300)));
  const track = walk.track_of(data, 0), {begins} = data;
  assert.equal(lod.find(track, begins[0] - 1), -1);
  assert.equal(lod.find(track, begins[300]), -1);
  for (let round = 0; round < 1000; round++) {
    const time = begins[0] + dice(begins[300] - begins[0]);
    const i = lod.find(track, time);
    assert.equal(begins[i] <= time && time < begins[i + 1], true);
    assert.equal(lod.find_from(track, time, Math.floor(dice(i + 1))), i);
  }
});

// What a part was of each task and state stands in the page, whatever the zoom.
test('totals of a path of merged parts', () => {
  const trace = merged(), data = ftwait.decode(encode(trace));
  const track = lod.path_track(data), classes = data.class_of;
  const sums = new Float64Array(ftwait.classes.count), of_task = new Map();
  for (const {length, task, state, mix} of trace.path.parts)
    for (const [whose, code, time] of mix?.entries ?? [[task, state, length]]) {
      sums[classes[code]] += time;
      of_task.set(whose, (of_task.get(whose) ?? 0) + time);
    }
  assert.deepEqual(data.errors, []);
  assert.deepEqual([...lod.totals(track, 0, trace.end)], [...sums]);
  const theirs = new Map();
  for (let i = 0; i < data.path.count; i++)
    for (const {task, time} of walk.tasks_of_part(data, i))
      theirs.set(task, (theirs.get(task) ?? 0) + time);
  assert.deepEqual([...theirs].sort(), [...of_task].sort());
  // from border to border nothing is spread
  const at = trace.path.parts.findIndex(({mix}) => mix);
  const [begin, end] = [data.path.begins[at], data.path.begins[at + 1]];
  const [[, , running], [, , disk], [, , runnable]] = trace.path.parts[at].mix.entries;
  const totals = lod.totals(track, begin, end), class_of = name => classes[CODE[name]];
  assert.deepEqual(['running', 'disk', 'runnable'].map(name => totals[class_of(name)]),
    [running, disk, runnable]);
  // it is a part of each of its tasks
  const parts = walk.path_parts(data);
  for (const [whose] of trace.path.parts[at].mix.entries)
    assert.equal(parts.get(whose).includes(at), true);
  for (const list of parts.values())
    assert.equal(list.every((i, k) => !k || i > list[k - 1]), true);
});

test('how many there are', () => {
  const data = ftwait.decode(encode({begin: 0, end: 30, tasks: [[1, 1, 'x', 0, null, -1]],
    rows: [{begin: 0, segments: [10, 10, 10].map(length => ({length, state: 0}))}]}));
  const track = walk.track_of(data, 0);
  assert.equal(lod.count_within(track, 5, 25), 3);
  assert.equal(lod.count_within(track, 12, 13), 1);
  assert.equal(lod.count_within(track, 30, 40), 0);
});

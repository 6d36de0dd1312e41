// SPDX-License-Identifier: GPL-2.0-or-later
// Rows, lanes, search, figures, links, and the ways from a wait to what it was for.
import assert from 'node:assert/strict';
import test from 'node:test';
import {CODE, encode} from './encode.mjs';
import {load} from './setup.mjs';
import {build, crowd, hostile, random, server, two_machines} from './synthetic.mjs';

const ftwait = load();
const {rows, lanes, walk, text} = ftwait;
const decode = trace => ftwait.decode(encode(trace));

test('rows in their order', () => {
  const data = decode(server(1));
  const {rows: all, height, pinned} = rows.layout(data);
  assert.equal(all[0].kind, 'path');
  assert.equal(pinned, all[0].height);
  assert.deepEqual(all.filter(row => row.kind === 'task').map(row => row.label),
    ['client[1201]', 'nginx[801]', 'mysqld[901]', 'mysqld-io[904]']);
  assert.equal(all.at(-1).label, '4 other tasks');
  let y = 0;
  for (const row of all) {
    assert.equal(row.y, y);
    y += row.height;
  }
  assert.equal(y, height);
  assert.equal(rows.layout(data, new Set(['others'])).of_task.size, 8);
});

test('a closed group that hides a task is found', () => {
  const data = decode(server(1));
  assert.deepEqual(rows.hidden_in(data, new Set(), 6), ['others']);
  assert.deepEqual(rows.hidden_in(data, new Set(), 0), []);
  const crowded = decode(crowd(5000, 10000));
  const open = new Set();
  for (const key of rows.hidden_in(crowded, open, 4999))
    open.add(key);
  assert.equal(rows.layout(crowded, open).of_task.has(4999), true);
  const process = rows.layout(crowded).rows.find(row => row.kind === 'group');
  assert.deepEqual(rows.hidden_in(crowded, new Set([process.key]), 1), [process.key]);
});

test('each machine has a band, and no row is of two', () => {
  const data = decode(two_machines(1)), made = rows.layout(data);
  assert.deepEqual(made.rows.filter(row => row.label) // lanes have none
    .map(row => `${'  '.repeat(row.indent)}${row.label}`),
    ['critical path', 'web: 5 tasks', '  irq 24 virtio0', '  client[1201]', '  nginx[801]',
      '  3 other tasks', 'db: 3 tasks', '  disk 254,0', '  mysqld[801]: 2 threads',
      '    mysqld[801]', '    mysqld-io[904]', '  1 other task']);
  assert.deepEqual(made.rows.filter(row => row.is_band).map(row => row.key),
    ['machine:0', 'machine:1']);
  const closed = new Set(['machine:1', made.rows.find(row => row.tasks).key]);
  assert.equal(rows.layout(data, closed).of_task.has(2), false);
  assert.equal(rows.layout(data, closed).of_task.has(1), true);
  assert.deepEqual(rows.hidden_in(data, closed, 2), ['machine:1', [...closed][1]]);
  assert.deepEqual(rows.hidden_in(data, closed, 7), ['machine:1', 'others:1']);
  assert.deepEqual(rows.hidden_in(data, closed, 4), ['others:0']);
});

test('tasks of machines are told by their machine', () => {
  const data = decode(two_machines(1));
  assert.equal(text.task_name(data, 1, 0), 'web:nginx[801]');
  assert.equal(text.task_name(data, 2), 'db:mysqld[801]');
  assert.equal(text.whole_name(data, 1, 4e9), 'web:nginx: worker');
  assert.deepEqual([0, 1].map(machine => walk.find_task(data, 801, 10, machine)), [1, 2]);
  assert.equal(walk.find_task(data, 904, 10, 0), -1);
  const place = text.format_place({begin: 0, end: 1e9, task: 801, machine: 1});
  assert.equal(text.parse_place(place).machine, 1);
  assert.equal('machine' in text.parse_place('#task=801'), false);
  assert.deepEqual(ftwait.search(data, 'db:mysqld[801]').places.filter(({kind}) => kind === 'task'),
    [{kind: 'task', task: 2}]);
});

test('an arrow leads to a wait from the machine that sent what ended it', () => {
  const data = decode(two_machines(1)), {first, count} = data.tasks[1];
  const waits = Array.from({length: count}, (_, k) => first + k).filter(i => walk.is_wait(data, i));
  const from = waits.map(i => [data.causes[i], walk.woken_from(data, 1, i)]);
  assert.equal(from.length > 5, true);
  for (const [cause, task] of from)
    assert.equal(task, cause === 2 ? 2 : data.meta.causes[cause].waker);
  // not from one that submitted something on the same machine
  const disk = {...data, causes: [4]};
  assert.equal(walk.woken_from(disk, 2, 0), -1);
});

// The same by looking at all segments.
const has_anything = (data, {first, count}, begin, end) => Array.from({length: count},
  (_, k) => first + k).some(i => ![4, 5].includes(data.states[i] & 0x3f) &&
    data.begins[i] < end && data.begins[i + 1] > Math.max(begin, data.begins[i]));

test('whether a task is there is known at every place', () => {
  const dice = random(21), states = [4, 5, 4, 0, 1, CODE.disk, 6];
  for (let round = 0; round < 40; round++) {
    const segments = Array.from({length: Math.floor(dice(60))}, () => {
      const state = states[Math.floor(dice(states.length))], length = Math.floor(dice(30));
      return {length, state, mix: {segments: 2, parts: [[0, length]]}};
    });
    const data = decode({begin: 0, end: 2000, tasks: [[1, 1, 'x', 1, null, -1]],
      rows: [{begin: Math.floor(dice(100)), segments}]});
    for (let k = 0; k < 300; k++) {
      const begin = Math.floor(dice(1900)) - 50, end = begin + 1 + Math.floor(dice(60) * dice());
      assert.equal(walk.is_there(data, 0, begin, end),
        has_anything(data, data.tasks[0], begin, end), `${begin} ${end}`);
    }
  }
});

test('merged segments of which nothing is known are nothing', () => {
  const data = decode({begin: 0, end: 30, tasks: [[1, 1, 'x', 1, null, -1]], rows: [{begin: 0,
    segments: [{length: 10, state: 6, mix: {segments: 2, parts: [[4, 10]]}},
      {length: 10, state: 6, mix: {segments: 2, parts: [[4, 9], [0, 1]]}}]}]});
  assert.deepEqual([...walk.presence(data, 0)], [10, 20]);
});

test('rows without anything are taken out, and come back to their places', () => {
  const data = decode(build(60)), made = rows.layout(data);
  const places = made.rows.map(row => row.y), {height} = made;
  const check = kept => {
    rows.sift(made, task => kept.includes(task));
    assert.deepEqual(made.rows.filter(row => row.kind === 'task').map(row => row.task), kept);
    assert.equal(made.hidden, 61 - kept.length);
    let y = 0;
    for (const row of made.rows) {
      assert.equal(row.y, y);
      y += row.height;
    }
    assert.equal(made.height, y);
  };
  check([0, 7, 8, 30]);
  check([0]);
  assert.equal(made.rows[0].kind, 'path');
  assert.equal(rows.sift(made, task => task === 0), false); // nothing changed
  assert.equal(rows.sift(made, () => true), true);
  assert.deepEqual([made.rows.map(row => row.y), made.height, made.hidden], [places, height, 0]);
  assert.equal(made.full_height, height);
});

test('a process is hidden with its last thread, open or not', () => {
  const data = decode(crowd(12, 24)), first = rows.layout(data);
  const heads = () => first.rows.filter(row => row.tasks);
  assert.equal(heads().length, 3);
  rows.sift(first, task => task < 5);
  assert.deepEqual(heads().map(row => row.tasks), [[0, 1, 2, 3], [4, 5, 6, 7]]);
  assert.equal(first.hidden, 7);
  const closed = rows.layout(data, new Set(first.all.filter(row => row.tasks).map(row => row.key)));
  rows.sift(closed, task => task < 5);
  assert.deepEqual([closed.rows.length, closed.hidden], [2, 1]);
});

test('the row at a height', () => {
  const {rows: all, height} = rows.layout(decode(crowd(200, 400)), new Set(['others']));
  for (let y = 0; y < height; y += 3) {
    const row = all[rows.row_at(all, y)];
    assert.equal(row.y <= y && y < row.y + row.height, true);
  }
  assert.equal(rows.row_at(all, height), all.length);
});

test('what overlaps stands in other lanes', () => {
  const dice = random(1), count = 2000;
  const begins = Float64Array.from({length: count}, () => Math.floor(dice(1e5))).sort();
  const ends = begins.map(begin => begin + Math.floor(dice(300)));
  const {lanes: of, count: used, left_out} = lanes.assign_lanes(begins, ends);
  assert.equal(used <= lanes.LANES_MOST, true);
  assert.equal(of.filter(lane => lane < 0).length, left_out);
  for (let lane = 0; lane < used; lane++) {
    const mine = [...of.keys()].filter(i => of[i] === lane);
    mine.slice(1).forEach((i, k) => assert.equal(begins[i] >= ends[mine[k]], true));
  }
  const apart = lanes.assign_lanes([0, 10, 20], [10, 20, 30]);
  assert.equal(apart.count, 1);
});

test('a lane has the times of its requests', () => {
  const data = decode({begin: 0, end: 100, rows: [], objects: [{kind: 'disk', label: 'd', list: [
    {begin: 10, queue: 5, service: 10}, {begin: 12, service: 10}, {begin: 40, service: 2}]}]});
  const row = lanes.prepare_row(data.objects[0]);
  assert.equal(row.tracks.length, 2);
  const {keys} = ftwait.classes, [track] = row.tracks;
  assert.deepEqual([...track.codes].map(code => keys[code]),
    ['queue', 'service', 'absent', 'service']);
  assert.deepEqual([...track.begins], [10, 15, 25, 40, 42]);
  assert.deepEqual([...track.objects], [0, 0, -1, 2]);
});

test('from a wait to what it was for', () => {
  const data = decode({begin: 0, end: 1000,
    tasks: [[1, 1, 'a', 1, null, -1], [2, 2, 'b', 0, null, -1], [3, 3, 'c', 0, null, -1]],
    causes: [[CODE.task, 2, 'b', 1, 2, null], [CODE.disk, 2, 'disk', -1, 1, null]],
    rows: [
      {begin: 0, segments: [{length: 100, state: 0}, {length: 400, state: CODE.task, cause: 0},
        {length: 500, state: CODE.disk, cause: 1}]},
      {begin: 0, segments: [{length: 300, state: CODE.disk, cause: 1}, {length: 200, state: 0},
        {length: 500, state: 2}]},
      {begin: 0, segments: [{length: 450, state: 0, cpu: 1}, {length: 550, state: 0}]}],
    objects: [{kind: 'disk', label: 'd', list: [{begin: 510, service: 80, task: 2},
      {begin: 520, service: 100, task: 1}, {begin: 600, service: 390, task: 2}]}]});
  const [a, b, c] = data.tasks;
  assert.deepEqual(walk.waited_for(data, 0, a.first + 1).map(({target}) => target), [
    {kind: 'segment', task: 1, index: b.first + 1}, // and not what it did after the wake-up
    {kind: 'segment', task: 2, index: c.first + 1}]);
  // the originator's own request goes before the last one
  assert.deepEqual(walk.waited_for(data, 0, a.first + 2)[0].target,
    {kind: 'object', row: 0, index: 1});
  assert.deepEqual(walk.waited_for(data, 0, a.first), []);
  assert.equal(walk.next_wait(data, 0, a.first, 1), a.first + 1);
  assert.equal(walk.next_wait(data, 0, a.first + 1, -1), -1);
  assert.equal(walk.next_wait(data, 1, b.first + 1, 1), -1); // nothing to do is no wait
});

test('what served an end is said only where it can be but one', () => {
  const trace = objects => ({begin: 0, end: 100, tasks: [[1, 1, 'a', 1, null, -1]],
    rows: [{begin: 0, segments: [{length: 50, state: CODE.irq}, {length: 50, state: 0}]}],
    objects: objects.map(list => ({kind: 'irq', label: 'irq', list}))});
  const places = objects => walk.waited_for(decode(trace(objects)), 0, 0);
  const during = {begin: 49, service: 5}, after = {begin: 50, queue: 2, service: 5};
  assert.deepEqual(places([[during], [after]])[0].target, {kind: 'object', row: 0, index: 0});
  assert.deepEqual(places([[during], [during]]), []);
  assert.deepEqual(places([[after]]), []);
});

test('who had the CPU', () => {
  const data = decode({begin: 0, end: 100, tasks: [1, 2, 3].map(tid =>
    [tid, tid, 't', 1, null, -1]), rows: [
    {begin: 0, segments: [{length: 100, state: 1, cpu: 1}]},
      {begin: 0, segments: [{length: 30, state: 0, cpu: 1}, {length: 70, state: 0, cpu: 0}]},
      {begin: 20, segments: [{length: 10, state: 2}, {length: 60, state: 0, cpu: 1}]}]});
  assert.deepEqual(walk.had_cpu(data, 1, 10, 80), [{task: 2, time: 50}, {task: 1, time: 20}]);
});

test('search', () => {
  const data = decode(server(1));
  const tids = words => ftwait.search(data, words).places.filter(place => place.kind === 'task')
    .map(place => data.tasks[place.task].tid);
  assert.deepEqual(tids('904'), [904]);
  assert.deepEqual(tids('MySQLd'), [901, 904, 905]);
  assert.deepEqual(tids('nginx: worker'), [801]); // a name of later
  assert.deepEqual(ftwait.search(data, ' ').places, []);
  const {places} = ftwait.search(data, 'i_rwsem');
  assert.equal(places.length > 0, true);
  assert.equal(places.every(({index}) => (data.states[index] & 63) === CODE.lock), true);
  assert.equal(places.every(({index}, k) => !k ||
    data.begins[index] >= data.begins[places[k - 1].index]), true);
});

test('a task by tid and time', () => {
  const data = decode({begin: 0, end: 100, tasks: [[5, 5, 'old', 1, null, -1],
    [5, 5, 'new', 1, null, -1]], rows: [{begin: 0, segments: [{length: 50, state: 0}]},
    {begin: 50, segments: [{length: 50, state: 0}]}]});
  assert.equal(walk.find_task(data, 5, 20), 0);
  assert.equal(walk.find_task(data, 5, 50), 1);
  assert.equal(walk.find_task(data, 5), 0);
  assert.equal(walk.find_task(data, 6), -1);
});

test('figures as in the reports', () => {
  assert.deepEqual([0, 999, 1000, 1234567, 2999999999].map(text.duration),
    ['0', '999 ns', '1.000 us', '1.234 ms', '2.999 s']);
  assert.equal(text.instant(1234567890), '1.234567');
  assert.equal(text.instant(1234567890, 9), '1.234567890');
  assert.equal(text.instant(2e9, 0), '2');
  assert.equal(text.count(1234567), '1,234,567');
});

test('names are text', () => {
  assert.equal(text.clean('a\u0000\u001b[m\u202eb\u2066'), 'a\ufffd\ufffd[m\ufffdb\ufffd');
  assert.equal(text.clean('</script>'), '</script>');
  const data = decode(server(1));
  assert.equal(text.task_name(data, 1, 0), 'nginx[801]');
  assert.equal(text.task_name(data, 1, 4e9), 'nginx: worker[801]');
  assert.equal(decode(hostile()).errors.length, 0);
});

test('places in links', () => {
  assert.deepEqual(text.parse_place('#t=1.2-1.4&task=123'),
    {begin: 1.2e9, end: 1.4e9, task: 123});
  assert.deepEqual(text.parse_place('#task=7'), {begin: null, end: null, task: 7});
  for (const hash of ['', '#t=2-1', '#t=a-b', '#t=-1-2', '#t=1e9-2', '#task=x', '#at=1-2'])
    assert.deepEqual(text.parse_place(hash), {begin: null, end: null, task: null}, hash);
  for (const place of [{begin: 0, end: 1e10, task: null},
    {begin: 1234567890, end: 1234567990, task: 5}]) {
    const again = text.parse_place(text.format_place(place));
    assert.equal(Math.abs(again.begin - place.begin) <= (place.end - place.begin) / 500, true);
    assert.equal(again.task, place.task);
  }
});

test('ticks are few, even and in sight', () => {
  const dice = random(9);
  for (let round = 0; round < 500; round++) {
    const begin = dice(1e11), span = 10 ** (2 + dice(9)), width = 200 + dice(2000);
    const {first, step, digits} = ftwait.drawing.ticks(begin, begin + span, width);
    assert.equal(first >= begin && first < begin + step, true);
    assert.equal(span / step <= width / 80 + 1e-9 || step === 1, true);
    assert.equal(span / step >= width / 80 / 2.51, true, `${span} ${step} ${width}`);
    assert.equal(step * 10 ** digits % 1e9, 0);
  }
});

test('ticks at the end of all numbers', () => {
  const {first, step} = ftwait.drawing.ticks(2 ** 53 - 50, 2 ** 53, 1000);
  assert.equal(first + step > first, true);
});

test('parts of the path', () => {
  const data = decode(server(1)), parts = walk.path_parts(data);
  let all = 0;
  for (const [task, list] of parts) {
    all += list.length;
    list.forEach(i => assert.equal(data.path.tasks[i], task));
    list.forEach((i, k) => assert.equal(walk.part_after(data, list, data.path.begins[i]), k));
  }
  assert.equal(all, data.path.count);
});

test('gaps are seen where losses are known of no nearer than "somewhere"', () => {
  const {gaps_in_sight, gap_words} = ftwait.drawing;
  const view = {begin: 0, end: 1000, label: 100, plot: 1000, width: 1100};
  const gap = (begin, end, cpu, lost) => ({begin, end, cpu, lost});
  const all = [gap(0, 100, 0, 5), gap(0, 1000, 1, 307), gap(200, 300, 1, 0), gap(220, 280, 0, 9),
    gap(2000, 2100, 0, 1)];
  const found = gaps_in_sight({begin: 0, end: 1000, meta: {gaps: all}}, view);
  assert.deepEqual(found.map(({gap: one}) => all.indexOf(one)), [1, 0, 2]);
  assert.deepEqual(found.map(({x, to}) => [x, to]), [[100, 1100], [100, 200], [300, 400]]);
  const one = {meta: {machines: []}};
  assert.equal(gap_words(one, all[1]), '307 events lost, CPU 1');
  assert.equal(gap_words(one, gap(0, 1, -1, 0)), 'events lost');
  const several = {meta: {machines: [{name: 'web', cpu: 0}, {name: 'db', cpu: 4}]}};
  assert.equal(gap_words(several, gap(0, 1, 3, 0)), 'events lost, CPU web:3');
  assert.equal(gap_words(several, gap(0, 1, 4, 0)), 'events lost, CPU db:0');
});

test('the line of a trigger is where it fired, if that is in sight', () => {
  const {trigger_x} = ftwait.drawing;
  const view = {begin: 100, end: 1100, label: 100, plot: 1000, width: 1100};
  const x = at => trigger_x({meta: {trigger: {at, why: 'x'}}}, view);
  assert.deepEqual([99, 100, 500, 1100, 1101].map(x), [null, 100, 500, 1099, null]);
  assert.equal(trigger_x({meta: {trigger: null}}, view), null);
});

test('parts of the path without a gap that could be seen are found as by stepping', () => {
  const dice = random(7), count = 3000, begins = new Float64Array(count + 1);
  for (let i = 0; i < count; i++)
    begins[i + 1] = begins[i] + (i % 97 ? 1 + Math.floor(dice(5)) : 60);
  const data = {path: {begins, count}};
  const parts = Int32Array.from([...begins.keys()].slice(0, count)
    .filter(i => i % 97 && dice(4) < 3));
  for (const gap of [0, 2, 10, 100])
    for (let k = 0; k < parts.length; k += 13)
      for (const until of [begins[count], begins[parts[k] + 20] ?? 1]) {
        let stepped = k;
        while (stepped + 1 < parts.length && begins[parts[stepped + 1]] <=
          Math.min(begins[parts[stepped] + 1] + gap, until))
          stepped++;
        assert.equal(walk.part_before_gap(data, parts, k, gap, until), stepped);
      }
});

test('a segment that the page or the recording cuts off says so', () => {
  const {cuts} = ftwait.panel, window = {begin: 100, end: 200}, whole = {begin: 0, end: 200};
  assert.deepEqual(cuts(window, CODE.disk, 101, 199), []);
  assert.deepEqual(cuts(window, CODE.disk, 100, 199), ['cut: it began before this page does']);
  assert.deepEqual(cuts(whole, CODE.disk, 0, 10), ['cut: it began before the recording did']);
  assert.deepEqual(cuts(whole, 4, 0, 10), []);
  assert.deepEqual(cuts(window, 0x40, 150, 200), ['cut: this page ends in it']);
  assert.deepEqual(cuts(whole, CODE.disk | 0x80, 150, 200), []); // is said to be open
});

test('who began to wait at an instant is found, those asked for first', () => {
  const tasks = [[1, 1, 'other', 0, 120, -1], [2, 2, 'asked', 1, 120, -1], [3, 3, 'c', 1, 120, -1]];
  const waits = [{length: 50, state: 0}, {length: 30, state: CODE.disk, cause: 0},
    {length: 20, state: 0}];
  const data = decode({begin: 0, end: 200, tasks, causes: [[CODE.disk, 2, 'a disk', 2, -1, null]],
    rows: [0, 0, 7].map(begin => ({begin, segments: waits}))});
  assert.equal(walk.beginner(data, 50), 1);
  assert.equal(walk.beginner(data, 57), 2);
  assert.equal(walk.beginner(data, 0), -1); // is running
  assert.equal(walk.beginner(data, 51), -1);
});

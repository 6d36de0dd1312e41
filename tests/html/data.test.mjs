// SPDX-License-Identifier: GPL-2.0-or-later
// What is written comes back; what is damaged is told, and never taken for data.
import assert from 'node:assert/strict';
import {deflateSync} from 'node:zlib';
import test from 'node:test';
import {CODE, encode, pack} from './encode.mjs';
import {load} from './setup.mjs';
import {crowd, merged, random, server} from './synthetic.mjs';

const ftwait = load();

const small = {
  begin: 0, end: 1000,
  tasks: [[10, 10, 'first', 1, 120, -1], [11, 10, 'none', 0, null, 0],
    [12, -1, 'last', 0, null, 7]],
  causes: [[CODE.disk, 2, 'a disk', 2, -1, null]],
  stacks: [['inner;outer', '', 'waker']],
  rows: [
    {begin: 100, segments: [{length: 300, state: 0, cpu: 1},
      {length: 200, state: CODE.disk, cause: 0, stack: 0, flags: 0x40},
      {length: 50, state: 6, mix: {segments: 7, parts: [[0, 20], [CODE.lock, 30]]}},
      {length: 0, state: 1, cpu: 3, flags: 0x80}]},
    {},
    {begin: 5, segments: [{length: 2 ** 52, state: 2}]},
  ],
  objects: [{kind: 'disk', label: 'disk 1,2', list: [
    {begin: 10, queue: 1, service: 2, task: 0, bytes: 4096, name: 1}, {begin: 10, service: 5}]}],
  path: {task: 0, begin: 100, end: 400, parts: [{length: 250, task: 0, state: 0},
    {length: 40, state: CODE.mixed, mix: {parts: 9, entries: [[2, 0, 30], [0, CODE.disk, 10]]}},
    {length: 10, task: 2, state: CODE.disk, cause: 0}]},
  icicle: {titles: ['x'], frames: [], paths: []},
};

test('all columns come back', () => {
  const data = ftwait.decode(encode(small));
  const [first, none, last] = data.tasks;

  assert.deepEqual(data.errors, []);
  assert.equal(data.segments, 5);
  assert.deepEqual([first.count, none.count, last.count], [4, 0, 1]);
  assert.deepEqual([...data.begins.subarray(first.first, first.first + 5)],
    [100, 400, 600, 650, 650]);
  assert.equal(data.begins[last.first + 1], 2 ** 52 + 5);
  assert.deepEqual([...data.states.subarray(0, 4)], [0, CODE.disk | 0x40, 6, 1 | 0x80]);
  assert.deepEqual([data.cpus[0], data.cpus[1], data.cpus[3]], [1, -1, 3]);
  assert.deepEqual([data.causes[0], data.causes[1]], [-1, 0]);
  assert.deepEqual([data.stacks[0], data.stacks[1]], [-1, 0]);
  assert.deepEqual([data.mixes.count, data.causes[2], data.mixes.first[1]], [1, 0, 2]);
  assert.deepEqual([data.mixes.segments[0], [...data.mixes.states], [...data.mixes.lengths]],
    [7, [0, CODE.lock], [20, 30]]);
  assert.deepEqual([...data.path.begins.subarray(0, 4)], [100, 350, 390, 400]);
  assert.deepEqual([data.path.tasks[2], data.path.causes[0], data.path.causes[2]], [2, -1, 0]);
  const {mixes} = data.path;
  assert.deepEqual([data.path.tasks[1], data.path.causes[1], mixes.count], [-1, 0, 1]);
  assert.deepEqual([mixes.segments[0], [...mixes.first], [...mixes.tasks], [...mixes.states],
    [...mixes.lengths]], [9, [0, 2], [2, 0], [0, CODE.disk], [30, 10]]);
  assert.deepEqual([...data.objects[0].begins], [10, 10]);
  assert.deepEqual([...data.objects[0].tasks], [0, -1]);
  assert.equal(data.objects[0].bytes[0], 4096);
  assert.deepEqual(data.icicle.titles, ['x']);
  assert.equal(last.parent, -1); // there is no task 7
  assert.equal(last.tgid, 12); // its process is not known
});

test('varints of all sizes', () => {
  for (const value of [0, 127, 128, 2 ** 31, 2 ** 32 + 1, 2 ** 53 - 1]) {
    const blocks = encode({begin: 0, end: 1, tasks: [[1, 1, 'x', 0, null, -1]],
      rows: [{begin: value, segments: [{length: 0, state: 2}]}]});
    assert.equal(ftwait.decode(blocks).begins[0], value);
  }
  const bytes = Uint8Array.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]);
  assert.throws(() => new ftwait.Reader(bytes, 'x').varint(), /too large/);
  assert.throws(() => new ftwait.Reader(bytes.subarray(0, 3), 'x').varint(), /too early/);
});

const element = text => ({textContent: text});
const document_of = blocks => ({getElementById: id => {
  const block = blocks[id.slice('data-'.length)];
  return block === undefined ? null : element(block.raw ?? pack(block));
}});

test('a document is loaded', async () => {
  const data = await ftwait.load(document_of(encode(small)));
  assert.deepEqual(data.errors, []);
  assert.equal(data.segments, 5);
});

test('a block that cannot be unpacked is told, the others stay', async () => {
  const blocks = encode(small);
  for (const raw of ['no base64!', 'AAAA', pack(blocks.stacks).slice(0, 8), ' ']) {
    const data = await ftwait.load(document_of({...blocks, stacks: {raw}}));
    assert.match(data.errors[0], /^stacks: cannot be unpacked/);
    assert.equal(data.segments, 5);
    assert.equal(data.stacks, null);
  }
  const data = await ftwait.load(document_of({...blocks, states: {raw: 'AAAA'}}));
  assert.equal(data.errors.length, 1);
  assert.equal(data.segments, 0);
  await assert.rejects(ftwait.load(document_of({...blocks, meta: {raw: 'AAAA'}})), /meta/);
  await assert.rejects(ftwait.load(document_of({})), /meta/);
});

test('what would be too large is not unpacked', async () => {
  await assert.rejects(ftwait.inflate(deflateSync(new Uint8Array(1e6)), 1e5), /too much/);
});

test('the order of a part that is shorter than the clocks are known is unknown', () => {
  const bounded = bound => ({...small, causes: [[CODE.disk, 2, 'net eth0', 2, -1, null, bound]]});
  const of = bound => [0, 1, 2].map(i =>
    ftwait.walk.is_order_unknown(ftwait.decode(encode(bounded(bound))), i));

  assert.deepEqual(of(11), [false, false, true]);
  assert.deepEqual(of(10), [false, false, false]);
  assert.deepEqual(of(undefined), [false, false, false]);
});

test('a part of the path is not longer than what it is made of', () => {
  const bytes = encode(small).path.slice();
  for (const [from, to, error] of [[30, 31, /shorter than/], [2, 3, /names what is not there/],
    [9, 9, undefined]]) {
    const changed = bytes.slice();
    changed[changed.indexOf(from, 7)] = to;
    const [said] = ftwait.decode({...encode(small), path: changed}).errors;
    error ? assert.match(said, error) : assert.equal(said, undefined);
  }
});

test('counts are not believed', () => {
  const blocks = encode(small);
  const with_count = (name, at, value) => {
    const bytes = blocks[name].slice();
    bytes[at] = value;
    return ftwait.decode({...blocks, [name]: bytes});
  };
  for (const value of [3, 5, 100, 0x7f]) {
    const data = with_count('lengths', 0, value);
    assert.equal(data.errors.length > 0, true);
    assert.equal(data.segments, 0);
    assert.equal(data.tasks.every(task => task.count === 0), true);
  }
  assert.match(with_count('states', 1, 60).errors[0], /state is not known/);
  assert.match(with_count('causes', 0, 9).errors[0], /causes: names what is not there/);
  assert.match(with_count('objects', 3, 9).errors[0], /objects: /);
  const meta = JSON.parse(blocks.meta);
  meta.objects[0].count = 2 ** 31;
  assert.match(ftwait.decode({...blocks, meta: JSON.stringify(meta)}).errors[0], /objects: counts/);
});

test('a longer or shorter column is damaged', () => {
  const blocks = encode(small);
  for (const name of ['lengths', 'causes', 'cpus', 'stacks', 'mixes', 'objects', 'path']) {
    const longer = Uint8Array.from([...blocks[name], 0]);
    const shorter = blocks[name].slice(0, -1);
    for (const bytes of [longer, shorter])
      assert.match(ftwait.decode({...blocks, [name]: bytes}).errors[0] ?? '', RegExp(`^${name}: `),
        name);
  }
});

// Any byte may be anything: nothing throws, nothing leads out of the columns.
test('noise', () => {
  const dice = random(7), traces = [server(1), merged()].map(encode);
  for (let round = 0; round < 300; round++) {
    const blocks = traces[round % 2];
    const names = Object.keys(blocks).filter(name => name !== 'meta');
    const name = names[Math.floor(dice(names.length))], bytes = blocks[name].slice();
    for (let k = 0; k < 1 + dice(3); k++)
      bytes[Math.floor(dice(bytes.length))] = Math.floor(dice(256));
    const data = ftwait.decode({...blocks, [name]: bytes.slice(0, bytes.length - round % 3)});
    for (const task of data.tasks)
      ftwait.lod.totals(ftwait.walk.track_of(data, task.index), 0, 1e9);
    ftwait.walk.path_parts(data);
    if (data.path)
      ftwait.lod.totals(ftwait.lod.path_track(data), 0, 1e9);
    ftwait.rows.layout(data);
    assert.equal(data.begins.length, data.segments + data.tasks.length);
    assert.equal(data.causes.every(cause => cause < Math.max(data.meta.causes.length,
      data.mixes.count)), true);
  }
});

test('meta data of another form', () => {
  for (const meta of ['', 'null', '{}', '{"version":2}'])
    assert.throws(() => ftwait.decode({meta}));
  const meta = '{"version":1,"tasks":[null,5,["a"]],"gaps":[[1]],"causes":[null],"stacks":[0],' +
    '"states":[null],"objects":[null],"names":[[9]],"path":{}}';
  const data = ftwait.decode({meta});
  assert.deepEqual(data.meta.machines, []);
  assert.equal(data.tasks.length, 3);
  assert.equal(data.end > data.begin, true);
  const {begin, end} = ftwait.decode({meta: '{"version":1,"begin":1e200,"end":"1e300"}'});
  assert.deepEqual([begin, end], [0, 1]);
  assert.equal(ftwait.rows.layout(data).of_task.size, 3);
  assert.equal(data.meta.trigger, null);
  const {trigger} = ftwait.decode({meta: '{"version":1,"trigger":{"at":"x","why":[]}}'}).meta;
  assert.deepEqual(trigger, {at: 0, why: ''});
});

test('a million segments are decoded soon', () => {
  const blocks = encode(crowd(50, 1e6));
  // CPU time: who else runs meanwhile does not count
  const before = process.cpuUsage();
  const data = ftwait.decode(blocks);
  const {user, system} = process.cpuUsage(before);
  assert.equal(data.segments > 9e5, true);
  assert.equal(user + system < 3e6, true, `${user + system} us`);
});

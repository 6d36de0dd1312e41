// SPDX-License-Identifier: GPL-2.0-or-later
// Writes the data of a page as the program does: columns of varints, deflate, base64.
import {deflateSync} from 'node:zlib';

export class Column {
  constructor() {
    this.bytes = new Uint8Array(1024);
    this.length = 0;
  }

  byte(value) {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(2 * this.length);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.length++] = value;
    return this;
  }

  varint(value) {
    while (value >= 128) {
      this.byte(value % 128 + 128);
      value = Math.floor(value / 128);
    }
    return this.byte(value);
  }

  done() {
    return this.bytes.slice(0, this.length);
  }
}

export const STATES = [
  ['running', 'running', 'running'], ['runnable', 'runnable', 'runnable'],
  ['work-less', 'idle', 'work-less'], ['stopped', 'stopped', 'stopped'],
  ['unknown', 'cause not recorded', 'unknown'], ['absent', 'not there', 'absent'],
  ['mixed', 'several short states', 'mixed'], ['task', 'task', 'task'],
  ['disk', 'disk', 'disk'], ['net', 'net', 'net'], ['timer', 'timer', 'timer'],
  ['lock', 'lock', 'lock'], ['memory', 'memory', 'memory'], ['irq', 'irq', 'kernel'],
  ['signal', 'signal', 'signal'],
].map(([key, label, of_class]) => ({key, label, class: of_class}));

export const CODE = Object.fromEntries(STATES.map(({key}, code) => [key, code]));

function put_segment(columns, code, segment) {
  const {cause = -1, cpu = 0, stack = -1, mix = null} = segment;
  if (code !== 0 && code !== 5 && code !== 6)
    columns.causes.varint(cause + 1);
  if (code < 2)
    columns.cpus.varint(cpu);
  if (code > 6 && columns.stacks)
    columns.stacks.varint(stack + 1);
  if (code !== 6)
    return;
  columns.mixes.varint(mix.segments).varint(mix.parts.length);
  for (const [state, length] of mix.parts)
    columns.mixes.varint(state).varint(length);
}

// rows: for each task { begin, segments: [{ length, state, flags, cause, cpu, stack, mix }] }.
function encode_segments(rows, has_stacks) {
  const columns = {lengths: new Column(), states: new Column(), causes: new Column(),
    cpus: new Column(), mixes: new Column(), ...has_stacks && {stacks: new Column()}};
  for (const {begin = 0, segments = []} of rows) {
    columns.lengths.varint(segments.length);
    if (segments.length)
      columns.lengths.varint(begin);
    for (const segment of segments) {
      columns.lengths.varint(segment.length);
      columns.states.byte(segment.state | (segment.flags ?? 0));
      put_segment(columns, segment.state, segment);
    }
  }
  return columns;
}

function encode_objects(objects) {
  const column = new Column();
  for (const {list} of objects) {
    let at = 0;
    for (const {begin, queue = 0, service, task = -1, bytes = 0, name = 0} of list) {
      column.varint(begin - at).varint(queue).varint(service).varint(task + 1).varint(bytes)
        .varint(name);
      at = begin;
    }
  }
  return column;
}

// { parts: how many it was, entries: [task, state, length] each }
function put_part_mix(column, {parts, entries}) {
  column.varint(parts).varint(entries.length);
  for (const [task, state, length] of entries)
    column.varint(task).varint(state).varint(length);
}

function encode_path(path) {
  const column = new Column();
  for (const {length, task, state, cause = -1, mix} of path.parts) {
    column.varint(length).varint(state);
    if (state !== CODE.mixed)
      column.varint(task).varint(cause + 1);
    else
      put_part_mix(column, mix);
  }
  return column;
}

// Of a trace in plain objects the blocks that ftwait.decode() takes.
export function encode(trace) {
  const {rows, objects = [], path = null, icicle = null, ...meta} = trace;
  const columns = encode_segments(rows, !!meta.stacks?.length);
  if (path)
    columns.path = encode_path(path);
  if (objects.length)
    columns.objects = encode_objects(objects);
  const blocks = {};
  for (const [name, column] of Object.entries(columns))
    blocks[name] = column.done();
  if (icicle)
    blocks.icicle = new TextEncoder().encode(JSON.stringify(icicle));
  blocks.meta = JSON.stringify({version: 1, origin: '123456789012345678', file: 'run.dat',
    cpus: 2, states: STATES, tasks: [], names: [], causes: [], stacks: [], objects_left_out: 0,
    merged: null, merged_path: null, gaps: [], object_names: ['read', 'write', 'timer'], ...meta,
    path: path && {task: path.task, begin: path.begin, end: path.end, why: path.why ?? null},
    objects: objects.map(({list, ...row}) => ({...row, count: list.length}))});
  return blocks;
}

export function pack(block) {
  const bytes = typeof block === 'string' ? new TextEncoder().encode(block) : block;
  return deflateSync(bytes).toString('base64');
}

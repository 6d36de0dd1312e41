/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data of the page: base64, deflate and varints become columns in typed arrays. Whatever does
 * not fit is an error in words: no count is believed before there are bytes for it.
 *
 * Segments of a task stand one after the other, and behind the last one a place of their end, so
 * that segment i of any task lasts from begins[i] to begins[i + 1].
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};

  const BLOCK_MOST = 2 ** 30; // bytes of one block when inflated
  // enum flow_state of include/ftwait/flow.h: waits come behind MIXED; and what a byte of a state
  // says beside its code. Files behind this one take them from ftwait.state.
  const RUNNING = 0, RUNNABLE = 1, UNKNOWN = 4, ABSENT = 5, MIXED = 6;
  const CODE = 0x3f, DOUBTFUL = 0x40, OPEN = 0x80;
  const NONE = -1;

  class Reader {
    constructor(bytes, name) {
      this.bytes = bytes;
      this.name = name;
      this.at = 0;
    }

    fail(what) {
      throw new Error(`${this.name}: ${what}`);
    }

    byte() {
      if (this.at >= this.bytes.length)
        this.fail('ends too early');
      return this.bytes[this.at++];
    }

    varint() {
      let byte = this.byte();
      if (byte < 0x80)
        return byte;
      let value = byte & 0x7f;
      for (let scale = 128; byte >= 0x80; scale *= 128) {
        if (scale > 2 ** 49)
          this.fail('a number is too large');
        byte = this.byte();
        value += (byte & 0x7f) * scale;
      }
      if (value > Number.MAX_SAFE_INTEGER)
        this.fail('a number is too large');
      return value;
    }

    // How many things follow, of which each takes `least` bytes.
    count(least) {
      const count = this.varint();
      if (count * least > this.bytes.length - this.at)
        this.fail('counts more than there is');
      return count;
    }

    // An index below `limit`.
    index(limit) {
      const index = this.varint();
      if (index >= limit)
        this.fail('names what is not there');
      return index;
    }

    finish() {
      if (this.at !== this.bytes.length)
        this.fail('goes on where nothing is left to tell');
    }
  }

  function base64(text) {
    if (Uint8Array.fromBase64)
      return Uint8Array.fromBase64(text);
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++)
      bytes[i] = binary.charCodeAt(i);
    return bytes;
  }

  async function inflate(bytes, most = BLOCK_MOST) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    const reader = stream.getReader();
    const chunks = [];
    let length = 0;
    for (;;) {
      const {done, value} = await reader.read();
      if (done)
        break;
      length += value.length;
      if (length > most) {
        await reader.cancel().catch(() => {});
        throw new Error('too much data');
      }
      chunks.push(value);
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }

  // What stands in the element, null where there is none.
  async function block(document, name) {
    const element = document.getElementById(`data-${name}`);
    if (!element)
      return null;
    try {
      return await inflate(base64(element.textContent.trim()));
    } catch (error) {
      throw new Error(`${name}: cannot be unpacked (${error.message})`);
    }
  }

  const list = value => Array.isArray(value) ? value : [];
  const text = value => value === null || value === undefined ? '' : String(value);
  // no more than what is counted exactly
  const time = value => Math.abs(value) <= Number.MAX_SAFE_INTEGER ? Number(value) : 0;
  const index_below = (value, limit) =>
    Number.isInteger(value) && value >= 0 && value < limit ? value : NONE;

  // `machine`: an index in `machines`, none where there is one.
  function read_task(row, index, count, machines) {
    const [tid, tgid, comm, flags, priority, parent, machine] = list(row);
    // of some it is not known in which process they are
    return {index, tid: time(tid), tgid: tgid > 0 ? time(tgid) : time(tid), comm: text(comm),
      flags: flags >>> 0, priority: Number.isFinite(priority) ? priority : null,
      parent: index_below(parent, count), machine: index_below(machine, machines),
      first: 0, count: 0};
  }

  function read_cause(row, task_count) {
    const [state, confidence, words, waker, originator, purpose, clock_bound] = list(row);
    return {state: state >>> 0, confidence: Math.min(confidence >>> 0, 2), words: text(words),
      waker: index_below(waker, task_count), originator: index_below(originator, task_count),
      purpose: text(purpose), clock_bound: clock_bound >>> 0};
  }

  // Names by task, by time.
  function read_names(rows, task_count) {
    const names = new Map();
    for (const row of list(rows)) {
      const [task, at, comm] = list(row);
      if (index_below(task, task_count) === NONE)
        continue;
      if (!names.has(task))
        names.set(task, []);
      names.get(task).push([time(at), text(comm)]);
    }
    return names;
  }

  const read_merged = merged => merged ? {count: time(merged.count),
    shorter_ns: time(merged.shorter_ns)} : null;

  // What is in the JSON is brought into the form that is relied on.
  function read_meta(json) {
    const meta = typeof json === 'string' ? JSON.parse(json) : json;
    if (!meta || typeof meta !== 'object' || meta.version !== 1)
      throw new Error('meta: this page does not know the version of its data');
    const states = list(meta.states).map(state => ({key: text(state?.key),
      label: text(state?.label), class: text(state?.class)}));
    const rows = list(meta.tasks);
    const machines = list(meta.machines).map(row => ({name: text(row?.[0]), cpu: time(row?.[1])}));
    const tasks = rows.map((row, i) => read_task(row, i, rows.length, machines.length));
    return {
      origin: text(meta.origin), begin: time(meta.begin), end: time(meta.end),
      file: text(meta.file), cpus: time(meta.cpus), states, tasks, machines,
      names: read_names(meta.names, tasks.length),
      causes: list(meta.causes).map(row => read_cause(row, tasks.length)),
      stacks: list(meta.stacks).map(row => list(row).map(text)),
      path: meta.path && typeof meta.path === 'object' ?
        {task: index_below(meta.path.task, tasks.length), begin: time(meta.path.begin),
          end: time(meta.path.end), why: text(meta.path.why)} : null,
      objects: list(meta.objects).map(row => ({kind: text(row?.kind), label: text(row?.label),
        count: row?.count >>> 0, machine: index_below(row?.machine, machines.length)})),
      object_names: list(meta.object_names).map(text),
      objects_left_out: time(meta.objects_left_out),
      merged: read_merged(meta.merged), merged_path: read_merged(meta.merged_path),
      gaps: list(meta.gaps).map(row => ({begin: time(row?.[0]), end: time(row?.[1]),
        cpu: Number.isInteger(row?.[2]) ? row[2] : NONE, lost: time(row?.[3])}))
        .filter(gap => gap.end >= gap.begin).sort((a, b) => a.begin - b.begin),
      trigger: meta.trigger && typeof meta.trigger === 'object' ?
        {at: time(meta.trigger.at), why: text(meta.trigger.why)} : null,
    };
  }

  // begins: of all tasks, and first and count of each of them. Returns how many segments.
  function read_lengths(data, bytes, total) {
    const reader = new Reader(bytes, 'lengths');
    const {tasks, begins} = data;
    let left = total, place = 0;
    for (const task of tasks) {
      const count = reader.count(1);
      if (count > left)
        reader.fail('has more segments than states');
      left -= count;
      task.first = place;
      task.count = count;
      let at = count ? reader.varint() : 0;
      for (let i = 0; i < count; i++) {
        begins[place++] = at;
        at += reader.varint();
      }
      begins[place++] = at;
      if (at > Number.MAX_SAFE_INTEGER)
        reader.fail('a time is too large');
    }
    if (left)
      reader.fail('has fewer segments than states');
    reader.finish();
  }

  function read_states(data, bytes) {
    let from = 0;
    for (const {first, count} of data.tasks) {
      data.states.set(bytes.subarray(from, from + count), first);
      data.states[first + count] = ABSENT;
      from += count;
    }
    for (const state of data.states)
      if ((state & CODE) >= data.meta.states.length)
        throw new Error('states: a state is not known');
  }

  // A column of what only segments of some states have.
  function read_column(data, bytes, name, has, put) {
    const reader = new Reader(bytes, name);
    for (const {first, count} of data.tasks)
      for (let i = first; i < first + count; i++)
        if (has(data.states[i] & CODE))
          put(i, reader);
    reader.finish();
  }

  function read_causes(data, bytes) {
    const limit = data.meta.causes.length + 1;
    read_column(data, bytes, 'causes', code => code !== RUNNING && code !== ABSENT &&
      code !== MIXED, (i, reader) => { data.causes[i] = reader.index(limit) - 1; });
  }

  function read_cpus(data, bytes) {
    read_column(data, bytes, 'cpus', code => code === RUNNING || code === RUNNABLE,
      (i, reader) => { data.cpus[i] = reader.index(2 ** 15); });
  }

  function read_stacks(data, bytes) {
    const limit = data.meta.stacks.length + 1;
    data.stacks = new Int32Array(data.states.length).fill(NONE);
    read_column(data, bytes, 'stacks', code => code > MIXED,
      (i, reader) => { data.stacks[i] = reader.index(limit) - 1; });
  }

  // What mixed segments were: of mix m the states and lengths from first[m] on, before
  // first[m + 1]. Columns, as there may be a million.
  const make_mixes = (count, parts) => ({count: 0, segments: new Float64Array(count),
    first: new Uint32Array(count + 1), states: new Uint8Array(parts),
    lengths: new Float64Array(parts)});

  // The cause of a mixed segment is its mix.
  function read_mixes(data, bytes) {
    const limit = data.meta.states.length;
    // a mix takes two bytes, and each of its parts as many
    const mixes = make_mixes(Math.min(data.segments, bytes.length >> 1), bytes.length >> 1);
    const {first, states, lengths} = mixes;
    let at = 0;
    read_column(data, bytes, 'mixes', code => code === MIXED, (i, reader) => {
      mixes.segments[mixes.count] = reader.varint();
      let sum = 0;
      for (let entries = reader.count(2); entries > 0; entries--) {
        states[at] = reader.index(limit);
        sum += lengths[at++] = reader.varint();
      }
      if (sum > (data.begins[i + 1] - data.begins[i]) * (1 + 1e-9))
        reader.fail('are longer than their segment');
      data.causes[i] = mixes.count++;
      first[mixes.count] = at;
    });
    data.mixes = {...mixes, states: states.slice(0, at), lengths: lengths.slice(0, at)};
  }

  // Of mixes that are damaged none is known, not even of the first ones.
  function forget_mixes(data) {
    data.states.forEach((state, i) => {
      if ((state & CODE) === MIXED)
        data.causes[i] = NONE;
    });
  }

  // Mixes of parts: as those of segments, and whose each entry was. Each takes at least so many
  // bytes.
  const make_path_mixes = bytes => ({...make_mixes(Math.floor(bytes / 4), Math.floor(bytes / 3)),
    tasks: new Int32Array(Math.floor(bytes / 3)), parts: 0});

  // One mixed part; returns its index.
  function read_part_mix(mixes, reader, length, {tasks, states}) {
    let sum = 0;
    mixes.segments[mixes.count] = reader.varint();
    for (let entries = reader.count(3); entries > 0; entries--) {
      mixes.tasks[mixes.parts] = reader.index(tasks.length);
      mixes.states[mixes.parts] = reader.index(states.length);
      sum += mixes.lengths[mixes.parts++] = reader.varint();
    }
    if (sum > length * (1 + 1e-9))
      reader.fail('is shorter than what it is made of');
    mixes.first[++mixes.count] = mixes.parts;
    return mixes.count - 1;
  }

  // The cause of a mixed part is its mix; it is of no task.
  function read_path(data, bytes) {
    const reader = new Reader(bytes, 'path');
    const most = Math.floor(bytes.length / 4);
    const {tasks, causes, states} = data.meta;
    const mixes = make_path_mixes(bytes.length);
    const path = {count: 0, begins: new Float64Array(most + 1), states: new Uint8Array(most + 1),
      tasks: new Int32Array(most + 1), causes: new Int32Array(most + 1), mixes};
    let at = data.meta.path.begin, i = 0;
    for (; reader.at < bytes.length; i++) {
      const length = reader.varint();
      path.begins[i] = at;
      at += length;
      path.states[i] = reader.index(states.length);
      const is_mixed = path.states[i] === MIXED;
      path.tasks[i] = is_mixed ? NONE : reader.index(tasks.length);
      path.causes[i] = is_mixed ? read_part_mix(mixes, reader, length, data.meta) :
        reader.index(causes.length + 1) - 1;
    }
    path.begins[i] = at;
    path.count = i;
    for (const name of ['tasks', 'states', 'lengths', 'segments', 'first'])
      mixes[name] = mixes[name].slice(0, name === 'segments' ? mixes.count :
        name === 'first' ? mixes.count + 1 : mixes.parts);
    data.path = path;
  }

  function read_object_row(row, reader, data) {
    const {count} = row;
    if (count * 6 > reader.bytes.length - reader.at)
      reader.fail('counts more than there is');
    Object.assign(row, {begins: new Float64Array(count), queues: new Float64Array(count),
      services: new Float64Array(count), tasks: new Int32Array(count),
      bytes: new Float64Array(count), names: new Int32Array(count)});
    let at = 0;
    for (let i = 0; i < count; i++) {
      at += reader.varint();
      row.begins[i] = at;
      row.queues[i] = reader.varint();
      row.services[i] = reader.varint();
      row.tasks[i] = reader.index(data.tasks.length + 1) - 1;
      row.bytes[i] = reader.varint();
      row.names[i] = reader.index(Math.max(data.meta.object_names.length, 1));
    }
  }

  function read_objects(data, bytes) {
    const reader = new Reader(bytes, 'objects');
    const rows = data.meta.objects.map(row => ({...row}));
    for (const row of rows)
      read_object_row(row, reader, data);
    reader.finish();
    data.objects = rows;
  }

  // Without any segment, which is what remains of data that are damaged.
  function empty(meta, total, errors) {
    const places = total + meta.tasks.length;
    return {meta, tasks: meta.tasks, segments: total, begin: meta.begin, end: meta.end,
      begins: new Float64Array(places), states: new Uint8Array(places).fill(ABSENT),
      causes: new Int32Array(places).fill(NONE), cpus: new Int16Array(places).fill(NONE),
      stacks: null, mixes: make_mixes(0, 0), path: null, objects: [], icicle: null, errors};
  }

  // The window shown; where it is not told, all that there is.
  function set_window(data) {
    if (data.end > data.begin)
      return;
    data.end = data.begin + 1;
    for (const {first, count} of data.tasks)
      if (count)
        data.end = Math.max(data.end, data.begins[first + count]);
  }

  // Of { meta: object or JSON, lengths: bytes, states: bytes, ... } all that can be read: what
  // cannot is left out, and is a line of data.errors. Only damaged meta data throw. `errors`: of
  // blocks that could not even be unpacked.
  function decode(blocks, errors = []) {
    const meta = read_meta(blocks.meta);
    const attempt = (data, name, read) => {
      if (!blocks[name])
        return true;
      try {
        read(data, blocks[name]);
        return true;
      } catch (error) {
        data.errors.push(error.message);
        return false;
      }
    };
    const whole = read_segments(meta, blocks, attempt, errors);
    // a column that is damaged says nothing at all
    if (!attempt(whole, 'causes', read_causes))
      whole.causes.fill(NONE);
    if (!attempt(whole, 'cpus', read_cpus))
      whole.cpus.fill(NONE);
    if (!attempt(whole, 'stacks', read_stacks))
      whole.stacks = null;
    if (!attempt(whole, 'mixes', read_mixes))
      forget_mixes(whole);
    if (meta.path)
      attempt(whole, 'path', read_path);
    if (!attempt(whole, 'objects', read_objects))
      whole.objects = [];
    attempt(whole, 'icicle', (data, bytes) => {
      data.icicle = JSON.parse(new TextDecoder().decode(bytes));
    });
    set_window(whole);
    return whole;
  }

  function read_segments(meta, blocks, attempt, errors) {
    const {lengths, states} = blocks;
    const data = empty(meta, states ? states.length : 0, errors);
    const is_whole = !lengths === !states &&
      attempt(data, 'lengths', (to, bytes) => read_lengths(to, bytes, states.length)) &&
      attempt(data, 'states', read_states);
    if (is_whole)
      return data;
    if (!errors.length)
      errors.push('lengths and states: one of them is missing');
    for (const task of meta.tasks)
      task.first = task.index, task.count = 0;
    blocks.causes = blocks.cpus = blocks.stacks = blocks.mixes = null;
    return empty(meta, 0, errors);
  }

  async function load(document) {
    const names = ['meta', 'lengths', 'states', 'causes', 'cpus', 'stacks', 'mixes', 'path',
      'objects', 'icicle'];
    const blocks = {}, errors = [];
    await Promise.all(names.map(async name => {
      try {
        blocks[name] = await block(document, name);
      } catch (error) {
        errors.push(error.message);
        blocks[name] = null;
      }
    }));
    if (!blocks.meta)
      throw new Error(errors[0] ?? 'meta: the page has no data');
    blocks.meta = new TextDecoder().decode(blocks.meta);
    return decode(blocks, errors);
  }

  Object.assign(ftwait, {load, decode, block, inflate, base64, Reader});
  ftwait.state = {RUNNING, RUNNABLE, UNKNOWN, ABSENT, MIXED, CODE, DOUBTFUL, OPEN, NONE};
}

// SPDX-License-Identifier: GPL-2.0-or-later
// Traces that never were: a server with a database and a disk, and crowds of tasks.
import {CODE} from './encode.mjs';

export function random(seed) {
  let state = seed >>> 0;
  return (below = 1) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 * below;
  };
}

const MS = 1e6;

// A client asks a server, which asks a database, which reads from a disk: over and over.
export function server(seconds = 10, seed = 1) {
  const dice = random(seed), end = seconds * 1e9;
  const names = [['client', 1201, 1201, 1 | 8], ['nginx', 801, 801, 2], ['mysqld', 901, 901, 2],
    ['mysqld-io', 904, 901, 2], ['mysqld-log', 905, 901, 0], ['kworker/0:1H', 77, 77, 4],
    ['sshd', 700, 700, 0], ['systemd-journal', 300, 300, 0]];
  const tasks = names.map(([comm, tid, tgid, flags]) => [tid, tgid, comm, flags, 120, -1]);
  const causes = [
    [CODE.net, 2, 'reply from 10.0.0.7:80', 1, 1, 'http'],
    [CODE.net, 2, 'request on port 80', 0, 0, null],
    [CODE.task, 2, 'woken by mysqld[901] by futex', 2, -1, null],
    [CODE.task, 1, 'woken by mysqld-io[904]', 3, 3, null],
    [CODE.disk, 2, 'read of 16.0 KiB, disk 254,0', -1, 3, 'ext4 read-ahead'],
    [CODE.timer, 2, 'own timer, nanosleep', -1, -1, null],
    [CODE.lock, 1, 'mutex &inode->i_rwsem', 4, -1, null],
    [CODE.runnable, 2, 'preempted by kworker/0:1H', 5, -1, null],
    [CODE.task, 0, 'woken by nginx[801]', 1, -1, null],
  ];
  const stacks = [['io_schedule;folio_wait_bit_common;filemap_read;vfs_read;__x64_sys_pread64',
    'pread64;os_file_read;buf_read_page;row_search_mvcc', ''],
  ['futex_wait_queue;futex_wait;do_futex', 'pthread_cond_wait;os_event::wait',
    'futex_wake;do_futex']];
  const rows = tasks.map(() => ({begin: 0, segments: []}));
  const clock = tasks.map(() => 0);
  const put = (task, to, state, more = {}) => {
    to = Math.round(Math.min(to, end));
    if (to > clock[task])
      rows[task].segments.push({length: to - clock[task], state, cpu: task % 2, ...more});
    clock[task] = Math.max(clock[task], to);
  };
  const reads = [], interrupts = [], parts = [];
  const on_path = (length, task, state, cause = -1) =>
    parts.push({length: Math.round(length), task, state, cause});
  let now = 0;
  while (now < end) {
    const start = now, think = (2 + dice(6)) * MS, web = (0.5 + dice(2)) * MS;
    const slow = dice() < 0.1, read = (slow ? 20 + dice(60) : 1 + dice(8)) * MS;
    const preempted = dice() < 0.3 ? dice(6) * MS : 0, lock = dice() < 0.15 ? dice(15) * MS : 0;
    put(0, start + think, CODE.running);
    const asked = start + think, at_database = asked + web + preempted;
    put(1, asked, CODE.net, {cause: 1});
    put(1, asked + web, CODE.running);
    put(1, at_database, CODE.runnable, {cause: 7});
    put(2, at_database, CODE.task, {cause: 8, stack: 1});
    const at_io = at_database + lock + 0.4 * MS;
    put(2, at_database + lock, CODE.lock, {cause: 6});
    put(2, at_io, CODE.running);
    put(3, at_io, CODE['work-less']);
    put(3, at_io + 0.1 * MS, CODE.running);
    put(3, at_io + 0.1 * MS + read, CODE.disk, {cause: 4, stack: 0, flags: slow ? 0x40 : 0});
    const done = at_io + 0.1 * MS + read;
    for (let k = 0; k < 1 + dice(4); k++)
      reads.push({begin: Math.round(at_io + 0.1 * MS + k * 1e5), queue: Math.round(read * 0.2),
        service: Math.round(read * 0.8 - k * 1e5), task: 3, bytes: 16384});
    interrupts.push({begin: Math.round(done), service: 9000, task: -1, name: 2});
    put(3, done + 0.2 * MS, CODE.running);
    put(2, done + 0.2 * MS, CODE.task, {cause: 3, stack: 1});
    put(2, done + 0.9 * MS, CODE.running);
    put(1, done + 0.9 * MS, CODE.task, {cause: 2});
    put(1, done + 1.4 * MS, CODE.running);
    put(0, done + 1.4 * MS, CODE.net, {cause: 0});
    now = Math.round(done + 1.4 * MS);
    if (now >= end)
      break;
    for (const [length, ...rest] of [[think, 0, 0], [web, 1, 0], [preempted, 1, 1, 7],
      [lock, 2, CODE.lock, 6], [0.4 * MS, 2, 0], [0.1 * MS, 3, 0], [read, 3, CODE.disk, 4],
      [0.2 * MS, 3, 0], [0.7 * MS, 2, 0], [0.5 * MS, 1, 0]])
      if (length > 0)
        on_path(length, ...rest);
  }
  for (let task = 4; task < tasks.length; task++)
    while (clock[task] < end) {
      put(task, clock[task] + dice(60) * MS, CODE.timer, {cause: 5});
      put(task, clock[task] + dice(3) * MS, CODE.running);
    }
  reads.sort((a, b) => a.begin - b.begin);
  return {begin: 0, end, tasks, causes, stacks, rows,
    names: [[1, 3e9, 'nginx: worker']],
    path: {task: 0, begin: 0, end: parts.reduce((all, {length}) => all + length, 0), parts,
      why: 'the recorded command'},
    objects: [{kind: 'disk', label: 'disk 254,0', list: reads},
      {kind: 'irq', label: 'irq 24 virtio0', list: interrupts}],
    gaps: [[3.1e9, 3.35e9, -1, 1234], [7e9, 7.02e9, 1, 17]]};
}

// The same on two machines: the database is on another one, and has a process with the tgid of the web
// server, as has a task without any process in common. What nginx waits for is sent by mysqld.
export function two_machines(seconds = 10) {
  const trace = server(seconds);
  const tasks = trace.tasks.map((row, i) => [...row, i === 2 || i === 3 || i === 7 ? 1 : 0]);
  [tasks[2][0], tasks[2][1], tasks[3][1]] = [801, 801, 801];
  const causes = trace.causes.map(row => [...row]);
  causes[2] = [CODE.net, 2, 'net eth0 from db:mysqld[801]', -1, 2, null];
  const objects = trace.objects.map((row, i) => ({...row, machine: i ? 0 : 1}));
  return {...trace, tasks, causes, objects, machines: [['web', 0], ['db', 1]]};
}

// So many tasks with so many segments in all, of random states and lengths.
export function crowd(task_count, segment_count, {seconds = 10, seed = 2, waits = true} = {}) {
  const dice = random(seed), end = seconds * 1e9;
  const kinds = !waits ? [0, 1] :
    [0, 1, 0, CODE.task, CODE.disk, CODE.net, CODE.timer, CODE.lock, 2];
  const causes = kinds.filter(kind => kind > 6).map(kind =>
    [kind, 2, `cause of kind ${kind}`, kind % task_count, -1, null]);
  const tasks = [], rows = [];
  for (let i = 0; i < task_count; i++) {
    tasks.push([1000 + i, 1000 + i - i % 4, `task-${i}`, i < 80 ? 1 : 0, 120, -1]);
    const count = Math.floor(segment_count / task_count), mean = end / Math.max(count, 1);
    const segments = [];
    let left = end;
    for (let k = 0; k < count && left > 0; k++) {
      const state = kinds[Math.floor(dice(kinds.length))];
      const length = k === count - 1 ? left : Math.min(left, Math.ceil(dice(2 * mean)));
      segments.push({length, state, cpu: Math.floor(dice(4)),
        cause: state > 6 ? causes.findIndex(cause => cause[0] === state) : -1});
      left -= length;
    }
    rows.push({begin: 0, segments});
  }
  return {begin: 0, end, tasks, causes, rows, cpus: 4};
}

// A build: a driver, and so many short-lived tasks one after the other, a few at a time, each of
// its own process, of which nothing is known but while they live.
export function build(count = 150, {seconds = 10, seed = 3} = {}) {
  const dice = random(seed), end = seconds * 1e9, life = 4 * end / count;
  const tasks = [[1000, 1000, 'make', 1 | 2 | 8, 120, -1]];
  const causes = [[CODE.task, 2, 'a child ends', 1, -1, null]];
  const rows = [{begin: 0, segments: [{length: end, state: CODE.task, cause: 0}]}];
  const parts = [];
  for (let i = 0; i < count; i++) {
    const begin = Math.round(i * (end - life) / count), length = Math.round(life * (0.5 + dice(0.5)));
    const running = Math.round(length * dice());
    tasks.push([1001 + i, 1001 + i, i % 2 ? 'cc1' : 'as', 1, 120, 0]);
    const segments = [{length: running, state: 0, cpu: i % 4},
      {length: length - running, state: 1, cpu: i % 4}];
    if (i % 3 === 0) // and before, as where a recording begins
      segments.unshift({length: begin, state: CODE.unknown});
    segments.push({length: end - begin - length, state: CODE.unknown});
    rows.push({begin: i % 3 === 0 ? 0 : begin, segments});
    parts.push({length: Math.round((i + 1) * end / count) - Math.round(i * end / count),
      task: i + 1, state: CODE.running});
  }
  return {begin: 0, end, tasks, causes, rows, cpus: 4,
    path: {task: 0, begin: 0, end, parts, why: 'the recorded command'}};
}

// Short segments merged, as of traces that are too large.
export function merged() {
  const trace = crowd(20, 4000);
  const dice = random(11);
  for (const {segments} of trace.rows)
    for (const segment of segments) {
      if (dice() < 0.5)
        continue;
      const running = Math.floor(dice(segment.length));
      segment.mix = {segments: 12, parts: [[0, running],
        [CODE.disk, segment.length - running]]};
      segment.state = 6;
    }
  return {...trace, merged: {count: 12345, shorter_ns: 20000}, ...merged_path(trace.end, dice)};
}

// A path of which half of the parts are merged, of two to four tasks.
function merged_path(end, dice) {
  const parts = [];
  for (let at = 0; at < end;) {
    const length = Math.min(end - at, Math.ceil(dice(1e7))), task = Math.floor(dice(20));
    at += length;
    if (dice() < 0.5) {
      parts.push({length, task, state: CODE.running});
      continue;
    }
    const entries = [[task, CODE.running, Math.floor(length / 2)],
      [(task + 1) % 20, CODE.disk, Math.floor(length / 4)]];
    const left = length - entries[0][2] - entries[1][2];
    entries.push([task, CODE.runnable, left]);
    parts.push({length, state: CODE.mixed, mix: {parts: 9, entries}});
  }
  return {path: {task: 0, begin: 0, end, parts}, merged_path: {count: 4321, shorter_ns: 1e6}};
}

const EVIL = '</script><img src=x onerror=alert(1)>';

// Names that would be markup, turn text round or are no text.
export function hostile() {
  const trace = server(1);
  trace.file = `${EVIL}.dat`;
  trace.tasks.forEach((task, i) => { task[2] = [EVIL, '\u202egnp.exe', 'a\u0000\u001b[31m\n',
    '<b>bold</b>', '&amp;', '`${1}`'][i % 6]; });
  trace.causes.forEach(cause => { cause[2] = EVIL; });
  trace.objects[0].label = EVIL;
  trace.object_names = [EVIL, EVIL, EVIL];
  trace.stacks = trace.stacks.map(stack => stack.map(() => `${EVIL};\u2066x`));
  return trace;
}

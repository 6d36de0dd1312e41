/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which rows there are and where they stand: the critical path, devices, the tasks that matter by
 * process, and a closed group of all others. With several machines each has a band: a heading, and
 * below it its devices and tasks. Heights are in CSS pixels.
 *
 * A row: { kind: 'path' 'group' 'object' 'task', key, y, height, bar, indent, label, is_hidden,
 * track? }; a group has `open`, `count`, is_band (a machine) and, if it is a process, `tasks`; an
 * object row has `object` (index) and `lane`, a task row `task`. A layout has `all` rows, and
 * `rows`, those that are not hidden, one below the other; what is hidden has no place.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};

  const ASKED = 1, ON_PATH = 2, RECORDER = 16;
  const HEIGHT = {path: 30, task: 20, roomy: 28, group: 20, object: 18, lane: 10};
  const BAR = {path: 22, task: 15, roomy: 22, group: 0, object: 13, lane: 8};
  const ROOMY_MOST = 12; // tasks: rows of few are higher
  const DISKS_OPEN = 12;
  const INTERRUPT_ROWS_OPEN = 3; // more of them are folded

  const is_asked = task => (task.flags & (ASKED | ON_PATH)) !== 0;

  // The tasks shown and the others; where none is asked for, all but the recorder's are.
  function split_tasks(tasks) {
    const any = tasks.some(is_asked);
    const is_shown = task => any ? is_asked(task) : !(task.flags & RECORDER);
    return {shown: tasks.filter(is_shown), others: tasks.filter(task => !is_shown(task))};
  }

  // By process, in the order in which processes first appear.
  function by_process(tasks) {
    const processes = new Map();
    for (const task of tasks) {
      // a tid may be used again: a process is told by its leader, if that is known to be one
      const key = task.tgid;
      if (!processes.has(key))
        processes.set(key, []);
      processes.get(key).push(task);
    }
    return [...processes.values()];
  }

  class Layout {
    constructor(data, toggled) {
      this.data = data;
      this.toggled = toggled;
      this.rows = [];
      this.height = 0;
      this.task_size = 'task';
    }

    put(row, height, bar) {
      this.rows.push({y: this.height, height, bar, indent: 0, is_hidden: false, ...row});
      this.height += height;
    }

    // Returns whether its rows are to follow.
    group(key, label, count, is_open, {indent = 0, tasks = null, is_band = false} = {}) {
      const open = this.toggled.has(key) ? !is_open : is_open;
      this.put({kind: 'group', key, label, count, open, indent, tasks, is_band}, HEIGHT.group,
        BAR.group);
      return open;
    }

    objects(kinds, key, label, is_open, {machine, indent}) {
      const rows = this.data.objects.map((row, index) => ({row, index}))
        .filter(({row}) => row.count > 0 && row.machine === machine && kinds(row.kind));
      if (!rows.length || rows.length > 1 &&
          !this.group(key, label, rows.length, is_open(rows.length), {indent}))
        return;
      for (const {row, index} of rows) {
        const {tracks} = ftwait.lanes.prepare_row(row);
        const size = tracks.length > 1 ? 'lane' : 'object';
        tracks.forEach((track, lane) => this.put({kind: 'object', key: `object:${index}:${lane}`,
          label: lane ? '' : ftwait.text.clean(row.label), object: index, lane, track,
          indent: indent + (rows.length > 1 ? 1 : 0)},
        HEIGHT[size] + (lane === tracks.length - 1 ? 2 : 0), BAR[size]));
      }
    }

    // The heading names the machine.
    task(task, indent) {
      this.put({kind: 'task', key: `task:${task.index}`, task: task.index, indent,
        label: `${ftwait.text.name_at(this.data, task.index, null)}[${task.tid}]`},
      HEIGHT[this.task_size], BAR[this.task_size]);
    }

    tasks(tasks, indent) {
      for (const threads of by_process(tasks)) {
        if (threads.length === 1) {
          this.task(threads[0], indent);
          continue;
        }
        const {tgid} = threads[0];
        const leader = threads.find(task => task.tid === tgid) ?? threads[0];
        const name = `${ftwait.text.name_at(this.data, leader.index, null)}[${tgid}]`;
        if (this.group(`process:${tgid}:${threads[0].index}`, `${name}: ${threads.length} threads`,
          threads.length, true, {indent, tasks: threads.map(({index}) => index)}))
          for (const task of threads)
            this.task(task, indent + 1);
      }
    }
  }

  // The devices and tasks of a machine; -1: there is one.
  function band(made, machine, {shown, others}) {
    const indent = machine < 0 ? 0 : 1, behind = machine < 0 ? '' : `:${machine}`;
    const place = {machine, indent};
    made.objects(kind => kind === 'disk', `disks${behind}`, 'disks',
      count => count <= DISKS_OPEN, place);
    made.objects(kind => kind !== 'disk', `interrupts${behind}`, 'interrupts and work',
      count => count <= INTERRUPT_ROWS_OPEN, place);
    made.tasks(shown, indent);
    if (others.length && made.group(`others${behind}`, `${ftwait.text.count(others.length)} ` +
      `other ${others.length === 1 ? 'task' : 'tasks'}`, others.length, false, {indent}))
      made.tasks(others, indent + 1);
  }

  function bands(made, {shown, others}) {
    made.data.meta.machines.forEach(({name}, machine) => {
      const of_it = tasks => tasks.filter(task => task.machine === machine);
      const mine = {shown: of_it(shown), others: of_it(others)};
      const count = mine.shown.length + mine.others.length;
      const label = `${ftwait.text.clean(name)}: ${ftwait.text.count(count)} ${
        count === 1 ? 'task' : 'tasks'}`;
      if (made.group(`machine:${machine}`, label, count, true, {is_band: true}))
        band(made, machine, mine);
    });
    const lost = tasks => tasks.filter(task => task.machine < 0);
    made.tasks(lost([...shown, ...others]), 0);
  }

  // `toggled`: keys of groups that are not as they are at first.
  function layout(data, toggled = new Set()) {
    const made = new Layout(data, toggled);
    if (data.path?.count)
      made.put({kind: 'path', key: 'path', label: 'critical path',
        track: data.path_track ??= ftwait.lod.path_track(data)}, HEIGHT.path, BAR.path);
    const parted = split_tasks(data.tasks);
    made.task_size = parted.shown.length <= ROOMY_MOST ? 'roomy' : 'task';
    if (data.meta.machines.length)
      bands(made, parted);
    else
      band(made, -1, parted);
    const {rows, height} = made;
    return {all: rows, rows, height, full_height: height, hidden: 0,
      pinned: rows[0]?.kind === 'path' ? rows[0].height : 0,
      of_task: new Map(rows.filter(row => row.kind === 'task').map(row => [row.task, row])),
      of_key: new Map(rows.map(row => [row.key, row]))};
  }

  // Hides those rows of tasks, and processes without any other, that are not kept; puts the
  // others one below the other. Returns whether that changed anything.
  function sift(layout, is_kept) {
    let is_changed = false, hidden = 0;
    for (const row of layout.all) {
      const is_hidden = row.kind === 'task' ? !is_kept(row.task) :
        !!row.tasks && !row.tasks.some(is_kept);
      is_changed ||= is_hidden !== row.is_hidden;
      row.is_hidden = is_hidden;
      hidden += is_hidden && !(row.tasks && row.open) ? 1 : 0; // the head of others is no row
    }
    if (!is_changed)
      return false;
    layout.rows = layout.all.filter(row => !row.is_hidden);
    layout.hidden = hidden;
    layout.height = 0;
    for (const row of layout.rows) {
      row.y = layout.height;
      layout.height += row.height;
    }
    return true;
  }

  // The keys of closed groups that hide a task.
  function hidden_in(data, toggled, task) {
    const tried = new Set(toggled), closed = [], {machine} = data.tasks[task];
    const holders = machine < 0 ? ['others'] : [`others:${machine}`, `machine:${machine}`];
    for (let i = 0; i < 3; i++) {
      const {rows, of_task} = layout(data, tried);
      if (of_task.has(task))
        break;
      const group = rows.find(row => row.kind === 'group' && !row.open &&
        (row.tasks?.includes(task) || holders.includes(row.key)));
      if (!group)
        break;
      closed.push(group.key);
      tried[tried.has(group.key) ? 'delete' : 'add'](group.key);
    }
    return closed;
  }

  // The first row that ends below y, by halving.
  function row_at(rows, y) {
    let low = 0, high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle].y + rows[middle].height <= y)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  ftwait.rows = {layout, sift, row_at, hidden_in, split_tasks, ASKED, ON_PATH, RECORDER};
}

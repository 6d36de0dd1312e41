/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is behind a row or a sentence: the options of `ftwait report` that show it, as data-next has
 * them. The page shows of it the window and the task, and the view if it has that.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};

  // Words as the program quotes them for a shell: a name in one may look like an option.
  const WORD = /(?:\$'(?:\\.|[^\\'])*'|'[^']*'|\\.|[^ '\\])+/gs;
  const WITH_VALUE = /^--(from|to|at|tid|pid|comm|cgroup|kind|sort|by|cpu)$/;

  // {begin, end, tid, host, views}: ns since the trace's begin, and a task, as far as one window
  // and one task are named, else null; "lock", of views with an argument "syscall=read".
  function read(options) {
    const given = {}, views = [];
    const words = options.match(WORD) ?? [];
    for (let i = 0; i < words.length; i++) {
      const [, name] = WITH_VALUE.exec(words[i]) ?? [];
      if (name)
        given[name] = words[++i];
      else
        views.push(words[i].slice(2));
    }
    const [begin, end] = [given.from, given.to].map(text =>
      /^\d+(\.\d+)?$/.test(text) ? Math.round(text * 1e9) : null);
    const path = views.find(view => view.startsWith('critical-path='));
    const [, host = null, tid = null] =
      /^(?:(.+):)?(\d+)$/.exec(given.tid ?? path?.slice(14)) ?? [];
    return {begin, end, tid: tid && Number(tid), host, views};
  }

  // Where that leads: {task, at, begin, end}, as Flow.show() wants it. What it leaves open is the
  // row's own, {task, at}; a window that is all of the page is none. null: nowhere.
  function place(data, options, row) {
    const {tid, host, ...asked} = read(options);
    const begin = Math.max(asked.begin, data.begin);
    const end = Math.min(asked.end ?? data.end, data.end);
    // the options have microseconds
    const is_part = begin < end && (begin > data.begin + 999 || end < data.end - 999);
    const window = is_part ? {begin, end} : {};
    const is_within = row.at !== null && (!is_part || row.at >= begin && row.at <= end);
    const at = is_within ? row.at : is_part ? (begin + end) / 2 : null;
    const machine = host === null ? null : data.meta.machines.findIndex(({name}) => name === host);
    const task = tid === null ? row.task : ftwait.walk.find_task(data, tid, at, machine);
    return task < 0 && at === null ? null : {task, at, ...window};
  }

  // The section of a view that is named; those with an argument show more than the page's does.
  // `from`: the row, whose own section is no way on.
  function section(from, options) {
    const {ownerDocument: page} = from;
    return read(options).views.map(view => page.getElementById(view.replace(/-/g, '_')))
      .find(found => found?.matches('section.view') && !found.contains(from)) ?? null;
  }

  // The command that shows it.
  const command = from =>
    ftwait.text.clean(`${from.closest('main').dataset.report} ${from.dataset.next}`);

  // Leads to what is behind a row, which itself is at `own`: in the picture, with the section of
  // the view as a way on, or if it has no place there to that; else shows the command. `data`:
  // null where there is no picture.
  function follow(data, row, own, places) {
    const {next} = row.dataset, shown = section(row, next);
    const to = data && place(data, next, own);
    if (data && (to || !shown))
      places.show({...to, behind: {command: command(row), section: shown}},
        row.querySelector('button.next'));
    else if (shown)
      ftwait.tables.section_go(shown);
  }

  ftwait.next = {read, place, section, command, follow};
}

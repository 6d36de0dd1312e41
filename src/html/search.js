/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Search: tasks by name or tid, then waits by the words of their cause, in the order of time.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};
  const {CODE, MIXED} = ftwait.state;
  const FOUND_MOST = 20000;

  function task_matches(data, words) {
    const tid = /^\d+$/.test(words) ? +words : null;
    const has = text => text.toLowerCase().includes(words);
    const names = ({comm, index}) =>
      [comm, ...(data.meta.names.get(index) ?? []).map(([, name]) => name)];
    const exact = [], others = [];
    for (const task of data.tasks)
      if (tid !== null && task.tid === tid)
        exact.push(task.index);
      else if (names(task).some(has) || has(`${task.comm}[${task.tid}]`) ||
          has(ftwait.text.task_name(data, task.index)))
        others.push(task.index);
    return [...exact, ...others];
  }

  function cause_matches(data, words) {
    const {states, causes} = data.meta;
    const is_match = causes.map(cause => `${states[cause.state]?.label ?? ''} ${cause.words} ${
      cause.purpose}`.toLowerCase().includes(words));
    const found = [];
    if (!is_match.includes(true))
      return found;
    for (const {index, first, count} of data.tasks)
      for (let i = first; i < first + count && found.length < FOUND_MOST; i++)
        if (data.causes[i] >= 0 && (data.states[i] & CODE) !== MIXED && is_match[data.causes[i]])
          found.push({kind: 'segment', task: index, index: i});
    return found.sort((a, b) => data.begins[a.index] - data.begins[b.index]);
  }

  // Places in the order in which they are gone through; `is_cut`: there are more.
  function search(data, text) {
    const words = text.trim().toLowerCase();
    if (!words)
      return {places: [], tasks: 0, is_cut: false};
    const tasks = task_matches(data, words).map(task => ({kind: 'task', task}));
    const waits = cause_matches(data, words);
    return {places: [...tasks, ...waits], tasks: tasks.length,
      is_cut: waits.length >= FOUND_MOST};
  }

  ftwait.search = search;
}

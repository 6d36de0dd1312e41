/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures and names as the reports write them, and the place in a link.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};

  const UNITS = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us']];

  // "12.345 ms", as in the reports.
  function duration(ns) {
    if (ns < 0)
      return `-${duration(-ns)}`;
    ns = Math.round(ns);
    for (const [size, unit] of UNITS)
      if (ns >= size)
        return `${(Math.floor(ns / (size / 1000)) / 1000).toFixed(3)} ${unit}`;
    return ns ? `${ns} ns` : '0';
  }

  // Seconds since the trace's begin.
  function instant(ns, digits = 6) {
    const sign = ns < 0 ? '-' : '', all = Math.abs(Math.round(ns));
    const seconds = Math.floor(all / 1e9);
    const rest = String(all % 1e9).padStart(9, '0').slice(0, digits);
    return digits ? `${sign}${seconds}.${rest}` : `${sign}${seconds}`;
  }

  // "RT 50", as chrt(1) counts, "nice 5", "deadline", of the kernel's number.
  function priority_words(priority) {
    if (priority < 0)
      return 'deadline';
    return priority < 100 ? `RT ${99 - priority}` : `nice ${priority - 120}`;
  }

  const count = number => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
  const percent = (part, whole) => `${(whole > 0 ? 100 * part / whole : 0).toFixed(1)} %`;

  function size(bytes) {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let at = 0;
    for (; bytes >= 1024 && at < 4; at++)
      bytes /= 1024;
    return `${bytes.toFixed(at ? 1 : 0)} ${units[at]}`;
  }

  // Names are anybody's: what would turn text round, or is no text, is shown as what it is.
  const NO_TEXT = new RegExp('[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f' +
    '\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]', 'g');
  const clean = text => String(text).replace(NO_TEXT, '\ufffd');

  // "3"; with several machines "db:3", as CPUs are numbered through all of them.
  function cpu_name(data, cpu) {
    const machine = data.meta.machines.filter(row => row.cpu <= cpu).pop();
    return machine ? `${clean(machine.name)}:${cpu - machine.cpu}` : String(cpu);
  }

  // What a task was called at that time.
  function name_at(data, index, at) {
    const task = data.tasks[index];
    let {comm} = task;
    for (const [from, name] of data.meta.names.get(index) ?? [])
      if (at !== null && from <= at)
        comm = name;
    return clean(comm);
  }

  // The same as its machine calls it; with several machines "db:mysqld".
  function whole_name(data, index, at) {
    const machine = data.meta.machines[data.tasks[index].machine];
    return `${machine ? `${clean(machine.name)}:` : ''}${name_at(data, index, at)}`;
  }

  function task_name(data, index, at = null) {
    return index < 0 ? 'not recorded' : `${whole_name(data, index, at)}[${data.tasks[index].tid}]`;
  }

  // What a state is called of which only the kind is told, as all waits are.
  const state_words = (data, code) => {
    const {label} = data.meta.states[code];
    return code > ftwait.state.MIXED ? `waits (${label})` : label;
  };

  // "#t=1.2-1.4&task=123": { begin, end, task }, each may be null; with several machines also
  // "&machine=0", its number: machine.
  function parse_place(hash) {
    const place = {begin: null, end: null, task: null};
    const time = /(?:^#?|&)t=(\d+(?:\.\d*)?)-(\d+(?:\.\d*)?)(?:&|$)/.exec(hash);
    const task = /(?:^#?|&)task=(\d+)(?:&|$)/.exec(hash);
    if (time && +time[2] > +time[1]) {
      place.begin = Math.round(+time[1] * 1e9);
      place.end = Math.round(+time[2] * 1e9);
    }
    if (task)
      place.task = +task[1];
    const machine = /(?:^#?|&)machine=(\d+)(?:&|$)/.exec(hash);
    if (task && machine)
      place.machine = +machine[1];
    return place;
  }

  function format_place({begin, end, task, machine = -1}) {
    // as many digits as tell a thousandth of what is shown
    const digits = Math.min(9, Math.max(3, 12 - Math.floor(Math.log10(Math.max(end - begin, 1)))));
    const place = `#t=${instant(begin, digits)}-${instant(end, digits)}`;
    return task === null ? place :
      `${place}&task=${task}${machine < 0 ? '' : `&machine=${machine}`}`;
  }

  ftwait.text = {duration, instant, count, percent, size, clean, name_at, whole_name, task_name,
    state_words, priority_words, cpu_name, parse_place, format_place};
}

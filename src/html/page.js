/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts the page: decodes the data, draws the flow view, hands the data to the other views. A page
 * of a comparison has other data, and no flow.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};

  function complain(words) {
    const line = document.createElement('p');
    line.className = 'error';
    line.textContent = words;
    (document.querySelector('main') ?? document.body).prepend(line);
  }

  // What is the matter is told in the page, and the rest of it stays.
  function attempt(what, action) {
    try {
      return action();
    } catch (error) {
      complain(`${what}: ${error.message}`);
      return undefined;
    }
  }

  function notes(data) {
    const {merged, merged_path, objects_left_out, gaps, trigger} = data.meta;
    const {clean, count, duration, instant} = ftwait.text;
    const said = [];
    if (trigger && trigger.at >= data.begin && trigger.at <= data.end)
      said.push(`The line at ${instant(trigger.at)} s is where the trigger fired: ` +
        `${clean(trigger.why)}.`);
    if (!data.segments)
      said.push('No task has any segment in this window.');
    if (merged)
      said.push(`${count(merged.count)} segments shorter than ` +
        `${duration(merged.shorter_ns)} are merged; their shares stay exact.`);
    if (merged_path)
      said.push(`${count(merged_path.count)} parts of the critical path shorter than ` +
        `${duration(merged_path.shorter_ns)} are merged; their shares, by task too, stay exact.`);
    if (objects_left_out)
      said.push(`${count(objects_left_out)} requests and interrupts are left out.`);
    if (gaps.length)
      said.push(`Events were lost in ${count(gaps.length)} ${gaps.length === 1 ? 'gap' :
        'gaps'}, hatched red: what is drawn there may be wrong.`);
    return said.join(' ');
  }

  function start_flow(data, root) {
    const flow = new ftwait.Flow(data, root);
    const {data: _, ...others} = ftwait.flow ?? {};
    ftwait.flow = Object.assign(others, {
      view: flow,
      show: place => flow.show({...place}),
      measure: frames => flow.measure(frames),
      // Calls back with { kind, task, ..., begin, end }, or null, upon each selection.
      on_select: listener => {
        flow.listeners.add(listener);
        return () => flow.listeners.delete(listener);
      },
    });
    flow.part('notes').textContent = notes(data);
    flow.resize();
    flow.read_place(location.hash);
    flow.on_drawn = () => ready(data);
    ftwait.panel.show(flow);
    ftwait.input.attach(flow);
    flow.draw_now(); // at once: a page that nobody looks at yet gets no frames
    return flow;
  }

  function ready(data) {
    Object.assign(document.documentElement.dataset,
      {segments: data.segments, tasks: data.tasks.length, ready: '1'});
  }

  // The icicle goes first: tables look for what is shown.
  function start_others(data) {
    const places = {
      // `place` as Flow.show() wants it; `from`: the element that leads there, to which Back
      // returns.
      show: (place, from) => {
        const {view} = ftwait.flow;
        view.trail.leave(from);
        view.root.scrollIntoView({block: 'start'});
        view.show(place);
        view.overlay.focus({preventScroll: true});
      },
      find_task: (tid, at, machine) => ftwait.walk.find_task(data, tid, at, machine),
    };
    const icicle = document.getElementById('icicle');
    if (icicle)
      attempt('icicle', () => ftwait.icicle?.start(data, icicle, places));
    attempt('tables', () => ftwait.tables?.start(document, data, places));
  }

  // The answer first: what the summary begins with, and how far it can be believed.
  function answer_show() {
    const header = document.querySelector('header');
    for (const [from, name] of [['#summary > p', 'answer'], ['#health > p', 'trace']]) {
      const told = document.querySelector(from);
      if (!header || !told)
        continue;
      const line = document.createElement('p');
      line.className = told.className === 'warning' ? 'warning' : name;
      line.textContent = told.textContent;
      header.append(line);
    }
  }

  const nowhere = {show: () => {}, find_task: () => -1};

  // A page that compares runs has no flow, and one icicle among its tables.
  async function start_comparison(icicle) {
    let costs = 0;
    try {
      const bytes = await ftwait.block(document, 'changes');
      costs = ftwait.changes.start(JSON.parse(new TextDecoder().decode(bytes)), icicle);
    } catch (error) {
      complain(`The picture cannot be drawn: ${error.message}.`);
    }
    attempt('tables', () => ftwait.tables.start(document, null, nowhere));
    Object.assign(document.documentElement.dataset, {costs, ready: '1'});
  }

  async function start() {
    let data;
    answer_show();
    if (document.getElementById('data-changes')) {
      await start_comparison(document.getElementById('icicle'));
      return;
    }
    try {
      data = await ftwait.load(document);
    } catch (error) {
      complain(`The pictures cannot be drawn: ${error.message}.`);
      document.getElementById('flow')?.setAttribute('hidden', '');
      attempt('tables', () => ftwait.tables?.start(document, null, nowhere));
      return;
    }
    for (const error of data.errors)
      complain(`Part of the data is damaged: ${error}.`);
    const flow = document.getElementById('flow');
    if (flow)
      attempt('flow', () => ftwait.flow.start(data, flow));
    start_others(data);
  }

  ftwait.flow = {start: start_flow};
  ftwait.page = {start, notes};
  if (globalThis.document) // after all scripts, in whatever order they stand
    queueMicrotask(start);
}

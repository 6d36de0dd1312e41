/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the flow view says in words: the tooltip, the panel of what is selected with the ways on,
 * the totals of what is in sight or within a range, the legend. All text goes in as text.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};
  const {RUNNABLE, UNKNOWN, ABSENT, MIXED, CODE, DOUBTFUL, OPEN} = ftwait.state;
  const CONFIDENCE = ['low', 'medium', 'high'];
  const SHOWN = 6; // of who had the CPU
  const FRAMES_SHOWN = 40;

  function element(name, properties, ...children) {
    const made = document.createElement(name);
    const {on, ...others} = properties ?? {};
    Object.assign(made, others);
    if (on)
      made.addEventListener('click', on);
    made.append(...children.filter(child => child !== null && child !== undefined));
    return made;
  }

  const swatch = (flow, of_class) => ftwait.drawing.swatch(document.createElement('canvas'),
    of_class, flow.palette, flow.view.scale);

  const task_link = (flow, task, at) => task < 0 ? 'not recorded' :
    element('button', {type: 'button', className: 'link', on: () => go_to_task(flow, task, at)},
      ftwait.text.task_name(flow.data, task, at));

  function go_to_task(flow, task, at) {
    const index = ftwait.walk.segment_before(flow.data, task, at);
    if (index >= 0) {
      flow.go({kind: 'segment', task, index}, at);
    } else {
      flow.trail.leave();
      flow.show({task});
    }
  }

  function fields(rows) {
    const list = element('dl', {});
    for (const [title, ...values] of rows.filter(Boolean))
      list.append(element('dt', {}, title), element('dd', {}, ...values));
    return list;
  }

  function times(begin, end) {
    const {instant, duration} = ftwait.text;
    const digits = end - begin < 1e5 ? 9 : 6;
    return [['from', `${instant(begin, digits)} s`], ['to', `${instant(end, digits)} s`],
      ['length', element('b', {}, duration(end - begin))]];
  }

  const figures = (time, whole) => [ftwait.text.duration(time), ftwait.text.percent(time, whole)]
    .map(words => element('td', {className: 'figure'}, words));

  // Shares of classes as a table with bars; nothing of what there is none of.
  function shares_table(flow, title, shares, whole) {
    const {text, classes} = ftwait;
    const table = element('table', {className: 'shares'}, element('caption', {}, title));
    const order = [...shares.keys()].filter(c => shares[c] > 0 && classes.keys[c] !== 'absent')
      .sort((a, b) => shares[b] - shares[a]);
    for (const of_class of order) {
      const bar = element('span', {className: 'bar'});
      bar.style.width = `${Math.min(100, 100 * shares[of_class] / whole)}%`;
      bar.style.background = flow.palette.colors[of_class];
      table.append(element('tr', {}, element('td', {}, swatch(flow, of_class)),
        element('td', {}, classes.words[of_class], element('span', {className: 'rail'}, bar)),
        ...figures(shares[of_class], whole)));
    }
    if (!order.length)
      table.append(element('tr', {}, element('td', {}, 'nothing')));
    return table;
  }

  // Of those that have rows, hidden or not, and are known to be there at all.
  function sum_of_tasks(flow, begin, end) {
    const shares = new Float64Array(ftwait.classes.count);
    let tasks = 0;
    for (const {kind, task} of flow.layout.all)
      if (kind === 'task' && ftwait.walk.is_there(flow.data, task, begin, end)) {
        ftwait.lod.totals(ftwait.walk.track_of(flow.data, task), begin, end, shares);
        tasks++;
      }
    return {shares, tasks};
  }

  const sum = shares => shares.reduce((all, share, c) =>
    ftwait.classes.keys[c] === 'absent' ? all : all + share, 0);

  // Where the path is but a part of what is in sight.
  function show_way_to_path(flow, into, begin, end) {
    const {begins, count} = flow.data.path, length = begins[count] - begins[0];
    if (length > 0 && length < (end - begin) * 0.7)
      into.append(element('div', {className: 'steps'}, element('button', {type: 'button',
        className: 'step', on: () => flow.set_window(begins[0] - length * 0.02,
          begins[count] + length * 0.02)}, 'zoom to the critical path')));
  }

  // Of a stretch of time: the row that is chosen, the critical path, all tasks shown.
  function show_totals(flow, into, begin, end, title) {
    const {text} = ftwait, path = flow.data.path_track;
    const row = flow.layout.of_key.get(flow.chosen_row);
    into.append(element('h3', {}, title), element('p', {className: 'faint'},
      `${text.instant(begin)} to ${text.instant(end)} s: ${text.duration(end - begin)}`));
    if (row && row.kind !== 'path' && row.kind !== 'group') {
      const shares = ftwait.lod.totals(flow.track_of(row), begin, end);
      const label = row.label || text.clean(flow.data.objects[row.object]?.label ?? '');
      into.append(shares_table(flow, label, shares, sum(shares)));
    }
    if (path) {
      const shares = ftwait.lod.totals(path, begin, end);
      into.append(shares_table(flow, `critical path of ${
        text.task_name(flow.data, flow.data.meta.path.task)}`, shares, sum(shares)));
    }
    if (path)
      show_way_to_path(flow, into, begin, end);
    const {shares, tasks} = sum_of_tasks(flow, begin, end);
    if (tasks)
      into.append(shares_table(flow, tasks === 1 ? 'the task shown' :
        `the ${text.count(tasks)} tasks shown, summed`, shares, sum(shares)));
  }

  // --- one segment

  // A length that is cut off is no length to reckon with.
  function cuts(data, code, begin, end) {
    const said = [];
    if (begin <= data.begin && ![UNKNOWN, ABSENT].includes(code & CODE))
      said.push(data.begin > 0 ? 'cut: it began before this page does' :
        'cut: it began before the recording did');
    if (end >= data.end && !(code & OPEN))
      said.push('cut: this page ends in it');
    return said;
  }

  function doubts(data, code, cause, begin, end) {
    const said = cuts(data, code, begin, end);
    if (code & DOUBTFUL)
      said.push('doubtful: events were lost here');
    if (code & OPEN)
      said.push('open: the recording ends in it');
    if (cause && cause.confidence < 2)
      said.push(cause.confidence ? 'the cause is likely, not certain' : 'the cause is a guess');
    return said.map(words => element('p', {className: 'doubt'}, words));
  }

  function stack_list(title, folded) {
    const frames = folded ? folded.split(';') : [];
    if (!frames.length)
      return null;
    const list = element('ol', {className: 'stack'});
    for (const frame of frames.slice(0, FRAMES_SHOWN))
      list.append(element('li', {}, ftwait.text.clean(frame)));
    if (frames.length > FRAMES_SHOWN)
      list.append(element('li', {}, `${frames.length - FRAMES_SHOWN} more`));
    return element('details', {open: true}, element('summary', {}, title), list);
  }

  const TITLES = ['stack in the kernel', 'stack of the program', 'stack of the waker'];

  function show_stacks(flow, into, i) {
    const stack = flow.data.stacks && flow.data.meta.stacks[flow.data.stacks[i]];
    if (stack)
      into.append(...TITLES.map((title, k) => stack_list(title, stack[k])).filter(Boolean));
  }

  function show_runnable(flow, into, i) {
    const {data} = flow, begin = data.begins[i], end = data.begins[i + 1];
    if (data.cpus[i] < 0)
      return;
    const had = ftwait.walk.had_cpu(data, data.cpus[i], begin, end);
    const table = element('table', {className: 'shares'},
      element('caption', {}, `meanwhile CPU ${ftwait.text.cpu_name(data, data.cpus[i])} ran`));
    for (const {task, time} of had.slice(0, SHOWN))
      table.append(element('tr', {}, element('td', {}, task_link(flow, task, end)),
        ...figures(time, end - begin)));
    const rest = end - begin - had.slice(0, SHOWN).reduce((all, {time}) => all + time, 0);
    if (rest > 0)
      table.append(element('tr', {}, element('td', {}, had.length > SHOWN ? 'others' :
        'not recorded'), ...figures(rest, end - begin)));
    into.append(table);
  }

  function show_mix(flow, into, task, i) {
    const track = ftwait.walk.track_of(flow.data, task);
    if (!ftwait.lod.is_mixed(track, i))
      return;
    const segments = flow.data.mixes.segments[flow.data.causes[i]];
    const length = flow.data.begins[i + 1] - flow.data.begins[i];
    into.append(element('p', {className: 'doubt'}, `${ftwait.text.count(segments)} short ` +
      'segments, merged to keep this page small'),
    shares_table(flow, 'what they were', ftwait.lod.segment_shares(track, i), length));
  }

  // The ways on from a segment: [{ label, target, at }].
  function ways(flow, {task, index: i}) {
    const {data} = flow, {walk} = ftwait;
    const on = walk.waited_for(data, task, i).map(({label, target}) =>
      ({label, target, at: data.begins[i + 1]}));
    const add_wait = (label, direction) => {
      const index = walk.next_wait(data, task, i, direction);
      if (index >= 0)
        on.push({label, target: {kind: 'segment', task, index}, is_step: true});
    };
    add_wait('previous wait', -1);
    add_wait('next wait', 1);
    return on;
  }

  function way_name(flow, {label, target}) {
    const {data} = flow;
    const {clean, task_name} = ftwait.text;
    return `${label}: ${target.kind === 'object' ? clean(data.objects[target.row].label) :
      task_name(data, target.task, data.begins[target.index])}`;
  }

  function show_ways(flow, into, on) {
    const first = on.filter(way => !way.is_step), steps = on.filter(way => way.is_step);
    const button = (way, words, className) => element('button', {type: 'button', className,
      on: () => flow.go(way.target, way.at)}, words);
    const box = element('div', {className: 'ways'});
    if (first.length)
      box.append(element('p', {className: 'faint'}, 'Go to what it waited for'));
    first.forEach((way, k) => box.append(button(way, way_name(flow, way),
      k ? 'way' : 'way first')));
    box.append(element('div', {className: 'steps'},
      ...steps.map(way => button(way, way.label, 'step'))));
    into.append(box);
  }

  // Parts of the path that are merged are of no one task.
  const name_of = (flow, task, at) => task < 0 ? 'several parts' :
    ftwait.text.task_name(flow.data, task, at);

  function heading(flow, task, at, of_class, words) {
    return [element('h3', {}, name_of(flow, task, at)),
      element('p', {className: 'state'}, swatch(flow, of_class), words)];
  }

  function process_name(flow, task) {
    const {data} = flow, {tgid, tid, machine} = data.tasks[task];
    const leader = data.tasks.find(other => other.tid === tgid && other.machine === machine);
    return tgid === tid || !tgid ? null : leader ?
      ftwait.text.task_name(data, leader.index) : String(tgid);
  }

  function show_segment(flow, into, {task, index: i}) {
    const {data} = flow, {text, walk} = ftwait;
    const code = walk.code_of(data, i), begin = data.begins[i], end = data.begins[i + 1];
    const state = data.meta.states[code];
    const cause = walk.cause_of(data, i);
    const track = walk.track_of(data, task), process = process_name(flow, task);
    into.append(...heading(flow, task, begin, track.class_of[code],
      text.state_words(data, code)),
      fields([...times(begin, end),
        data.cpus[i] >= 0 && ['CPU', text.cpu_name(data, data.cpus[i])],
        cause && ['cause', text.clean(cause.words || state.label)],
        cause?.purpose && ['purpose', text.clean(cause.purpose)],
        cause && ['confidence', CONFIDENCE[cause.confidence]],
        cause && cause.waker >= 0 && ['woken by', task_link(flow, cause.waker, end)],
        cause && cause.originator >= 0 && ![cause.waker, task].includes(cause.originator) &&
          ['on behalf of', task_link(flow, cause.originator, end)],
        process && ['process', process],
        data.tasks[task].priority !== null &&
          ['priority', text.priority_words(data.tasks[task].priority)]]),
      ...doubts(data, data.states[i], cause, begin, end));
    if (code === MIXED)
      show_mix(flow, into, task, i);
    show_ways(flow, into, ways(flow, {task, index: i}));
    if (code === RUNNABLE)
      show_runnable(flow, into, i);
    show_stacks(flow, into, i);
  }

  function show_object(flow, into, {row: index, index: i}) {
    const {data} = flow, {text, classes} = ftwait, row = data.objects[index];
    const name = data.meta.object_names[row.names[i]] ?? '', task = row.tasks[i];
    into.append(element('h3', {}, text.clean(row.label)),
      element('p', {className: 'state'}, swatch(flow, classes.by_key.get('service')),
        text.clean(name || row.kind)),
      fields([...times(row.begins[i], row.ends[i]),
        ['in queue', text.duration(row.queues[i])], ['in service', text.duration(row.services[i])],
        row.bytes[i] > 0 && ['size', text.size(row.bytes[i])],
        task >= 0 && [row.kind === 'disk' ? 'asked by' : 'for', task_link(flow, task,
          row.begins[i] + 1)]]));
    if (row.left_out)
      into.append(element('p', {className: 'doubt'}, `${text.count(row.left_out)} of this row ` +
        `lie within ${ftwait.lanes.LANES_MOST} others and are not drawn`));
  }

  // What a part of merged ones was: in which states, and whose.
  function show_part_mix(flow, into, i) {
    const {path, path_track} = flow.data, length = path.begins[i + 1] - path.begins[i];
    const whose = ftwait.walk.tasks_of_part(flow.data, i);
    const table = element('table', {className: 'shares'},
      element('caption', {}, 'tasks'));
    for (const {task, time} of whose.slice(0, SHOWN))
      table.append(element('tr', {}, element('td', {}, task_link(flow, task, path.begins[i + 1])),
        ...figures(time, length)));
    const others = whose.slice(SHOWN).reduce((all, {time}) => all + time, 0);
    if (others > 0)
      table.append(element('tr', {}, element('td', {},
        `${ftwait.text.count(whose.length - SHOWN)} others`), ...figures(others, length)));
    into.append(element('p', {className: 'doubt'}, `${
      ftwait.text.count(path.mixes.segments[path.causes[i]])} short parts of the path, merged to ` +
      'keep this page small'),
    shares_table(flow, 'what they were', ftwait.lod.segment_shares(path_track, i), length), table);
  }

  function show_part(flow, into, {index: i}) {
    const {path} = flow.data, task = path.tasks[i], begin = path.begins[i];
    const cause = ftwait.walk.cause_of_part(flow.data, i), is_mixed = task < 0;
    const end = path.begins[i + 1];
    const index = is_mixed ? -1 : ftwait.walk.segment_at(flow.data, task, begin);
    into.append(...heading(flow, task, begin, flow.data.class_of[path.states[i]],
      ftwait.text.state_words(flow.data, path.states[i])),
      element('p', {className: 'faint'}, `part ${ftwait.text.count(i + 1)} of ` +
        `${ftwait.text.count(path.count)} of the critical path`),
      fields([...times(begin, end), cause && ['cause', ftwait.text.clean(cause.words)],
        cause && ['confidence', CONFIDENCE[cause.confidence]]]));
    if (ftwait.walk.is_order_unknown(flow.data, i))
      into.append(element('p', {className: 'doubt'}, 'order not known: the packet may have been ' +
        'sent before or after the events that the path shows next to this part'));
    if (is_mixed)
      show_part_mix(flow, into, i);
    const step = (label, to) => to >= 0 && to < path.count &&
      {label, target: {kind: 'path', index: to}, is_step: true};
    show_ways(flow, into, [step('previous part', i - 1), step('next part', i + 1)].filter(Boolean));
    if (index >= 0)
      into.querySelector('.ways').prepend(element('button', {type: 'button',
        className: 'way first', on: () => flow.go({kind: 'segment', task, index}, begin)},
      `see it in its row: ${ftwait.text.task_name(flow.data, task, begin)}`));
  }

  const shown_as = {segment: show_segment, object: show_object, path: show_part};

  // A selection in words: { name, state, begin, end }.
  function told(flow, target) {
    const {data} = flow, {text} = ftwait;
    const {begin, end} = flow.place_of(target);
    if (target.kind === 'object') {
      const row = data.objects[target.row], task = row.tasks[target.index];
      const name = text.clean(data.meta.object_names[row.names[target.index]] ?? '');
      return {name: text.clean(row.label), begin, end, state: `${name || row.kind}` +
        `${task < 0 ? '' : ` for ${text.task_name(data, task, begin)}`}`};
    }
    const is_path = target.kind === 'path';
    const task = is_path ? data.path.tasks[target.index] : target.task;
    const code = is_path ? data.path.states[target.index] :
      ftwait.walk.code_of(data, target.index);
    const cause = is_path ? ftwait.walk.cause_of_part(data, target.index) :
      ftwait.walk.cause_of(data, target.index);
    const state = text.state_words(data, code);
    return {name: `${is_path ? 'critical path: ' : ''}${name_of(flow, task, begin)}`,
      state: cause?.words ? `${state}: ${text.clean(cause.words)}` : state, begin, end};
  }

  // The same in one line, for those who hear it.
  function words_of(flow, target) {
    if (!target)
      return 'nothing selected';
    const {name, state, begin, end} = told(flow, target), {instant, duration} = ftwait.text;
    return `${name}: ${state}, from ${instant(begin)} to ${instant(end)} seconds, ` +
      duration(end - begin);
  }

  function say(flow, words) {
    flow.part('spoken').textContent = words;
  }

  function show_window(flow) {
    const {begin, end} = flow.view, {instant, duration} = ftwait.text;
    flow.part('window').textContent = `${instant(begin)} to ${instant(end)} s (${
      duration(end - begin)})`;
  }

  // Of the row that led here: what shows more of it than the page does.
  function show_behind(into, {command, section}) {
    into.append(element('p', {className: 'behind'}, 'behind it: ', element('code', {}, command)));
    if (section)
      into.append(element('p', {}, element('button', {type: 'button', className: 'link',
        on: () => ftwait.tables.section_go(section)}, `see ${ftwait.tables.name_of(section)}`)));
  }

  function show(flow) {
    const into = flow.part('panel'), {selected, range, view, data, behind} = flow;
    into.replaceChildren();
    if (behind)
      show_behind(into, behind);
    flow.part('back').disabled = !flow.trail.can_go_back();
    show_window(flow);
    if (range) {
      show_totals(flow, into, range.begin, range.end, 'Range');
      into.append(element('div', {className: 'steps'},
        element('button', {type: 'button', className: 'step',
          on: () => flow.set_window(range.begin, range.end)}, 'zoom to it'),
        element('button', {type: 'button', className: 'step',
          on: () => flow.select_range(0, 0)}, 'forget it')));
    }
    if (selected)
      shown_as[selected.kind](flow, into, selected);
    else if (!range)
      show_totals(flow, into, view.begin, view.end,
        view.end - view.begin >= data.end - data.begin ? 'All time' : 'In sight');
    if (selected)
      say(flow, words_of(flow, selected));
  }

  // To what the selected wait was for, or to the wait before.
  function follow(flow) {
    const [way] = flow.selected?.kind === 'segment' ? ways(flow, flow.selected) : [];
    if (way && way.label !== 'next wait')
      flow.go(way.target, way.at);
  }

  // --- under the pointer

  function tooltip_lines(flow, hit) {
    const {text} = ftwait, {row, track, target} = hit;
    const lines = [];
    if (hit.count > 3) {
      const shares = ftwait.lod.totals(track, hit.begin, hit.end), whole = sum(shares);
      lines.push(`${text.count(hit.count)} segments here: ` + [...shares.keys()]
        .filter(c => shares[c] > 0 && ftwait.classes.keys[c] !== 'absent')
        .sort((a, b) => shares[b] - shares[a]).slice(0, 4)
        .map(c => `${ftwait.classes.words[c]} ${text.percent(shares[c], whole)}`).join(', '));
    }
    if (target) {
      const {name, state, begin, end} = told(flow, target);
      lines.unshift(name, state, `${text.duration(end - begin)} from ${text.instant(begin)} s`);
    } else if (!lines.length && row.kind === 'group') {
      lines.push(row.open ? 'click to fold' : 'click to unfold');
    }
    return lines;
  }

  function tooltip(flow, hit, x = 0, y = 0) {
    const box = flow.part('tooltip');
    const lines = hit ? tooltip_lines(flow, hit) : [];
    box.hidden = !lines.length;
    if (box.hidden)
      return;
    box.replaceChildren(...lines.map((line, i) => element(i ? 'p' : 'b', {}, line)));
    const {offsetWidth: width, offsetHeight: height} = box;
    box.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - width - 8))}px`;
    box.style.top = `${y + 18 + height > innerHeight ? y - height - 10 : y + 18}px`;
  }

  // What the colours of this page's states mean; none that does not occur.
  function legend(flow) {
    const {classes} = ftwait, {data} = flow;
    const is_used = new Set(flow.used_classes);
    for (const key of ['absent', 'mixed'])
      is_used.delete(classes.by_key.get(key));
    if (data.objects.length)
      ['queue', 'service'].forEach(key => is_used.add(classes.by_key.get(key)));
    const list = flow.part('legend');
    list.replaceChildren(...classes.keys.map((_, c) => c).filter(c => is_used.has(c)).map(c =>
      element('li', {}, swatch(flow, c), classes.letters[c] ?
        element('b', {}, classes.letters[c]) : null, classes.words[c])));
  }

  ftwait.panel = {cuts, show, show_window, say, tooltip, follow, words_of, ways, element};
  ftwait.legend = legend;
}

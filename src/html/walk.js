/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From one segment to others: the next wait, what a wait was for, who had the CPU meanwhile, the
 * parts of the critical path on a task.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};
  const {CODE, UNKNOWN, ABSENT, MIXED, RUNNING} = ftwait.state;
  const LOOKED_AT_MOST = 10000;
  // By the key of a wait: the kind of the row in which what ended it may stand, and its name.
  const SERVED = {irq: ['irq', 'the interrupt'], softirq: ['softirq', 'the soft interrupt'],
    net: ['softirq', 'the soft interrupt'], work: ['work', 'the work item']};

  const code_of = (data, i) => data.states[i] & CODE;
  // Of a segment, and of a part of the critical path; undefined: none, or several.
  const cause_of = (data, i) =>
    code_of(data, i) === MIXED ? undefined : data.meta.causes[data.causes[i]];
  const cause_of_part = ({meta, path}, i) =>
    path.states[i] === MIXED ? undefined : meta.causes[path.causes[i]];
  const is_wait = (data, i) => code_of(data, i) > MIXED;

  function track_of(data, task) {
    data.tracks ??= [];
    return data.tracks[task] ??= ftwait.lod.task_track(data, task);
  }

  // The segment of a task at that time, -1 where it has none.
  const segment_at = (data, task, time) => ftwait.lod.find(track_of(data, task), time);

  // The next wait after segment i (direction 1) or the one before it (-1); -1: there is none.
  function next_wait(data, task, i, direction) {
    const {first, count} = data.tasks[task];
    for (i += direction; i >= first && i < first + count; i += direction)
      if (is_wait(data, i))
        return i;
    return -1;
  }

  // What a task did at last before that time.
  function segment_before(data, task, time) {
    const {first, count} = data.tasks[task];
    if (!count || time <= data.begins[first])
      return -1;
    let i = ftwait.lod.find_from(track_of(data, task), time, first);
    while (i > first && data.begins[i] >= time)
      i--;
    return i;
  }

  function by_end(row) {
    ftwait.lanes.prepare_row(row);
    row.by_end ??= Uint32Array.from(row.ends.keys()).sort((a, b) => row.ends[a] - row.ends[b]);
    return row.by_end;
  }

  // Of a row the object that ended within (begin, end], one of `tasks` first, the last one first.
  function ended_within(row, begin, end, tasks) {
    const order = by_end(row);
    let low = 0, high = order.length, best = -1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row.ends[order[middle]] <= end)
        low = middle + 1;
      else
        high = middle;
    }
    for (let at = low - 1; at >= 0 && low - at < LOOKED_AT_MOST; at--) {
      const object = order[at];
      if (row.ends[object] < begin)
        break;
      if (tasks.includes(row.tasks[object]))
        return {object, is_own: true};
      if (best < 0)
        best = object;
    }
    return best < 0 ? null : {object: best, is_own: false};
  }

  // Of rows of one kind the object that ended the wait.
  function ending_object(data, kind, begin, end, tasks) {
    let best = null;
    data.objects.forEach((row, index) => {
      if (row.kind !== kind || !row.count)
        return;
      const found = ended_within(row, begin, end, tasks);
      if (!found)
        return;
      const at = row.ends[found.object];
      if (!best || found.is_own > best.is_own || found.is_own === best.is_own && at > best.at)
        best = {row: index, object: found.object, is_own: found.is_own, at};
    });
    return best;
  }

  // Of rows of one kind the object that was being served at that time, if it is the only one.
  function serving_object(data, kind, at) {
    const found = [], service = ftwait.classes.by_key.get('service');
    data.objects.forEach((row, index) => {
      if (row.kind !== kind || !row.count)
        return;
      for (const track of ftwait.lanes.prepare_row(row).tracks) {
        const i = ftwait.lod.find(track, at);
        if (i >= 0 && track.codes[i] === service)
          found.push({row: index, object: track.objects[i]});
      }
    });
    return found.length === 1 ? found[0] : null;
  }

  // The object that ended a wait: { label, row, object } or null.
  function object_of_wait(data, task, i) {
    const {key} = data.meta.states[code_of(data, i)];
    const begin = data.begins[i], end = data.begins[i + 1];
    if (key === 'disk') {
      const originator = data.meta.causes[data.causes[i]]?.originator ?? task;
      const found = ending_object(data, 'disk', begin, end, [task, originator]);
      return found && {...found, label: 'the request'};
    }
    const [kind, label] = SERVED[key] ?? [];
    const found = kind && serving_object(data, kind, end);
    return found ? {...found, label} : null;
  }

  // Where to go from a wait: [{ label, target }], what it waited for first: a request, or a task;
  // an interrupt only brought the word.
  function waited_for(data, task, i) {
    const end = data.begins[i + 1], cause = data.meta.causes[data.causes[i]];
    const places = [];
    if (!is_wait(data, i))
      return places;
    const add_task = (label, other) => {
      const place = other < 0 || other === task ? -1 : segment_before(data, other, end);
      if (place >= 0)
        places.push({label, target: {kind: 'segment', task: other, index: place}});
    };
    const found = object_of_wait(data, task, i);
    const add_object = () => places.push({label: found.label,
      target: {kind: 'object', row: found.row, index: found.object}});
    const is_request = data.meta.states[code_of(data, i)].key === 'disk';
    if (found && is_request)
      add_object();
    if (cause) {
      add_task('who woke it', cause.waker);
      if (cause.originator !== cause.waker)
        add_task('on behalf of', cause.originator);
    }
    if (found && !is_request)
      add_object();
    return places;
  }

  // Who ran on that CPU meanwhile: [{ task, time }], the longest first.
  function had_cpu(data, cpu, begin, end) {
    const found = [];
    for (const {index, first, count} of data.tasks) {
      if (!count || data.begins[first] >= end || data.begins[first + count] <= begin)
        continue;
      let time = 0;
      let i = ftwait.lod.find_from(track_of(data, index), begin, first);
      for (; i < first + count && data.begins[i] < end; i++)
        if (code_of(data, i) === RUNNING && data.cpus[i] === cpu)
          time += Math.min(end, data.begins[i + 1]) - Math.max(begin, data.begins[i]);
      if (time > 0)
        found.push({task: index, time});
    }
    return found.sort((a, b) => b.time - a.time);
  }

  // Whether what part i of the critical path waited for was sent on another machine at a time that
  // is known less exactly than the part is long.
  function is_order_unknown(data, i) {
    const {begins} = data.path;
    return begins[i + 1] - begins[i] < (cause_of_part(data, i)?.clock_bound ?? 0);
  }

  // Of part i of the critical path what each task had of it: [{ task, time }], the most first.
  function tasks_of_part({path}, i) {
    if (path.states[i] !== MIXED)
      return [{task: path.tasks[i], time: path.begins[i + 1] - path.begins[i]}];
    const {first, tasks, lengths} = path.mixes, mix = path.causes[i], times = new Map();
    for (let k = first[mix]; k < first[mix + 1]; k++)
      times.set(tasks[k], (times.get(tasks[k]) ?? 0) + lengths[k]);
    return [...times].map(([task, time]) => ({task, time})).sort((a, b) => b.time - a.time);
  }

  // The parts of the critical path by task: a Map of arrays of part indexes, made once. One of
  // merged parts is each of its tasks'.
  function path_parts(data) {
    if (data.path_parts)
      return data.path_parts;
    const parts = new Map();
    const add = (task, i) => {
      if (!parts.has(task))
        parts.set(task, []);
      if (parts.get(task).at(-1) !== i)
        parts.get(task).push(i);
    };
    const {count = 0, states, tasks, causes, mixes} = data.path ?? {};
    for (let i = 0; i < count; i++) {
      if (states[i] !== MIXED)
        add(tasks[i], i);
      else
        for (let k = mixes.first[causes[i]]; k < mixes.first[causes[i] + 1]; k++)
          add(mixes.tasks[k], i);
    }
    for (const [task, list] of parts)
      parts.set(task, Int32Array.from(list));
    data.path_parts = parts;
    return parts;
  }

  // The first of a task's parts that ends after `time`.
  function part_after(data, parts, time, low = 0) {
    let high = parts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (data.path.begins[parts[middle] + 1] <= time)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  // The last of a task's parts, from the k-th on, between which there are no gaps longer than
  // `gap`; none that begins after `until` is looked at. There may be millions: leaps.
  function part_before_gap(data, parts, k, gap, until) {
    const {begins} = data.path;
    for (;;) {
      const near = Math.min(begins[parts[k] + 1] + gap, until);
      const next = last_part(begins, parts, near, k);
      if (next === k)
        return k;
      k = next;
    }
  }

  // The last of the parts, from the k-th on, that begins at `time` or before.
  function last_part(begins, parts, time, k) {
    let step = 1;
    for (; k + step < parts.length && begins[parts[k + step]] <= time; step *= 2)
      k += step;
    for (; step >= 1; step >>= 1)
      if (k + step < parts.length && begins[parts[k + step]] <= time)
        k += step;
    return k;
  }

  // The longest of the segments that lie in [begin, end) in part; -1: none.
  function longest_within(track, begin, end) {
    const {begins, first, count} = track;
    if (!count || begins[first] >= end || begins[first + count] <= begin)
      return -1;
    let i = ftwait.lod.find_from(track, Math.max(begin, begins[first]), first);
    let best = i;
    for (let k = i; k < first + count && begins[k] < end && k - i < LOOKED_AT_MOST; k++)
      if (begins[k + 1] - begins[k] > begins[best + 1] - begins[best])
        best = k;
    return best;
  }

  const is_known = code => code !== UNKNOWN && code !== ABSENT;

  // Whether segment i tells anything of its task; of merged ones one that does is enough.
  function is_telling(data, i) {
    const code = code_of(data, i), {first, states} = data.mixes, mix = data.causes[i];
    if (code !== MIXED || mix < 0)
      return is_known(code);
    return states.subarray(first[mix], first[mix + 1]).some(is_known);
  }

  // When a task is known to be there: begins and ends of such stretches in turns, made once.
  function presence(data, task) {
    data.presences ??= [];
    if (data.presences[task])
      return data.presences[task];
    const {first, count} = data.tasks[task], {begins} = data, found = [];
    for (let i = first; i < first + count; i++) {
      if (begins[i + 1] === begins[i] || !is_telling(data, i))
        continue;
      if (found.at(-1) === begins[i])
        found.pop();
      else
        found.push(begins[i]);
      found.push(begins[i + 1]);
    }
    return data.presences[task] = Float64Array.from(found);
  }

  // Whether a task is known to be there at any time within [begin, end): by halving.
  function is_there(data, task, begin, end) {
    const stretches = presence(data, task);
    let low = 0, high = stretches.length >> 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (stretches[2 * middle + 1] <= begin)
        low = middle + 1;
      else
        high = middle;
    }
    return 2 * low < stretches.length && stretches[2 * low] < end;
  }

  // From which task an arrow leads to the end of a wait: its waker, or, if that is on another
  // machine, the sender of what was waited for; -1: none.
  function woken_from(data, task, i) {
    const cause = data.meta.causes[data.causes[i]];
    const sender = data.tasks[cause?.originator];
    if (cause?.waker >= 0 || !sender)
      return cause?.waker ?? -1;
    return sender.machine !== data.tasks[task].machine ? sender.index : -1;
  }

  // The task with that tid, on that machine if it is given, that was there at that time, else any
  // with it; -1: none.
  function find_task(data, tid, at = null, machine = null) {
    const all = data.tasks.filter(task => task.tid === tid &&
      (machine === null || task.machine === machine));
    const is_there = ({first, count}) => count && at !== null && data.begins[first] <= at &&
      at < data.begins[first + count];
    return (all.find(is_there) ?? all.find(task => task.count) ?? all[0])?.index ?? -1;
  }

  // The task of which a wait, or a time without a CPU, begins at that very instant, one that was
  // asked for sooner; -1: none. Whose the longest wait of many was is not told but by its begin.
  function beginner(data, at) {
    let found = -1;
    for (const {index, flags} of data.tasks) {
      const i = flags & 1 || found < 0 ? segment_at(data, index, at) : -1;
      if (i < 0 || data.begins[i] !== at || [RUNNING, ABSENT, MIXED].includes(code_of(data, i)))
        continue;
      if (flags & 1)
        return index;
      found = index;
    }
    return found;
  }

  ftwait.walk = {beginner, code_of, cause_of, cause_of_part, is_order_unknown, is_wait, track_of,
    segment_at, next_wait, segment_before, waited_for, woken_from, ending_object, had_cpu,
    tasks_of_part, path_parts, part_after, part_before_gap, longest_within, presence, is_there,
    find_task};
}

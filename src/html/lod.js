/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exact level of detail. A track is a row of segments without gaps; the times that it spent in
 * each class before every 16th segment are summed once, so that the shares of any stretch of time
 * cost two looks into that table and at most 16 segments at either side of it: a column of pixels
 * shows what there was, not the last segment that fell on it.
 *
 * A track: { begins, codes, first, count, class_of: by code, mixes, mix_of }; segment i, from first
 * to first + count - 1, lasts from begins[i] to begins[i + 1]. A segment of merged ones counts by
 * its parts, as if they were spread evenly.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};
  const CLASSES = () => ftwait.classes.count;
  const BLOCK = 16;
  const FEW = 40; // segments that are added up sooner than looked up
  const {MIXED, CODE} = ftwait.state;

  const task_track = (data, task) => {
    const {first, count} = data.tasks[task];
    data.class_of ??= ftwait.classes.class_of_states(data.meta.states);
    return {begins: data.begins, codes: data.states, first, count, class_of: data.class_of,
      mixes: data.mixes, mix_of: data.causes, sums: null};
  };

  const path_track = data => {
    data.class_of ??= ftwait.classes.class_of_states(data.meta.states);
    return {begins: data.path.begins, codes: data.path.states, first: 0, count: data.path.count,
      class_of: data.class_of, mixes: data.path.mixes, mix_of: data.path.causes, sums: null};
  };

  const track_begin = track => track.begins[track.first];
  const track_end = track => track.begins[track.first + track.count];

  const is_mixed = (track, i) => !!track.mix_of && (track.codes[i] & CODE) === MIXED &&
    track.mix_of[i] >= 0 && track.mix_of[i] < track.mixes.count;

  // Adds `time` of segment i to the sums that begin at `at`.
  function add(track, i, time, sums, at) {
    const code = track.codes[i] & CODE;
    if (code !== MIXED || !is_mixed(track, i)) {
      sums[at + track.class_of[code]] += time;
      return;
    }
    const {first, states, lengths} = track.mixes, mix = track.mix_of[i];
    const length = track.begins[i + 1] - track.begins[i];
    let left = time;
    for (let part = first[mix]; part < first[mix + 1] && length > 0; part++) {
      const share = lengths[part] * (time / length);
      sums[at + track.class_of[states[part]]] += share;
      left -= share;
    }
    if (Math.abs(left) > Math.abs(time) * 1e-9) // what the parts do not tell of
      sums[at + track.class_of[MIXED]] += left;
  }

  // The sums before every 16th segment: built when first asked for.
  function table(track) {
    if (track.sums)
      return track.sums;
    const classes = CLASSES(), {begins, first, count} = track;
    const sums = new Float64Array((Math.floor(count / BLOCK) + 1) * classes);
    const running = new Float64Array(classes);
    for (let i = 0; i < count; i++) {
      if (i % BLOCK === 0)
        sums.set(running, i / BLOCK * classes);
      add(track, first + i, begins[first + i + 1] - begins[first + i], running, 0);
    }
    if (count % BLOCK === 0)
      sums.set(running, count / BLOCK * classes);
    track.sums = sums;
    return sums;
  }

  // The last segment from `low` on that begins at `time` or before; `low` where none does.
  function find_from(track, time, low) {
    const {begins} = track, last = track.first + track.count - 1;
    let step = 1; // it is mostly near
    while (low + step <= last && begins[low + step] <= time) {
      low += step;
      step *= 2;
    }
    let high = Math.min(last, low + step - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (begins[middle] <= time)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }

  // The segment of that time, -1 outside of the track.
  function find(track, time) {
    if (!track.count || time < track_begin(track) || time >= track_end(track))
      return -1;
    return find_from(track, time, track.first);
  }

  // Adds (or takes away: sign) the time in each class before `time`, in segment i.
  function before(track, i, time, sign, shares) {
    const sums = table(track), classes = shares.length;
    const block = Math.floor((i - track.first) / BLOCK);
    for (let c = 0; c < classes; c++)
      shares[c] += sign * sums[block * classes + c];
    for (let k = track.first + block * BLOCK; k < i; k++)
      add(track, k, sign * (track.begins[k + 1] - track.begins[k]), shares, 0);
    add(track, i, sign * (time - track.begins[i]), shares, 0);
  }

  // Adds to shares the time in each class from `begin` to `end`, which lie in segments i and j.
  function between(track, begin, end, i, j, shares) {
    if (j - i > FEW) {
      before(track, j, end, 1, shares);
      before(track, i, begin, -1, shares);
      return;
    }
    const {begins} = track;
    for (let k = i; k <= j; k++) {
      const from = begins[k] > begin ? begins[k] : begin;
      const to = begins[k + 1] < end ? begins[k + 1] : end;
      if (to > from)
        add(track, k, to - from, shares, 0);
    }
  }

  // Adds the time in each class within [begin, end).
  function totals(track, begin, end, shares = new Float64Array(CLASSES())) {
    if (!track.count)
      return shares;
    begin = Math.max(begin, track_begin(track));
    end = Math.min(end, track_end(track));
    if (end <= begin)
      return shares;
    const i = find_from(track, begin, track.first);
    between(track, begin, end, i, find_from(track, end, i), shares);
    return shares;
  }

  // How many segments lie within [begin, end), at least in part.
  function count_within(track, begin, end) {
    if (!track.count || end <= track_begin(track) || begin >= track_end(track))
      return 0;
    const i = find_from(track, Math.max(begin, track_begin(track)), track.first);
    return find_from(track, end, i) - i + 1;
  }

  // Adds what lies from `from` to `to`, of which the begin is in segment i; returns the segment
  // of the end. This is where the time of drawing goes: most columns have some segments, which
  // are added up as they are found, and no more than would be looked up sooner.
  function one_column(track, from, to, i, shares) {
    const {begins, codes, class_of} = track;
    const last = track.first + track.count - 1, most = Math.min(last, i + FEW);
    if (most < last && begins[most + 1] <= to) {
      const j = find_from(track, to, most);
      between(track, from, to, i, j, shares);
      return j;
    }
    for (let begin = from; ; i++) {
      const next = begins[i + 1], end = next < to ? next : to;
      const code = codes[i] & CODE;
      if (code === MIXED && track.mix_of)
        add(track, i, end - begin, shares, 0);
      else
        shares[class_of[code]] += end - begin;
      if (next > to || i === last)
        return i;
      begin = end;
    }
  }

  // Tells a painter what [begin, end) looks like in so many columns, from left to right:
  // span(x, to, segment) where a segment fills columns, column(x, shares, time) where several
  // share one; the shares lack what the track does not reach.
  function each_column(track, begin, end, width, painter) {
    if (!track.count || end <= track_begin(track) || begin >= track_end(track))
      return;
    const {begins} = track, per = (end - begin) / width, stop = track_end(track);
    const shares = new Float64Array(CLASSES());
    let x = Math.max(0, Math.floor((track_begin(track) - begin) / per));
    let i = find_from(track, Math.max(begin + x * per, track_begin(track)), track.first);
    while (x < width) {
      const from = begin + x * per, to = from + per;
      if (from >= stop)
        break;
      i = find_from(track, from, i);
      if (begins[i] <= from && begins[i + 1] >= to) {
        const until = Math.min(width, Math.floor((begins[i + 1] - begin) / per + 1e-9));
        const next = Math.max(x + 1, until);
        painter.span(x, next, i);
        x = next;
        continue;
      }
      shares.fill(0);
      i = one_column(track, Math.max(from, track_begin(track)), Math.min(to, stop), i, shares);
      painter.column(x++, shares, per);
    }
  }

  // The shares of one segment, for one that is merged of several.
  function segment_shares(track, i) {
    const shares = new Float64Array(CLASSES());
    add(track, i, track.begins[i + 1] - track.begins[i], shares, 0);
    return shares;
  }

  ftwait.lod = {task_track, path_track, table, find, find_from, totals, count_within, each_column,
    segment_shares, is_mixed, BLOCK};
}

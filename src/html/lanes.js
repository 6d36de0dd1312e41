/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of devices as lanes. Requests that overlap stand in lanes one below the other; each lane is
 * a track as those of tasks are, of time without a request, in queue and in service.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};

  const LANES_MOST = 8;

  // The lane of each object and how many lanes there are. Objects are in the order of their begin;
  // those for which there is no lane (-1) are the ones that lie within others in all lanes.
  function assign_lanes(begins, ends, most = LANES_MOST) {
    const lanes = new Int8Array(begins.length), free = [];
    let left_out = 0;
    for (let i = 0; i < begins.length; i++) {
      let lane = free.findIndex(end => end <= begins[i]);
      if (lane < 0 && free.length < most)
        lane = free.push(0) - 1;
      lanes[i] = lane;
      if (lane < 0)
        left_out++;
      else
        free[lane] = ends[i];
    }
    return {lanes, count: free.length, left_out};
  }

  // The track of one lane; track.objects: the object of each segment, or -1.
  function lane_track(row, lane) {
    const {by_key, count: classes} = ftwait.classes;
    const most = 3 * row.count + 1;
    const begins = new Float64Array(most + 1), codes = new Uint8Array(most);
    const objects = new Int32Array(most).fill(-1);
    let n = 0, at = null;
    const put = (end, key, object) => {
      if (end <= at)
        return;
      begins[n] = at;
      codes[n] = by_key.get(key);
      objects[n++] = object;
      at = end;
    };
    for (let i = 0; i < row.count; i++) {
      if (row.lanes[i] !== lane)
        continue;
      at ??= row.begins[i];
      put(row.begins[i], 'absent', -1);
      put(row.begins[i] + row.queues[i], 'queue', i);
      put(row.begins[i] + row.queues[i] + row.services[i], 'service', i);
    }
    begins[n] = at ?? 0;
    return {begins: begins.slice(0, n + 1), codes: codes.slice(0, n), first: 0, count: n,
      class_of: Uint8Array.from({length: 64}, (_, i) => Math.min(i, classes - 1)),
      mixes: null, mix_of: null, sums: null, objects: objects.slice(0, n)};
  }

  // Once for each row of a device: row.ends, row.lanes, row.tracks, row.left_out.
  function prepare_row(row) {
    if (row.tracks)
      return row;
    row.ends = row.begins.map((begin, i) => begin + row.queues[i] + row.services[i]);
    const {lanes, count, left_out} = assign_lanes(row.begins, row.ends);
    row.lanes = lanes;
    row.left_out = left_out;
    row.tracks = Array.from({length: count}, (_, lane) => lane_track(row, lane));
    return row;
  }

  ftwait.lanes = {assign_lanes, lane_track, prepare_row, LANES_MOST};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws the flow view: time axis, rows that are in sight, the critical path through them, lost
 * events, wake-ups where they are few enough to be read.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};
  const {CODE, RUNNABLE, ABSENT, MIXED} = ftwait.state;
  const AXIS = 24, GAP_STRIP = 13; // pixels
  const FONT = '12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
  const SMALL = '11px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
  const LETTER = 6.3; // of SMALL, about
  const DASH = 6; // pixels, half of it a gap
  const CROWD_WIDTH = 12, CROWD_MOST = 3; // pixels, arrows within them
  const ARROWS_MOST = 150, MANY_ARROWS = 40, SCANNED_MOST = 6000;

  const x_of = (view, time) => view.label + (time - view.begin) / (view.end - view.begin) *
    view.plot;
  // Room below the rows for the words of gaps.
  const below = data => data.meta.gaps.length ? GAP_STRIP + 2 : 6;
  const y_of = (flow, row) => AXIS + (row.kind === 'path' ? 0 : row.y - flow.view.scroll);
  const bar_top = (flow, row) => y_of(flow, row) + Math.floor((row.height - row.bar) / 2);

  function cut(text, width) {
    const most = Math.floor(width / LETTER);
    if (text.length <= most)
      return text;
    return most < 3 ? '' : `${text.slice(0, most - 1)}\u2026`;
  }

  // Instants of the axis: { first, step, digits }.
  function ticks(begin, end, width) {
    const least = (end - begin) / Math.max(1, width / 80);
    const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
    const step = power * ([1, 2, 5].find(part => power * part >= least) ?? 10);
    const digits = Math.max(0, Math.min(9, 9 - Math.floor(Math.log10(step) + 1e-9)));
    return {first: Math.ceil(begin / step) * step, step, digits};
  }

  function draw_axis(flow, context) {
    const {view, palette} = flow;
    const {first, step, digits} = ticks(view.begin, view.end, view.plot);
    context.fillStyle = palette.paper;
    context.fillRect(0, 0, view.width, AXIS);
    context.font = SMALL;
    context.textBaseline = 'middle';
    context.fillStyle = palette.faint;
    context.textAlign = 'left';
    context.fillText('seconds', 8, AXIS / 2);
    for (let time = first; time <= view.end; time += step) {
      const x = Math.round(x_of(view, time)) + 0.5;
      context.fillStyle = palette.line;
      context.fillRect(x - 0.5, AXIS - 6, 1, 6);
      context.fillStyle = palette.faint;
      const text = ftwait.text.instant(time, digits);
      context.textAlign = 'left';
      if (x + text.length * LETTER < view.width)
        context.fillText(text, x + 3, AXIS / 2);
    }
    context.fillStyle = palette.line;
    context.fillRect(0, AXIS - 1, view.width, 1);
    context.fillRect(view.label - 1, 0, 1, AXIS);
  }

  function draw_grid(flow, context) {
    const {view, palette} = flow;
    const {first, step} = ticks(view.begin, view.end, view.plot);
    context.fillStyle = palette.line;
    for (let time = first; time <= view.end; time += step)
      context.fillRect(Math.round(x_of(view, time)), AXIS, 1, view.height - AXIS);
  }

  // What is written into a segment that has room for it.
  function segment_text(flow, row, i) {
    const {data} = flow, {text} = ftwait;
    if (row.kind === 'object') {
      const object = row.track.objects[i], of_row = data.objects[row.object];
      if (object < 0 || row.bar < 10)
        return '';
      const task = of_row.tasks[object];
      return text.clean(`${data.meta.object_names[of_row.names[object]] ?? ''} ` +
        `${task < 0 ? '' : text.name_at(data, task, of_row.begins[object])}`);
    }
    if (row.kind === 'path')
      return text.whole_name(data, data.path.tasks[i], data.path.begins[i]);
    const code = data.states[i] & CODE;
    const words = ftwait.walk.cause_of(data, i)?.words;
    if (code <= RUNNABLE)
      return words ? text.clean(words) :
        data.cpus[i] >= 0 ? `CPU ${text.cpu_name(data, data.cpus[i])}` : '';
    if (code <= MIXED)
      return code === ABSENT ? '' : data.meta.states[code].label;
    return text.clean(words || data.meta.states[code].label);
  }

  function draw_labels(flow, context) {
    const {palette, view} = flow, {letters} = ftwait.classes;
    context.font = SMALL;
    context.textBaseline = 'middle';
    for (const [row, from, to, i, of_class] of flow.painter.labels) {
      const x = view.label + from / view.scale, width = (to - from) / view.scale;
      const y = bar_top(flow, row) + row.bar / 2 + 0.5;
      if (row.kind !== 'path' && y < AXIS + flow.layout.pinned || row.bar < 10)
        continue;
      let text = cut(segment_text(flow, row, i), width - 7);
      if (text === '' || text.length < 4 && letters[of_class])
        text = letters[of_class];
      if (text === '')
        continue;
      context.fillStyle = palette.inks[of_class];
      context.textAlign = 'left';
      if (ftwait.classes.is_busy[of_class])
        draw_plate(context, palette.colors[of_class], x + 3, y, text.length * LETTER);
      if (text.length === 1)
        context.fillText(text, x + Math.min(width / 2 - 3.5, 4), y);
      else
        context.fillText(text, x + 4, y);
    }
  }

  // Text on a pattern stands on a plate.
  function draw_plate(context, color, x, y, width) {
    const {fillStyle} = context;
    context.fillStyle = color;
    context.fillRect(x, y - 6, width + 2, 12);
    context.fillStyle = fillStyle;
  }

  // Where merged parts are wide enough to be seen, of which there are few then.
  const are_parts_wide = ({data}, per) => data.meta.merged_path?.shorter_ns > DASH * per;

  // The path is there somewhere, but not all the time.
  function draw_dashes(context, x, to, y) {
    for (; x < to; x += DASH)
      context.fillRect(x, y, Math.min(DASH / 2, to - x), 3);
  }

  // Lines below the bars where the critical path is on that task.
  function draw_path(flow, context, rows) {
    const {data, view, palette} = flow;
    const parts_of = ftwait.walk.path_parts(data), per = (view.end - view.begin) / view.plot;
    const are_wide = are_parts_wide(flow, per);
    context.fillStyle = palette.path;
    for (const row of rows) {
      const parts = row.kind === 'task' ? parts_of.get(row.task) : undefined;
      if (!parts)
        continue;
      const y = bar_top(flow, row) + row.bar;
      let k = ftwait.walk.part_after(data, parts, view.begin);
      while (k < parts.length && data.path.begins[parts[k]] < view.end) {
        const begin = Math.max(view.begin, data.path.begins[parts[k]]);
        if (!are_wide)
          k = ftwait.walk.part_before_gap(data, parts, k, per, view.end);
        const part = parts[k++], end = Math.min(data.path.begins[part + 1], view.end);
        const x = x_of(view, begin), to = Math.max(x + 1, x_of(view, end));
        if (are_wide && data.path.states[part] === MIXED)
          draw_dashes(context, x, to, y);
        else
          context.fillRect(x, y, to - x, 3);
      }
    }
  }

  // The gaps in sight in the order in which they are drawn, but for those that would lie within
  // what others have covered. Where losses are known of no nearer than "somewhere in this time",
  // they lie below, or the others could not be seen.
  function gaps_in_sight(data, view) {
    const is_long = gap => gap.end - gap.begin > (data.end - data.begin) / 2;
    const found = [];
    for (const wanted of [true, false]) {
      let drawn = -1;
      for (const gap of data.meta.gaps) {
        if (gap.end < view.begin || gap.begin > view.end || is_long(gap) !== wanted)
          continue;
        const x = Math.max(view.label, x_of(view, gap.begin));
        const to = Math.max(x + 2, Math.min(view.width, x_of(view, gap.end)));
        if (to > drawn)
          found.push({gap, x, to, is_long: wanted});
        drawn = Math.max(drawn, to);
      }
    }
    return found;
  }

  const gap_words = (data, {lost, cpu}) =>
    `${lost ? `${ftwait.text.count(lost)} ` : ''}events lost` +
    `${cpu < 0 ? '' : `, CPU ${ftwait.text.cpu_name(data, cpu)}`}`;

  function draw_gaps(flow, context) {
    const {data, view, palette} = flow;
    if (!data.meta.gaps.length)
      return;
    context.fillStyle = palette.paper;
    context.fillRect(0, view.height - GAP_STRIP, view.width, GAP_STRIP);
    context.font = SMALL;
    context.textBaseline = 'middle';
    for (const {gap, x, to, is_long} of gaps_in_sight(data, view)) {
      context.fillStyle = palette.paper;
      context.fillRect(x, view.height - GAP_STRIP, to - x, GAP_STRIP);
      context.fillStyle = flow.gap_pattern;
      context.globalAlpha = gap.cpu < 0 ? 0.5 : 0.13; // where one CPU is known there is much to see
      context.fillRect(x, AXIS, to - x, view.height - AXIS);
      context.globalAlpha = 1;
      context.fillRect(x, view.height - GAP_STRIP, to - x, GAP_STRIP);
      const text = cut(gap_words(data, gap), to - x - 8) || (to - x > 30 ? 'lost' : '');
      if (text) {
        const y = view.height - GAP_STRIP / 2, width = text.length * LETTER;
        const left = is_long ? to - width - 8 : x + 3; // where short ones seldom lie
        draw_plate(context, palette.paper, left, y, width);
        context.fillStyle = palette.gap;
        context.fillText(text, left + 1, y + 0.5);
      }
    }
  }

  // Where a line of one pixel shows when the trigger fired; null: nowhere in sight.
  function trigger_x(data, view) {
    const at = data.meta.trigger?.at;
    return at >= view.begin && at <= view.end ?
      Math.min(Math.round(x_of(view, at)), view.width - 1) : null;
  }

  function draw_trigger(flow, context) {
    const {data, view, palette, layout} = flow, x = trigger_x(data, view);
    if (x === null)
      return;
    const words = 'trigger', width = words.length * LETTER, y = AXIS + layout.pinned + 8;
    const left = x + width + 8 < view.width ? x + 3 : x - width - 6;
    context.fillStyle = palette.trigger;
    context.fillRect(x, AXIS, 1, view.height - AXIS);
    context.beginPath();
    context.moveTo(x - 4.5, AXIS);
    context.lineTo(x + 5.5, AXIS);
    context.lineTo(x + 0.5, AXIS + 6);
    context.fill();
    context.font = SMALL;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    draw_plate(context, palette.paper, left, y, width);
    context.fillText(words, left + 1, y);
  }

  // The wake-ups between rows in sight: [{ time, from: row, to: row }], null if too many.
  function wakeups(flow, rows) {
    const {data, view} = flow;
    const in_sight = new Map(rows.filter(row => row.kind === 'task').map(row => [row.task, row]));
    const found = [];
    let scanned = 0;
    for (const [task, row] of in_sight) {
      const track = ftwait.walk.track_of(data, task);
      scanned += ftwait.lod.count_within(track, view.begin, view.end);
      if (scanned > SCANNED_MOST)
        return null;
      if (!track.count)
        continue;
      let i = ftwait.lod.find_from(track, view.begin, track.first);
      for (; i < track.first + track.count && data.begins[i + 1] <= view.end; i++) {
        const from = ftwait.walk.is_wait(data, i) &&
          in_sight.get(ftwait.walk.woken_from(data, task, i));
        if (from && from !== row && data.begins[i + 1] > view.begin)
          found.push({time: data.begins[i + 1], from, to: row});
        if (found.length > ARROWS_MOST)
          return null;
      }
    }
    return found;
  }

  // Those that do not stand so close that all are but a block.
  function readable(arrows, view) {
    const place = ({time}) => Math.floor(x_of(view, time) / CROWD_WIDTH);
    const counts = new Map();
    for (const arrow of arrows)
      counts.set(place(arrow), (counts.get(place(arrow)) ?? 0) + 1);
    return arrows.filter(arrow => counts.get(place(arrow)) <= CROWD_MOST);
  }

  function draw_arrow(flow, context, {time, from, to}, color) {
    const x = Math.round(x_of(flow.view, time)) + 0.5, down = from.y < to.y;
    const begin = bar_top(flow, from) + (down ? from.bar : 0);
    const end = bar_top(flow, to) + (down ? -1 : to.bar + 1);
    const back = down ? -4 : 4;
    context.strokeStyle = context.fillStyle = color;
    context.beginPath();
    context.moveTo(x, begin);
    context.lineTo(x, end + back);
    context.stroke();
    context.beginPath();
    context.moveTo(x, end);
    context.lineTo(x - 3, end + back * 1.3);
    context.lineTo(x + 3, end + back * 1.3);
    context.fill();
  }

  function row_label(row) {
    return row.kind === 'group' ? `${row.open ? '\u25be' : '\u25b8'} ${row.label}` : row.label;
  }

  function draw_row_label(flow, context, row) {
    const {view, palette} = flow, y = y_of(flow, row);
    const is_chosen = flow.chosen_row === row.key;
    context.fillStyle = is_chosen ? palette.chosen : row.kind === 'group' ? palette.group :
      palette.paper;
    if (row.label || is_chosen) // the name of a row with lanes reaches over them
      context.fillRect(0, y, row.kind === 'group' ? view.width : view.label - 1, row.height);
    if (is_chosen) {
      context.fillStyle = palette.path;
      context.fillRect(0, y, 3, row.height);
    }
    if (!row.label)
      return;
    context.fillStyle = row.kind === 'group' && !row.is_band ? palette.faint : palette.ink;
    context.font = row.kind === 'path' || row.is_band ? `600 ${FONT}` : FONT;
    const x = 8 + 12 * row.indent;
    const room = (row.kind === 'group' ? view.width : view.label) - x - 6;
    context.fillText(flow.fit_text(context, row_label(row), room), x,
      y + Math.max(9, row.height / 2) + 0.5);
  }

  function draw_bar(flow, context, row) {
    const {view, painter, palette} = flow;
    const track = row.track ?? (row.kind === 'task' ? ftwait.walk.track_of(flow.data, row.task) :
      null);
    if (!track)
      return;
    if (flow.chosen_row === row.key) {
      context.fillStyle = palette.chosen;
      context.fillRect(view.label, y_of(flow, row), view.plot, row.height);
    }
    const height = Math.max(1, Math.round(row.bar * view.scale));
    const image = painter.row(row, track, view.begin, view.end, height);
    context.putImageData(image, Math.round(view.label * view.scale),
      Math.round(bar_top(flow, row) * view.scale));
  }

  function rows_in_sight(flow) {
    const {layout, view} = flow, rows = [];
    const top = view.scroll + layout.pinned, bottom = view.scroll + view.height - AXIS;
    for (let i = ftwait.rows.row_at(layout.rows, top); i < layout.rows.length; i++) {
      if (layout.rows[i].y >= bottom)
        break;
      if (layout.rows[i].kind !== 'path')
        rows.push(layout.rows[i]);
    }
    return rows;
  }

  function draw(flow) {
    const {context, view, palette, layout, painter} = flow;
    const rows = rows_in_sight(flow);
    painter.labels.length = 0;
    context.setTransform(view.scale, 0, 0, view.scale, 0, 0);
    context.fillStyle = palette.paper;
    context.fillRect(0, 0, view.width, view.height);
    draw_grid(flow, context);
    for (const row of rows)
      draw_bar(flow, context, row);
    draw_labels(flow, context);
    painter.labels.length = 0;
    draw_path(flow, context, rows);
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.fillStyle = palette.paper;
    context.fillRect(0, AXIS, view.label, view.height - AXIS);
    context.fillStyle = palette.line;
    context.fillRect(view.label - 1, AXIS, 1, view.height);
    for (const row of rows)
      draw_row_label(flow, context, row);
    flow.arrows = readable(wakeups(flow, rows) ?? [], view);
    context.globalAlpha = flow.arrows.length > MANY_ARROWS ? 0.6 : 1;
    for (const arrow of flow.arrows)
      draw_arrow(flow, context, arrow, palette.arrow);
    context.globalAlpha = 1;
    if (layout.pinned)
      draw_pinned(flow, context, layout.rows[0]);
    draw_gaps(flow, context);
    draw_trigger(flow, context);
    draw_axis(flow, context);
  }

  function draw_pinned(flow, context, row) {
    const {view, palette} = flow;
    context.fillStyle = palette.paper;
    context.fillRect(0, AXIS, view.width, row.height);
    draw_bar(flow, context, row);
    draw_labels(flow, context);
    context.textAlign = 'left';
    draw_row_label(flow, context, row);
    const {begins, count} = row.track;
    const x = Math.max(view.label, x_of(view, begins[0]));
    context.fillStyle = palette.path;
    context.fillRect(x, bar_top(flow, row) + row.bar,
      Math.max(0, Math.min(view.width, x_of(view, begins[count])) - x), 2);
  }

  function outline(flow, context, row, begin, end) {
    const {view, palette} = flow;
    const x = Math.max(view.label, x_of(view, begin)), to = Math.min(view.width, x_of(view, end));
    if (to < view.label || x > view.width)
      return;
    const y = bar_top(flow, row);
    if (row.kind !== 'path' && y < AXIS + flow.layout.pinned - 2)
      return;
    context.strokeStyle = palette.strong;
    context.lineWidth = 2;
    context.strokeRect(x, y - 1, Math.max(2, to - x), row.bar + 2);
    context.lineWidth = 1;
  }

  function draw_range(flow, context) {
    const {view, palette, range} = flow;
    const x = Math.max(view.label, x_of(view, range.begin));
    const to = Math.min(view.width, x_of(view, range.end));
    if (to <= x)
      return;
    context.fillStyle = palette.range;
    context.fillRect(x, 0, to - x, view.height);
    context.fillStyle = palette.ink;
    context.fillRect(x, 0, 1, view.height);
    context.fillRect(to - 1, 0, 1, view.height);
    context.font = SMALL;
    const words = ftwait.text.duration(range.end - range.begin);
    draw_plate(context, palette.paper, x + 3, AXIS / 2, words.length * LETTER);
    context.fillText(words, x + 5, AXIS / 2);
  }

  // What changes often and costs little: pointer, selection, range.
  function draw_overlay(flow) {
    const {over: context, view, palette, pointer} = flow;
    context.setTransform(view.scale, 0, 0, view.scale, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    if (flow.range)
      draw_range(flow, context);
    const place = flow.place_of(flow.selected);
    if (place?.row)
      outline(flow, context, place.row, place.begin, place.end);
    const wakeup = place?.row && flow.wakeup_of(flow.selected);
    if (wakeup && wakeup.time >= view.begin && wakeup.time <= view.end)
      draw_arrow(flow, context, wakeup, palette.strong);
    if (pointer && pointer.x > view.label) {
      context.fillStyle = palette.hover;
      context.fillRect(Math.round(pointer.x), AXIS, 1, view.height);
      context.font = SMALL;
      const digits = ticks(view.begin, view.end, view.plot).digits;
      const words = ftwait.text.instant(flow.time_at(pointer.x), Math.min(9, digits + 2));
      const width = words.length * LETTER;
      const x = Math.min(pointer.x + 3, view.width - width - 4);
      context.fillStyle = palette.ink;
      draw_plate(context, palette.paper, x, AXIS / 2, width);
      context.fillText(words, x + 1, AXIS / 2);
    }
  }

  // A sample of a class, for legends.
  function swatch(canvas, of_class, palette, scale) {
    const {TILE} = ftwait.classes, size = Math.round(14 * scale);
    canvas.width = canvas.height = size;
    canvas.className = 'swatch';
    const context = canvas.getContext('2d');
    const image = context.createImageData(size, size);
    const pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < pixels.length; i++)
      pixels[i] = palette.tiles[of_class][(Math.floor(i / size) % TILE) * TILE + i % size % TILE];
    context.putImageData(image, 0, 0);
    return canvas;
  }

  function gap_pattern(context, make_canvas, color) {
    const canvas = make_canvas();
    canvas.width = canvas.height = 8;
    const of_canvas = canvas.getContext('2d');
    of_canvas.strokeStyle = color;
    of_canvas.lineWidth = 2;
    for (const x of [-8, 0, 8]) {
      of_canvas.beginPath();
      of_canvas.moveTo(x, 8);
      of_canvas.lineTo(x + 8, 0);
      of_canvas.stroke();
    }
    return context.createPattern(canvas, 'repeat');
  }

  Object.assign(ftwait, {draw, draw_overlay});
  ftwait.drawing = {AXIS, below, FONT, ticks, x_of, swatch, gap_pattern, gaps_in_sight, gap_words,
    trigger_x, wakeups, rows_in_sight};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flow view: which window of time and which rows are in sight, what is selected, and the ways
 * from one to the other. Draws upon change only.
 *
 * A selection: { kind: 'segment', task, index }, { kind: 'object', row, index } or
 * { kind: 'path', index }.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};
  const SPAN_LEAST = 50; // ns
  const LABEL = {least: 110, most: 230};
  const HEIGHT_LEAST = 160, HEIGHT_SHARE = 0.68; // of the window
  const SETTLED = 150; // ms

  class Flow {
    constructor(data, root) {
      this.data = data;
      this.root = root;
      this.part = name => root.querySelector(`#flow-${name}`);
      this.plot = this.part('plot');
      this.canvas = this.part('canvas');
      this.overlay = this.part('overlay');
      this.context = this.canvas.getContext('2d', {alpha: false, willReadFrequently: true});
      this.over = this.overlay.getContext('2d');
      this.toggled = new Set();
      this.layout = ftwait.rows.layout(data, this.toggled);
      // the rows begin `scroll` pixels above the plot, or below its top where that is negative
      this.view = {begin: data.begin, end: data.end, scroll: 0, scale: 1, width: 0, height: 0,
        label: LABEL.least, plot: 1};
      this.selected = this.range = this.pointer = this.held = this.chosen_row = null;
      this.behind = null; // of the row that led here: {command, section}, section may be null
      this.shows_all = false; // rows with nothing in view, too
      this.trail = new ftwait.Trail(this);
      this.listeners = new Set();
      this.texts = new Map();
      this.used_classes = ftwait.classes.used(data);
      this.dark = matchMedia('(prefers-color-scheme: dark)');
    }

    // --- size and drawing

    resize() {
      const {view, layout} = this, AXIS = ftwait.drawing.AXIS;
      // as for all rows: what is below does not move when some are hidden
      const wanted = AXIS + layout.full_height + ftwait.drawing.below(this.data);
      const most = Math.max(HEIGHT_LEAST, Math.floor(innerHeight * HEIGHT_SHARE));
      const height = Math.min(Math.max(wanted, HEIGHT_LEAST), most);
      this.plot.style.height = `${height}px`;
      const width = Math.max(200, this.part('space').clientWidth);
      const scale = Math.min(3, globalThis.devicePixelRatio || 1);
      if (width !== view.width || height !== view.height || scale !== view.scale)
        for (const canvas of [this.canvas, this.overlay]) {
          canvas.width = Math.round(width * scale);
          canvas.height = Math.round(height * scale);
          canvas.style.width = `${width}px`;
          canvas.style.height = `${height}px`;
        }
      this.part('sticky').style.height = `${height}px`;
      Object.assign(view, {width, height, scale});
      view.label = Math.round(Math.min(this.label_width(), width * 0.35));
      view.plot = width - view.label;
      this.scroll_to(view.scroll, layout.hidden > 0);
      this.restyle();
    }

    label_width() {
      this.context.font = ftwait.drawing.FONT;
      const size = row => row.label.length + 2 * row.indent;
      let longest = null; // by letters, as measuring all of them takes time
      for (const row of this.layout.all)
        if (row.kind !== 'group' && (!longest || size(row) > size(longest)))
          longest = row;
      const width = longest ? 24 + 12 * longest.indent +
        this.context.measureText(longest.label).width : 0;
      return Math.min(Math.max(width, LABEL.least), LABEL.most);
    }

    // Colours: of the scheme that is preferred now.
    restyle() {
      const {view} = this;
      this.palette = ftwait.classes.palette(this.dark.matches, view.scale);
      this.painter = new ftwait.Painter(this.palette, view.scale,
        Math.max(1, Math.round(view.plot * view.scale)),
        (width, height) => this.context.createImageData(width, height));
      this.gap_pattern = ftwait.drawing.gap_pattern(this.context,
        () => document.createElement('canvas'), this.palette.gap);
      this.texts.clear();
      ftwait.legend(this);
      this.redraw();
    }

    redraw() {
      if (this.frame)
        return;
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.draw_now();
      });
    }

    draw_now() {
      ftwait.draw(this);
      ftwait.draw_overlay(this);
      this.on_drawn?.();
      this.on_drawn = null;
    }

    redraw_overlay() {
      if (this.frame || this.overlay_frame)
        return;
      this.overlay_frame = requestAnimationFrame(() => {
        this.overlay_frame = 0;
        ftwait.draw_overlay(this);
      });
    }

    // The text as far as there is room, kept as measuring takes time.
    fit_text(context, text, room) {
      const key = `${context.font}|${Math.floor(room)}|${text}`;
      let fitting = this.texts.get(key);
      if (fitting !== undefined)
        return fitting;
      const [tail] = /\[\d+\]$/.exec(text) ?? ['']; // the tid is always seen
      fitting = text;
      for (let most = text.length - tail.length;
        most > 1 && context.measureText(fitting).width > room;) {
        most = Math.floor(most * 0.93);
        fitting = `${text.slice(0, most)}\u2026${tail}`;
      }
      if (this.texts.size > 5000)
        this.texts.clear();
      this.texts.set(key, fitting);
      return fitting;
    }

    // --- time

    time_at(x) {
      const {view} = this;
      return view.begin + (x - view.label) / view.plot * (view.end - view.begin);
    }

    set_window(begin, end) {
      const {data, view} = this;
      const whole = data.end - data.begin;
      const span = Math.min(whole, Math.max(end - begin, Math.min(SPAN_LEAST, whole)));
      if (span > end - begin)
        begin = (begin + end - span) / 2;
      begin = Math.min(Math.max(begin, data.begin), data.end - span);
      view.begin = begin;
      view.end = begin + span;
      this.sift();
      this.settle();
      this.redraw();
    }

    zoom(factor, x = this.view.label + this.view.plot / 2) {
      const {view} = this, at = this.time_at(Math.max(x, view.label));
      this.set_window(at - (at - view.begin) * factor, at + (view.end - at) * factor);
    }

    pan(share) {
      const {view} = this, by = (view.end - view.begin) * share;
      this.set_window(view.begin + by, view.end + by);
    }

    fit() {
      this.set_window(this.data.begin, this.data.end);
    }

    // When nothing has moved for a while, the link and the totals follow.
    settle() {
      clearTimeout(this.settling);
      this.settling = setTimeout(() => {
        if (!this.trail.is_following) // else the address is another place's yet
          this.write_place();
        ftwait.panel.show_window(this);
        if (!this.selected)
          ftwait.panel.show(this);
      }, SETTLED);
    }

    write_place() {
      const {view, data} = this;
      const {tid: task, machine} = this.selected?.kind === 'segment' ?
        data.tasks[this.selected.task] : {tid: null, machine: -1};
      const is_all = view.begin <= data.begin && view.end >= data.end && task === null;
      const place = is_all ? '' :
        ftwait.text.format_place({begin: view.begin, end: view.end, task, machine});
      this.written = place;
      if (location.hash === place)
        return;
      try {
        history.replaceState(history.state, '', location.href.split('#')[0] + place);
      } catch { /* a file may not be allowed to: the link is lost, nothing else */ }
    }

    // `is_known`: what has been written last, too.
    read_place(hash, is_known = false) {
      if (hash === this.written && !is_known || !hash)
        return;
      const {begin, end, task, machine} = ftwait.text.parse_place(hash);
      const middle = begin === null ? null : (begin + end) / 2;
      if (begin !== null)
        this.set_window(begin, end);
      if (task !== null) {
        const index = ftwait.walk.find_task(this.data, task, middle, machine);
        if (index >= 0)
          this.show({task: index, at: begin === null ? null : middle, begin, end});
      }
    }

    // --- rows

    toggle(key) {
      const {view} = this, before = this.layout.of_key.get(key);
      this.toggled[this.toggled.has(key) ? 'delete' : 'add'](key);
      this.layout = ftwait.rows.layout(this.data, this.toggled);
      ftwait.rows.sift(this.layout, this.is_kept());
      const row = this.layout.of_key.get(key), moved = row.y - before.y;
      view.scroll += before.is_hidden || row.is_hidden ? 0 : moved;
      this.resize();
      this.tell_hidden();
      this.settle();
    }

    // Tells of a task whether its row stays: that of the path's owner, the one that is chosen, and
    // those with anything in sight.
    is_kept() {
      const {data, view} = this, {is_there} = ftwait.walk;
      if (this.shows_all || view.begin <= data.begin && view.end >= data.end)
        return () => true;
      const always = [data.meta.path?.task, this.layout.of_key.get(this.chosen_row)?.task];
      return task => always.includes(task) || is_there(data, task, view.begin, view.end);
    }

    // Hides rows with nothing in view and shows those that have something again. What is
    // chosen stays where it is on the screen, else what is pointed at, else the first row.
    sift() {
      const {layout, view} = this, anchor = this.anchor();
      const offset = anchor && anchor.y - view.scroll;
      if (!ftwait.rows.sift(layout, this.is_kept()))
        return;
      const at = layout.all.indexOf(anchor);
      const row = layout.all.find((other, i) => i >= at && !other.is_hidden) ?? layout.rows.at(-1);
      this.scroll_to(anchor && row ? row.y - offset : view.scroll, layout.hidden > 0);
      this.tell_hidden();
      this.redraw();
    }

    // The row that is to stay where it is.
    anchor() {
      const {layout, view} = this, chosen = layout.of_key.get(this.chosen_row);
      const top = layout.pinned + view.scroll, bottom = top + this.room() - layout.pinned;
      if (chosen && !chosen.is_hidden && chosen.kind !== 'path' && chosen.y + chosen.height > top &&
          chosen.y < bottom)
        return chosen;
      const pointed = this.held ?? this.pointer;
      const row = pointed && this.row_at(pointed.y);
      return row && row.kind !== 'path' ? row : layout.rows[ftwait.rows.row_at(layout.rows, top)];
    }

    // The height of what rows can be seen in.
    room() {
      return this.view.height - ftwait.drawing.AXIS - ftwait.drawing.below(this.data);
    }

    // `is_free`: further than there are rows, for one of them to stay in its place.
    scroll_to(scroll, is_free = false) {
      const {view, layout, plot} = this, most = Math.max(0, layout.height - this.room());
      view.scroll = is_free ? scroll : Math.min(Math.max(scroll, 0), most);
      view.lead = Math.max(0, -view.scroll); // nothing stands there
      this.part('space').style.height =
        `${view.height + Math.max(most, view.scroll) + view.lead}px`;
      plot.scrollTop = view.scroll + view.lead;
    }

    scrolled() {
      this.view.scroll = this.plot.scrollTop - this.view.lead;
      this.redraw();
    }

    toggle_hidden() {
      this.shows_all = !this.shows_all;
      this.sift();
      this.tell_hidden();
      const [words] = this.part('hidden').textContent.split(':');
      ftwait.panel.say(this, words || 'no row is hidden');
    }

    // How many rows are hidden, or would be.
    tell_hidden() {
      const button = this.part('hidden');
      const {shows_all, layout} = this;
      button.hidden = !shows_all && !layout.hidden;
      const count = ftwait.text.count(layout.hidden), is_one = layout.hidden === 1;
      const hidden = is_one ? '1 row with nothing in view is hidden: show it' :
        `${count} rows with nothing in view are hidden: show them`;
      button.textContent = button.hidden ? '' :
        shows_all ? 'Rows with nothing in view are shown: hide them' : hidden;
    }

    choose(key) {
      this.chosen_row = key;
      this.sift();
    }

    // The row of a task, out of a closed group if need be.
    open_row(task) {
      for (const key of this.layout.of_task.has(task) ? [] :
        ftwait.rows.hidden_in(this.data, this.toggled, task))
        this.toggle(key);
      return this.layout.of_task.get(task);
    }

    open_object(target) {
      const row = ftwait.lanes.prepare_row(this.data.objects[target.row]);
      const key = `object:${target.row}:${Math.max(0, row.lanes[target.index])}`;
      if (!this.layout.of_key.has(key))
        this.toggle(row.kind === 'disk' ? 'disks' : 'interrupts');
      return this.layout.of_key.get(key);
    }

    reveal_row(row) {
      if (!row || row.kind === 'path')
        return;
      const {view, layout} = this, room = this.room();
      if (row.y - view.scroll < layout.pinned + 4)
        this.scroll_to(row.y - layout.pinned - 40);
      else if (row.y + row.height - view.scroll > room - 4)
        this.scroll_to(row.y + row.height - room + 40);
    }

    reveal_time(begin, end, at = (begin + end) / 2) {
      const {view} = this, span = view.end - view.begin, per = span / view.plot;
      if ((end - begin) / per < 6 && end > begin)
        this.set_window(at - (end - begin) * 10, at + (end - begin) * 10);
      else if (at < view.begin + span * 0.02 || at > view.end - span * 0.02)
        this.set_window(at - span / 2, at + span / 2);
    }

    row_at(y) {
      const {view, layout} = this, {AXIS} = ftwait.drawing;
      if (y < AXIS)
        return null;
      if (y < AXIS + layout.pinned)
        return layout.rows[0];
      const row = layout.rows[ftwait.rows.row_at(layout.rows, y - AXIS + view.scroll)];
      return row && row.kind !== 'path' ? row : null;
    }

    track_of(row) {
      return row.track ?? (row.kind === 'task' ? ftwait.walk.track_of(this.data, row.task) : null);
    }

    // What is under the pointer: { row, target, track, begin, end, count }.
    hit(x, y) {
      const row = this.row_at(y), {view} = this;
      if (!row || x < view.label)
        return row ? {row} : null;
      const track = this.track_of(row);
      if (!track)
        return {row};
      const begin = this.time_at(x - 1), end = this.time_at(x + 1);
      const i = ftwait.walk.longest_within(track, begin, end);
      return {row, track, begin, end, count: ftwait.lod.count_within(track, begin, end),
        target: i < 0 ? null : this.target_of(row, i)};
    }

    target_of(row, i) {
      if (row.kind === 'path')
        return {kind: 'path', index: i};
      if (row.kind === 'task')
        return {kind: 'segment', task: row.task, index: i};
      const object = row.track.objects[i];
      return object < 0 ? null : {kind: 'object', row: row.object, index: object};
    }

    // Where something is: { row: null if it is not in any, begin, end }.
    place_of(target) {
      const {data, layout} = this;
      if (!target)
        return null;
      if (target.kind === 'object') {
        const row = ftwait.lanes.prepare_row(data.objects[target.row]), i = target.index;
        return {row: layout.of_key.get(`object:${target.row}:${row.lanes[i]}`),
          begin: row.begins[i], end: row.ends[i]};
      }
      const {begins} = target.kind === 'path' ? data.path : data;
      return {row: target.kind === 'path' ? layout.rows[0] : this.row_of(target.task),
        begin: begins[target.index], end: begins[target.index + 1]};
    }

    // The row of a task, if it is to be seen at all.
    row_of(task) {
      const row = this.layout.of_task.get(task);
      return row && !row.is_hidden ? row : undefined;
    }

    // The arrow to a selected wait.
    wakeup_of(target) {
      const {data} = this;
      if (target?.kind !== 'segment' || !ftwait.walk.is_wait(data, target.index))
        return null;
      const from = this.row_of(ftwait.walk.woken_from(data, target.task, target.index));
      const to = this.row_of(target.task);
      return from && to && from !== to ? {time: data.begins[target.index + 1], from, to} : null;
    }

    // --- selection

    select(target, {reveal = false, at} = {}) {
      const before = this.chosen_row;
      this.selected = target;
      this.behind = null;
      const row = target && (target.kind === 'object' ? this.open_object(target) :
        target.kind === 'path' ? this.layout.rows[0] : this.open_row(target.task));
      if (row)
        this.choose(row.key);
      const place = this.place_of(target);
      if (reveal && place) {
        this.reveal_row(row);
        this.reveal_time(place.begin, place.end, at);
      }
      if (this.chosen_row !== before || reveal)
        this.redraw();
      this.redraw_overlay();
      ftwait.panel.show(this);
      this.settle();
      for (const listener of this.listeners)
        listener(target && {...target, begin: place.begin, end: place.end});
    }

    // To another place, from which there is a way back.
    go(target, at) {
      this.trail.leave();
      this.select(target, {reveal: true, at});
    }

    clear() {
      this.range = null;
      this.choose(null);
      this.select(null);
      this.redraw();
    }

    // Leads to a place: task is an index or -1, times are ns since the trace's begin or null; and
    // tells what is behind the row that leads there.
    show({behind = null, ...place}) {
      this.lead(place);
      this.behind = behind;
      if (behind)
        ftwait.panel.show(this);
    }

    lead({task = -1, at = null, begin = null, end = null}) {
      const {data} = this;
      if (begin !== null && end !== null)
        this.set_window(begin, end);
      if (task < 0 && at !== null)
        task = ftwait.walk.beginner(data, at);
      const row = task >= 0 && task < data.tasks.length ? this.open_row(task) : null;
      if (!row || at === null)
        this.select(null); // what was selected is not what is shown now
      if (!row) {
        if (at !== null && begin === null)
          this.reveal_time(at, at, at);
        this.redraw();
        return;
      }
      const {first, count} = data.tasks[task];
      let i = at === null ? first : ftwait.walk.segment_at(data, task, at);
      if (i < 0 && count) // the end of the last one is a place in it, too
        i = at === data.begins[first + count] ? first + count - 1 : first;
      this.choose(row.key);
      this.reveal_row(row);
      if (at !== null && count)
        this.select({kind: 'segment', task, index: i}, {reveal: begin === null, at});
      this.redraw();
    }

    select_range(begin, end) {
      const {data} = this;
      this.range = end > begin ? {begin: Math.max(begin, data.begin),
        end: Math.min(end, data.end)} : null;
      this.redraw_overlay();
      ftwait.panel.show(this);
    }

    // The next row of those that can be selected, up or down.
    move_row(direction) {
      const rows = this.layout.all.filter(row => row.kind !== 'group');
      const from = rows.findIndex(row => row.key === this.chosen_row);
      const row = rows[from < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, from + direction))];
      if (!row)
        return;
      const track = this.track_of(row), {view} = this;
      const at = this.selected ? Math.min(view.end, Math.max(view.begin,
        this.place_of(this.selected).begin)) : (view.begin + view.end) / 2;
      const i = ftwait.lod.find(track, at);
      this.choose(row.key);
      this.reveal_row(row);
      // of a device that did nothing then what it did next
      const target = i < 0 ? null : this.target_of(row, i) ?? this.target_of(row, i + 1);
      this.select(target);
      this.redraw();
      if (!target)
        ftwait.panel.say(this, `${row.label}: nothing at this time`);
    }

    // The next wait of the selected row, from what is selected or from the left edge.
    next_wait(direction) {
      const {data, view, selected} = this;
      let task = this.layout.of_key.get(this.chosen_row)?.task ?? -1;
      if (selected?.kind === 'path')
        task = data.path.tasks[selected.index];
      if (task < 0)
        task = this.layout.rows.find(row => row.kind === 'task')?.task ?? -1;
      if (task < 0 || !data.tasks[task].count)
        return;
      const {first} = data.tasks[task];
      const from = selected?.kind === 'segment' && selected.task === task ? selected.index :
        ftwait.lod.find_from(ftwait.walk.track_of(data, task), view.begin, first) - 1;
      const i = ftwait.walk.next_wait(data, task, Math.max(from, first - 1), direction);
      if (i >= 0)
        this.select({kind: 'segment', task, index: i}, {reveal: true});
      else
        ftwait.panel.say(this, direction > 0 ? 'no later wait' : 'no earlier wait');
    }

    // Times in ms of frames drawn at all time, a tenth and a hundredth of it.
    measure(frames = 20) {
      const {view, data} = this, {begin, end, scroll} = view, times = {};
      for (const [name, part] of [['all', 1], ['tenth', 10], ['hundredth', 100]]) {
        const span = (data.end - data.begin) / part;
        times[name] = [];
        for (let i = 0; i < frames; i++) {
          view.begin = data.begin + (data.end - data.begin - span) * (i / frames);
          view.end = view.begin + span;
          const start = performance.now();
          this.sift();
          ftwait.draw(this);
          this.context.getImageData(0, 0, 1, 1); // all that was asked for is drawn now
          times[name].push(performance.now() - start);
        }
      }
      Object.assign(view, {begin, end});
      this.sift();
      this.scroll_to(scroll, this.layout.hidden > 0);
      this.redraw();
      return times;
    }
  }

  ftwait.Flow = Flow;
}

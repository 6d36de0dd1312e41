/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mouse, touch, keys and the toolbar of the flow view.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};
  const MOVED = 4; // pixels from which a press is a drag
  const STEP = 1.3; // of one notch of the wheel

  const point = (flow, event) => {
    const box = flow.overlay.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  };

  function wheel(flow, event) {
    const {x} = point(flow, event), {view} = flow;
    if (x < view.label && !event.ctrlKey)
      return; // rows scroll, and then the page
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 300 : 1;
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      flow.pan(sideways * unit / view.plot);
    else
      flow.zoom(STEP ** Math.max(-4, Math.min(4, event.deltaY * unit / 100)), x);
  }

  function press(flow, event) {
    if (event.button > 0)
      return;
    const at = point(flow, event);
    flow.pointers.set(event.pointerId, at);
    flow.overlay.setPointerCapture?.(event.pointerId);
    const is_range = event.shiftKey || at.y < ftwait.drawing.AXIS;
    flow.drag = {from: at, begin: flow.view.begin, end: flow.view.end, y: at.y, moved: false,
      is_range: is_range && at.x >= flow.view.label, is_touch: event.pointerType === 'touch',
      time: flow.time_at(at.x), pinch: pinch(flow)};
  }

  function pinch(flow) {
    const [a, b] = [...flow.pointers.values()];
    return b ? {distance: Math.max(20, Math.abs(a.x - b.x)), middle: (a.x + b.x) / 2} : null;
  }

  function drag_to(flow, at) {
    const {drag, view} = flow;
    const span = drag.end - drag.begin;
    if (drag.is_range) {
      const times = [drag.time, flow.time_at(Math.max(view.label, at.x))].sort((a, b) => a - b);
      flow.select_range(...times);
      return;
    }
    const now = pinch(flow);
    if (now && drag.pinch) {
      const time = drag.begin + (drag.pinch.middle - view.label) / view.plot * span;
      const wide = span * drag.pinch.distance / now.distance;
      const begin = time - (now.middle - view.label) / view.plot * wide;
      flow.set_window(begin, begin + wide);
      return;
    }
    const by = (drag.from.x - at.x) / view.plot * span;
    flow.held = {x: at.x, y: drag.y};
    flow.set_window(drag.begin + by, drag.end + by);
    if (!drag.is_touch) // the browser scrolls for fingers
      flow.plot.scrollTop += drag.y - at.y;
    flow.scrolled();
    drag.y = at.y;
  }

  function move(flow, event) {
    const at = point(flow, event);
    if (flow.pointers.has(event.pointerId))
      flow.pointers.set(event.pointerId, at);
    const {drag} = flow;
    if (drag && (drag.moved || Math.hypot(at.x - drag.from.x, at.y - drag.from.y) > MOVED)) {
      drag.moved = true;
      flow.pointer = null;
      ftwait.panel.tooltip(flow, null);
      drag_to(flow, at);
      return;
    }
    flow.pointer = event.pointerType === 'touch' ? null : at;
    flow.redraw_overlay();
    const hit = flow.hit(at.x, at.y);
    flow.overlay.style.cursor = hit?.row.kind === 'group' || hit?.target ? 'pointer' : 'default';
    ftwait.panel.tooltip(flow, hit, event.clientX, event.clientY);
  }

  function release(flow, event) {
    flow.pointers.delete(event.pointerId);
    const {drag} = flow;
    flow.drag = flow.held = null;
    if (!drag || drag.moved || event.type === 'pointercancel')
      return;
    click(flow, drag.from);
  }

  function click(flow, at) {
    const hit = flow.hit(at.x, at.y);
    if (at.y < ftwait.drawing.AXIS) {
      flow.select_range(0, 0);
    } else if (hit?.row.kind === 'group') {
      flow.toggle(hit.row.key);
    } else if (hit?.target) {
      flow.select(hit.target);
    } else if (hit) {
      flow.choose(hit.row.key);
      flow.selected = null;
      ftwait.panel.show(flow);
      flow.redraw();
    }
  }

  function pointers(flow) {
    const {overlay, plot} = flow;
    flow.pointers = new Map();
    overlay.addEventListener('wheel', event => wheel(flow, event), {passive: false});
    overlay.addEventListener('pointerdown', event => press(flow, event));
    overlay.addEventListener('pointermove', event => move(flow, event));
    overlay.addEventListener('pointerup', event => release(flow, event));
    overlay.addEventListener('pointercancel', event => release(flow, event));
    overlay.addEventListener('pointerleave', () => {
      flow.pointer = null;
      ftwait.panel.tooltip(flow, null);
      flow.redraw_overlay();
    });
    overlay.addEventListener('dblclick', event => {
      const place = flow.place_of(flow.hit(...Object.values(point(flow, event)))?.target);
      if (place)
        flow.set_window(place.begin - (place.end - place.begin) / 4,
          place.end + (place.end - place.begin) / 4);
    });
    plot.addEventListener('scroll', () => flow.scrolled());
  }

  const keys = {
    w: flow => flow.zoom(1 / 1.5, flow.pointer?.x),
    s: flow => flow.zoom(1.5, flow.pointer?.x),
    a: flow => flow.pan(-0.2),
    d: flow => flow.pan(0.2),
    '+': flow => flow.zoom(1 / 1.5),
    '=': flow => flow.zoom(1 / 1.5),
    '-': flow => flow.zoom(1.5),
    j: flow => flow.move_row(1),
    k: flow => flow.move_row(-1),
    f: flow => flow.fit(),
    h: flow => flow.toggle_hidden(),
    g: flow => ftwait.panel.follow(flow),
    backspace: flow => flow.trail.back(),
    escape: flow => {
      flow.part('keys').hidden = true;
      flow.clear();
    },
    '?': flow => toggle_keys(flow),
    '/': flow => {
      flow.part('search').focus();
      flow.part('search').select();
    },
  };

  function toggle_keys(flow) {
    const help = flow.part('keys');
    help.hidden = !help.hidden;
  }

  function key(flow, event) {
    const {target} = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented ||
        target.closest?.('input, select, textarea, [contenteditable], #icicle, .sides'))
      return;
    const is_button = target.closest?.('button, a, summary, th, [role="button"], tr[tabindex]');
    if (event.key === 'Enter' && !is_button) {
      flow.next_wait(event.shiftKey ? -1 : 1);
    } else {
      const action = keys[event.key.toLowerCase()];
      if (!action)
        return;
      action(flow);
    }
    event.preventDefault();
  }

  // --- search

  function search_to(flow, direction) {
    const {found} = flow;
    if (!found?.places.length)
      return;
    const {length} = found.places;
    found.at = (found.at + direction + length) % length;
    const place = found.places[found.at];
    if (place.kind === 'task') {
      const row = flow.open_row(place.task);
      flow.selected = null;
      flow.choose(row?.key ?? flow.chosen_row);
      flow.reveal_row(row);
      ftwait.panel.show(flow);
      flow.redraw();
    } else {
      flow.select(place, {reveal: true});
    }
    tell_found(flow);
  }

  function tell_found(flow) {
    const {found} = flow, {count} = ftwait.text;
    const words = !found ? '' : !found.places.length ? 'nothing' :
      `${count(found.at + 1)} of ${count(found.places.length)}${found.is_cut ? '+' : ''}`;
    flow.part('found').textContent = words;
    for (const name of ['previous', 'next'])
      flow.part(name).disabled = !found?.places.length;
  }

  function search_for(flow, words) {
    if (words === flow.searched)
      return false;
    flow.searched = words;
    flow.found = words.trim() ? {...ftwait.search(flow.data, words), at: -1} : null;
    return true;
  }

  function searching(flow) {
    const input = flow.part('search');
    let typed = 0;
    input.addEventListener('input', () => {
      clearTimeout(typed);
      typed = setTimeout(() => {
        if (search_for(flow, input.value) && flow.found)
          search_to(flow, 1);
        tell_found(flow);
      }, 200);
    });
    input.addEventListener('keydown', event => {
      if (event.key === 'Enter') {
        clearTimeout(typed);
        search_for(flow, input.value);
        search_to(flow, event.shiftKey ? -1 : 1);
        tell_found(flow);
      } else if (event.key === 'Escape') {
        flow.overlay.focus();
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
    flow.part('next').addEventListener('click', () => search_to(flow, 1));
    flow.part('previous').addEventListener('click', () => search_to(flow, -1));
    tell_found(flow);
  }

  function attach(flow) {
    pointers(flow);
    searching(flow);
    const click_on = (name, action) => flow.part(name).addEventListener('click', action);
    click_on('in', () => flow.zoom(1 / 2));
    click_on('out', () => flow.zoom(2));
    click_on('fit', () => flow.fit());
    click_on('back', () => flow.trail.back());
    click_on('help', () => toggle_keys(flow));
    click_on('hidden', () => flow.toggle_hidden());
    document.addEventListener('keydown', event => key(flow, event));
    addEventListener('popstate', event => flow.trail.popped(event.state));
    addEventListener('hashchange', event => flow.trail.hash_changed(event));
    addEventListener('resize', () => flow.resize());
    flow.dark.addEventListener('change', () => {
      flow.restyle();
      ftwait.panel.show(flow);
    });
    if (globalThis.ResizeObserver)
      new ResizeObserver(() => {
        if (flow.part('space').clientWidth !== flow.view.width)
          flow.resize();
      }).observe(flow.plot);
  }

  ftwait.input = {attach, search_for, search_to};
}

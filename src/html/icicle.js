/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The icicle: who waited for whom and for what, whole paths, the root on top. A click makes a
 * frame fill the width, a search marks frames and says what they have of all. The picture is a
 * canvas; what is pointed at is said in words beside it, too.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};
  const level_height = 19, inset = 4, most_levels = 400;
  const kinds = {task: 'task', cause: 'what it waited for', kernel: 'kernel function',
    user: 'user function', mark: 'mark'};

  const duration = ns => ftwait.text.duration(ns);
  const share = (part, all) => ftwait.text.percent(part, all);
  const count_of = (count, what) => `${ftwait.text.count(count)} ${what}${count === 1 ? '' : 's'}`;

  function element(name, text, options = {}) {
    const made = Object.assign(document.createElement(name), options);
    if (text !== undefined)
      made.textContent = text;
    return made;
  }

  function name_of({node, rest}) {
    if (rest)
      return count_of(rest.frames, rest.from ? 'more frame' : 'frame');
    return node.parent ? ftwait.text.clean(node.text) : `all, ${duration(node.total)}`;
  }

  // Rows of the details, and the tooltip's lines: what it is, and how much of what.
  function facts_of(rectangle, graph) {
    const {node, rest} = rectangle;
    const {total, count} = rest ?? node;
    const above = rest ? node : node.parent;
    const facts = [['total', `${(total / 1e6).toFixed(6)} ms`],
      ['share of all', share(total, graph.root.total)]];
    if (above && above.parent)
      facts.push([`share of ${ftwait.text.clean(above.text)}`, share(total, above.total)]);
    facts.push(['parts', ftwait.text.count(count)]);
    if (!rest && node.longest > 0)
      facts.push(['longest', duration(node.longest)]);
    const {matched} = rest ?? node;
    if (matched > 0)
      facts.push(['matched by the search', share(matched, total)]);
    return facts;
  }

  // How frames look and what is said of them, unless a picture has a look of its own: the name of a
  // rectangle of the layout, its label in the picture, its facts as rows of name and value, its
  // colour, the kind of a node; the words for a graph; the legend as rows of name and colour. One
  // of its own may also have the layout, and the words for what a search found.
  const look_of = icicle => ({name: name_of, label: name_of, facts: facts_of,
    color: ({node}) => ftwait.icicle_tree.color(node.kind, node.text),
    kind: node => kinds[node.kind] ?? '',
    words: ({title, root: {total, count}}) =>
      `${title}: ${duration(total)} in ${count_of(count, 'part')}`,
    legend: legend_of(icicle)});

  function legend_of(icicle) {
    const used = new Set(icicle.frames.map(([, kind]) => kind));
    return Object.keys(kinds).filter(kind => used.has(kind))
      .map(kind => [kinds[kind], ftwait.icicle_tree.color_of_kind(kind)]);
  }

  // Cuts a text to a width; most do not need it.
  function text_cut(context, text, room) {
    if (room < 12)
      return '';
    if (text.length * 12 < room || context.measureText(text).width <= room)
      return text;
    let low = 0, high = Math.min(text.length, Math.ceil(room / 2));
    while (low < high) {
      const middle = low + high + 1 >> 1;
      if (context.measureText(`${text.slice(0, middle)}…`).width <= room)
        low = middle;
      else
        high = middle - 1;
    }
    return low > 1 ? `${text.slice(0, low)}…` : '';
  }

  function rectangle_draw(context, rectangle, state) {
    const {node, x, width, level, rest} = rectangle;
    const y = level * level_height;
    const wide = Math.max(width - (width > 3 ? 1 : 0), 0.5);
    const is_found = rest ? rest.matched > 0 : node.is_found;
    const is_above = node.depth + Boolean(rest) < state.zoomed.node.depth;
    const is_dim = state.words ? !is_found : is_above;
    context.globalAlpha = is_dim ? 0.45 : 1;
    context.fillStyle = is_found ? '#f07cf0' : rest ? '#a8adb5' : state.look.color(rectangle);
    context.fillRect(x, y, wide, level_height - 1);
    const text = text_cut(context, state.look.label(rectangle), wide - 2 * inset);
    if (!text)
      return;
    context.globalAlpha = 1;
    context.fillStyle = is_dim ? state.ink : '#10141a';
    context.fillText(text, x + inset, y + level_height / 2);
  }

  function outline_draw(context, {x, width, level}, color) {
    context.globalAlpha = 1;
    context.strokeStyle = color;
    context.lineWidth = 2;
    context.strokeRect(x + 1, level * level_height + 1, Math.max(width - 3, 1), level_height - 3);
  }

  const is_same = (a, b) => Boolean(a && b && a.node === b.node && a.rest?.from === b.rest?.from);

  function draw(state) {
    const {canvas, rectangles} = state;
    const context = canvas.getContext('2d');
    const style = getComputedStyle(canvas);
    state.ink = style.color;
    context.setTransform(state.density, 0, 0, state.density, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.font = `12px ${style.fontFamily}`;
    context.textBaseline = 'middle';
    for (const rectangle of rectangles)
      rectangle_draw(context, rectangle, state);
    for (const marked of [state.hovered, state.pinned]) {
      const shown = rectangles.find(rectangle => is_same(rectangle, marked));
      if (shown)
        outline_draw(context, shown, style.color);
    }
  }

  // The picture is as wide as its place and as high as its frames.
  function lay_out(state) {
    const {canvas} = state;
    const width = Math.max(Math.floor(canvas.parentNode.clientWidth), 100);
    const first = state.zoomed.node.depth;
    const layout = state.look.layout ?? ftwait.icicle_tree.layout;
    state.rectangles = layout(state.zoomed, width, first + most_levels);
    const levels = state.rectangles.reduce((most, {level}) => Math.max(most, level), 0) + 1;
    // browsers draw nothing at all in a canvas that is too high
    state.density = Math.min(globalThis.devicePixelRatio || 1, 16000 / (levels * level_height));
    canvas.width = Math.round(width * state.density);
    canvas.height = Math.round(levels * level_height * state.density);
    canvas.style.height = `${levels * level_height}px`;
    state.more.hidden = levels < first + most_levels;
    state.more.textContent = `Frames below level ${levels} are shown when zoomed in.`;
    draw(state);
  }

  function rectangle_at(state, event) {
    const {left, top} = state.canvas.getBoundingClientRect();
    const x = event.clientX - left, level = Math.floor((event.clientY - top) / level_height);
    return state.rectangles.find(one => one.level === level &&
      x >= one.x && x < one.x + Math.max(one.width, 1)) ?? null;
  }

  function crumbs_show(state) {
    const path = [];
    for (let node = state.zoomed.node; node; node = node.parent)
      path.unshift({node, rest: null});
    state.crumbs.replaceChildren(...path.map((step, at) => {
      const button = element('button', step.node.parent ? state.look.name(step) : 'all',
        {type: 'button'});
      button.addEventListener('click', () => zoom(state, {node: step.node}));
      if (at === path.length - 1 && !state.zoomed.from)
        button.setAttribute('aria-current', 'true');
      return button;
    }));
  }

  function zoom(state, zoomed) {
    state.zoomed = zoomed;
    crumbs_show(state);
    lay_out(state);
    state.hovered = null;
    state.tip.hidden = true;
  }

  const words_of = (rectangle, {look, graph}) => [look.name(rectangle),
    ...look.facts(rectangle, graph).map(([what, value]) => `${what} ${value}`)].join(', ');

  // What is pinned stays until something else is: its facts, and the way to its longest one.
  function pin(state, rectangle) {
    state.pinned = rectangle;
    state.details.hidden = !rectangle;
    if (!rectangle)
      return;
    const {node, rest} = rectangle;
    const title = element('h3', state.look.name(rectangle));
    title.append(' ', element('small', rest || !node.parent ? '' : state.look.kind(node)));
    const list = element('dl');
    for (const [what, value] of state.look.facts(rectangle, state.graph))
      list.append(element('dt', what), element('dd', value));
    if (!rest && node.longest_at !== null) {
      const link = element('button', `at ${ftwait.text.instant(node.longest_at)} in the flow`,
        {type: 'button', className: 'link'});
      link.addEventListener('click', () => state.places.show({at: node.longest_at}, link));
      const place = element('dd');
      place.append(link);
      list.append(element('dt', 'longest is'), place);
    }
    state.details.replaceChildren(title, list);
    state.spoken.textContent = words_of(rectangle, state);
    draw(state);
  }

  // A click or Enter: the frame fills the width; the root, or what fills it already, goes back.
  function enter(state, rectangle) {
    const {node, rest} = rectangle;
    if (rest)
      zoom(state, {node, from: rest.from});
    else
      zoom(state, {node});
    pin(state, rest ? state.rectangles.find(one => one.node === node && !one.rest) : rectangle);
  }

  function tip_show(state, rectangle, event) {
    const {tip, canvas} = state;
    tip.hidden = !rectangle;
    canvas.style.cursor = rectangle ? 'pointer' : '';
    if (!rectangle)
      return;
    const facts = state.look.facts(rectangle, state.graph)
      .map(([what, value]) => `${what} ${value}`);
    tip.replaceChildren(element('strong', state.look.name(rectangle)),
      element('span', facts.join(', ')));
    const {left, top, width} = canvas.getBoundingClientRect();
    const x = event.clientX - left;
    tip.style.left = `${Math.max(0, Math.min(x + 12, width - tip.offsetWidth))}px`;
    tip.style.top = `${event.clientY - top + 18}px`;
  }

  // The frame an arrow leads to, among those that are drawn.
  function neighbour(rectangles, from, key) {
    if (!from)
      return rectangles[0];
    const middle = from.x + from.width / 2;
    const at = (level, is_meant) => rectangles.filter(one => one.level === level && is_meant(one));
    const nearest = (found, order) => found.sort((a, b) => order * (a.x - b.x))[0];
    switch (key) {
    case 'ArrowUp':
      return at(from.level - 1, one => one.x <= middle && middle <= one.x + one.width)[0];
    case 'ArrowDown':
      return nearest(at(from.level + 1, one =>
        one.x + one.width > from.x && one.x < from.x + from.width), 1);
    case 'ArrowLeft':
      return nearest(at(from.level, one => one.x < from.x), -1);
    default:
      return nearest(at(from.level, one => one.x > from.x), 1);
    }
  }

  function key_pressed(state, event) {
    const shown = state.rectangles.find(one => is_same(one, state.pinned));
    if (event.ctrlKey || event.metaKey || event.altKey)
      return false;
    if (/^Arrow/.test(event.key)) {
      const to = neighbour(state.rectangles, shown, event.key);
      if (to)
        pin(state, to);
    } else if (event.key === 'Enter' && shown) {
      enter(state, shown);
    } else if (event.key === 'Escape' || event.key === 'Home') {
      zoom(state, {node: state.graph.root});
    } else if (event.key === '/') {
      state.input.focus();
      state.input.select();
    } else {
      return false;
    }
    return true;
  }

  function search(state, words) {
    state.words = words;
    const found = ftwait.icicle_tree.search(state.graphs, words);
    state.graphs.forEach((graph, i) => Object.assign(graph, {found: found[i]}));
    found_show(state);
    draw(state);
  }

  function found_show(state) {
    const {words, look, graph: {found, root}} = state;
    const time_words = () => look.found ? look.found(root) :
      `${duration(found.total)}, ${share(found.total, root.total)} of all`;
    state.output.textContent = !words ? '' :
      `${count_of(found.frames, 'frame')}, ${time_words()}`;
  }

  // What is zoomed into stays, if the graph has it, too.
  function graph_show(state, graph) {
    const peer = state.zoomed ? state.look.peer?.(state.zoomed.node, graph) : null;
    state.graph = graph;
    for (const button of state.buttons)
      button.setAttribute('aria-pressed', String(button.graph === graph));
    state.canvas.setAttribute('aria-label', `Icicle of ${state.look.words(graph)}. ` +
      'Arrows move along the frames, Enter zooms, Escape goes back to all.');
    pin(state, null);
    zoom(state, {node: peer && peer.total > 0 ? peer : graph.root});
    found_show(state);
  }

  function legend_show(place, legend) {
    place.replaceChildren(...legend.map(([words, color]) => {
      const sample = element('i'), entry = element('span');
      sample.style.background = color;
      entry.append(sample, words);
      return entry;
    }));
  }

  function listen(state, root) {
    const {canvas, input} = state;
    const is_handled = event => {
      if (key_pressed(state, event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    };
    canvas.addEventListener('keydown', is_handled);
    canvas.addEventListener('click', event => {
      const rectangle = rectangle_at(state, event);
      if (rectangle)
        enter(state, rectangle);
    });
    canvas.addEventListener('pointermove', event => {
      const rectangle = rectangle_at(state, event);
      const is_other = !is_same(rectangle, state.hovered);
      state.hovered = rectangle;
      tip_show(state, rectangle, event);
      if (is_other)
        draw(state);
    });
    canvas.addEventListener('pointerleave', () => {
      state.hovered = null;
      state.tip.hidden = true;
      draw(state);
    });
    input.addEventListener('input', () => search(state, input.value));
    input.addEventListener('keydown', event => {
      event.stopPropagation(); // letters are the flow's keys elsewhere
      if (event.key !== 'Escape')
        return;
      input.value = '';
      search(state, '');
      canvas.focus();
    });
    input.form.addEventListener('submit', event => event.preventDefault());
    new ResizeObserver(() => lay_out(state)).observe(canvas.parentNode);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => draw(state));
  }

  // Shows graphs of icicle_tree.build() in the section `root`. `places`: the ways into the flow.
  // Returns null if there is nothing to show.
  function open(all, look, root, places) {
    const find = selector => root.querySelector(selector);
    root.hidden = true; // until there is something to show
    const graphs = all.filter(graph => graph.root.total > 0);
    if (!graphs.length)
      return null;
    const state = {graphs, look, places, words: '', canvas: find('canvas'), tip: find('.tip'),
      input: find('input'), output: find('output'), crumbs: find('.icicle-crumbs'),
      details: find('.icicle-details'), more: find('.icicle-more'), spoken: find('.icicle-spoken'),
      rectangles: [], zoomed: null, hovered: null, pinned: null, buttons: [],
      redraw: () => draw(state)};
    const place = find('.icicle-graphs');
    for (const graph of graphs) {
      const button = element('button', graph.title, {type: 'button', graph});
      button.addEventListener('click', () => graph_show(state, graph));
      state.buttons.push(button);
    }
    // where there is no choice the title is just that
    place.replaceChildren(...graphs.length > 1 ? state.buttons : [element('b', graphs[0].title)]);
    legend_show(find('.icicle-legend'), look.legend);
    root.hidden = false;
    graph_show(state, graphs[0]);
    search(state, '');
    listen(state, root);
    return state;
  }

  // `data.icicle`: the block as parsed. Graphs that have a picture of their own are drawn there.
  function start({icicle}, root, places) {
    if (!icicle)
      return null;
    const graphs = ftwait.icicle_tree.build(icicle);
    ftwait.sides.start(graphs, root.ownerDocument, places);
    return open(graphs.filter(graph => !ftwait.sides.has(graph)), look_of(icicle), root, places);
  }

  ftwait.icicle = {start, open};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two icicles on one scale, of what is compared: each has the mean of its side on top, below it
 * what that went to, and what went on meanwhile. They stand beside each other, the larger one
 * first; where the page is narrow one over the other.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};
  const gap = 8, narrow = 700; // pixels

  const duration = ns => ftwait.text.duration(ns);
  const percent = (part, whole) => ftwait.text.percent(part, whole);
  const kinds = ['all', 'mark', 'cause', 'task']; // of colours, by depth

  // Whether the graph's paths begin with sides.
  const has = ({root}) => root.children.length > 0 && root.children[0].kind === 'side';

  function side_of(node) {
    while (node.depth > 1)
      node = node.parent;
    return node;
  }

  // Rectangles as those of icicle_tree.layout(), but without the root: the sum of both sides is
  // nothing. Zoomed into one side there is only that one.
  function layout(zoomed, width, most) {
    const {node: {depth, total, children}} = zoomed;
    const is_one = depth > 0 || children.length < 2, is_beside = width >= narrow;
    const room = is_one ? width : is_beside ? width - gap : width * total / children[0].total;
    const rectangles = ftwait.icicle_tree.layout(zoomed, room, most)
      .filter(({node}) => node.depth > 0)
      .map(one => ({...one, level: one.level - 1}));
    if (is_one)
      return rectangles;
    const is_second = one => side_of(one.node) !== children[0];
    const high = 1 + rectangles.reduce((low, one) => is_second(one) ? low :
      Math.max(low, one.level), 0);
    return rectangles.map(one => !is_second(one) ? one : is_beside ? {...one, x: one.x + gap} :
      {...one, x: one.x - width, level: one.level + high + 1});
  }

  // The frame of the other side that has the same names; null: it has none.
  function peer_of(node) {
    const side = side_of(node);
    const path = [];
    for (let at = node; at !== side; at = at.parent)
      path.unshift(at.frame);
    let peer = side.parent.children.find(other => other !== side) ?? null;
    for (const frame of path)
      peer = peer?.children.find(child => child.frame === frame) ?? null;
    return peer;
  }

  function name_of({node, rest}) {
    if (rest)
      return `${ftwait.text.count(rest.frames)} ${rest.from ? 'more ' : ''}frame${
        rest.frames === 1 ? '' : 's'}`;
    return ftwait.text.clean(node.text);
  }

  function facts_of({node, rest}) {
    const {total, matched} = rest ?? node;
    const side = side_of(node);
    const facts = [['on average', `${(total / 1e6).toFixed(6)} ms`]];
    if (rest || node !== side)
      facts.push(['share', percent(total, side.total)]);
    const other = side.parent.children.find(one => one !== side);
    if (!rest && other)
      facts.push([ftwait.text.clean(other.text), duration(peer_of(node)?.total ?? 0)]);
    if (!rest && node.depth === 2)
      facts.push(['how many have it', ftwait.text.count(node.count)]);
    if (!rest && node.depth > 1 && node.longest > 0)
      facts.push(['most in one', duration(node.longest)]);
    if (matched > 0)
      facts.push(['matched by the search', percent(matched, total)]);
    return facts;
  }

  const color_of = depth => ftwait.icicle_tree.color_of_kind(kinds[depth]);
  const look = {layout, name: name_of, facts: facts_of,
    label: one => one.rest ? name_of(one) : `${name_of(one)}, ${duration(one.node.total)}`,
    color: ({node}) => ftwait.icicle_tree.color(kinds[node.depth] ?? 'mark', node.text),
    kind: ({depth}) => ['', '', 'what it did or waited for', 'meanwhile'][depth] ?? '',
    words: ({title}) => title,
    found: root => root.children.map(({text, matched, total}) =>
      `${ftwait.text.clean(text)} ${duration(matched)}, ${percent(matched, total)}`).join('; '),
    legend: [['one on average', color_of(1)], ['what it did or waited for', color_of(2)],
      ['what went on meanwhile', color_of(3)]]};

  const help = 'All widths are on one scale, until zoomed in. Click or Enter zooms into a frame, ' +
    'Escape goes back to all, arrows move along the frames, / searches. Frames too narrow to be ' +
    'seen stand together, in grey; the tables below have them.';

  // Draws each graph that has a place in the page.
  function start(graphs, root, places) {
    for (const place of root.querySelectorAll('.sides[data-graph]')) {
      const graph = graphs[Number(place.dataset.graph)];
      if (!graph || !has(graph))
        continue;
      place.querySelector('h2').remove();
      place.querySelector('.icicle-help').textContent = help;
      place.setAttribute('aria-label', graph.title);
      ftwait.icicle.open([graph], look, place, places);
    }
  }

  ftwait.sides = {has, layout, peer_of, facts_of, look, start};
}

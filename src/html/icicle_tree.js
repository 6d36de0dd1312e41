/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of an icicle: paths with equal beginnings merged, laid out to the width of a picture,
 * searched, coloured. Nothing here knows a document.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};

  const node_new = (frame, parent, text, kind) => ({
    frame, parent, text, kind, depth: parent ? parent.depth + 1 : 0, total: 0, count: 0,
    longest: 0, longest_at: null, children: [], matched: 0, is_found: false});

  // The child of `node` for that frame; `known` has all there are by node and frame.
  function child_of(graph, frames, node, index, known) {
    if (!frames[index])
      throw new Error(`the icicle has no frame ${index}`);
    const key = node.id * frames.length + index;
    let child = known.get(key);
    if (!child) {
      child = node_new(index, node, frames[index][0], frames[index][1]);
      child.id = graph.nodes.push(child) - 1;
      known.set(key, child);
      node.children.push(child);
    }
    return child;
  }

  function time_add(node, total, count, longest, longest_at) {
    node.total += total;
    node.count += count;
    if (longest > node.longest) {
      node.longest = longest;
      node.longest_at = longest_at;
    }
  }

  function path_add(graph, frames, [, ...figures], known) {
    const indices = figures.pop();
    let node = graph.root;
    time_add(node, ...figures);
    for (const index of indices) {
      node = child_of(graph, frames, node, index, known);
      time_add(node, ...figures);
    }
  }

  // The graphs of a data-icicle block: {title, root, nodes}, parents before their children in
  // `nodes`, children by total. The root stands for all of them and is of kind 'all'.
  function build(icicle) {
    const graphs = icicle.titles.map(title => {
      const root = Object.assign(node_new(-1, null, 'all', 'all'), {id: 0});
      return {title, root, nodes: [root]};
    });
    const known = graphs.map(() => new Map());
    for (const path of icicle.paths) {
      const graph = graphs[path[0]];
      if (!graph)
        throw new Error(`there is no icicle ${path[0]}`);
      path_add(graph, icicle.frames, path, known[path[0]]);
    }
    for (const {nodes} of graphs)
      for (const node of nodes)
        node.children.sort((a, b) => b.total - a.total || a.frame - b.frame);
    return graphs;
  }

  const time_of = (node, from) => from === 0 ? node.total :
    node.children.slice(from).reduce((sum, child) => sum + child.total, 0);

  // The frames of a node, side by side from x on; those narrower than one pixel are the last ones,
  // and become one rectangle with what they have together.
  function children_place(rectangles, {node, x, level}, from, scale) {
    const placed = [];
    for (let i = from; i < node.children.length; i++) {
      const child = node.children[i];
      const width = child.total * scale;
      if (width < 1 && i + 1 < node.children.length) {
        const rest = node.children.slice(i);
        const total = rest.reduce((sum, one) => sum + one.total, 0);
        const count = rest.reduce((sum, one) => sum + one.count, 0);
        const matched = rest.reduce((sum, one) => sum + one.matched, 0);
        if (total > 0)
          rectangles.push({node, x, width: total * scale, level,
            rest: {from: i, frames: rest.length, total, count, matched}});
        return placed;
      }
      if (child.total > 0)
        placed.push({node: child, x, width, level});
      x += width;
    }
    return placed;
  }

  // Rectangles {node, x, width, level, rest} of a picture that wide when `node`, but for its
  // first `from` children, fills it; what it lies in fills it too. `rest` is null, or what stands
  // for several children of `node`. No more than `levels` of them.
  function layout({node, from = 0}, width, levels = Infinity) {
    const rectangles = [];
    for (let above = node; above; above = above.parent)
      rectangles.unshift({node: above, x: 0, width, level: above.depth, rest: null});
    const time = time_of(node, from);
    const todo = time > 0 ? [{node, x: 0, level: node.depth, from}] : [];
    while (todo.length) {
      const {node: parent, x, level, from: first} = todo.pop();
      if (level + 1 >= levels)
        continue;
      const placed = children_place(rectangles, {node: parent, x, level: level + 1}, first,
        width / time);
      for (const rectangle of placed) {
        rectangles.push({...rectangle, rest: null});
        todo.push({node: rectangle.node, x: rectangle.x, level: rectangle.level, from: 0});
      }
    }
    return rectangles;
  }

  // What is in a name is just that text; what is in none is tried as a regular expression.
  function matcher(graphs, words) {
    const lower = words.toLowerCase();
    const plain = text => text.toLowerCase().includes(lower);
    const is_in = graph => graph.nodes.some(node => node.parent && plain(node.text));
    if (graphs.some(is_in))
      return plain;
    try {
      const pattern = new RegExp(words, 'i');
      return text => pattern.test(text);
    } catch {
      return () => false; // it is none
    }
  }

  // Marks what the words match in all graphs, and says of each {frames, total}: a match within a
  // match is in its time.
  function search(graphs, words) {
    const is_match = words ? matcher(graphs, words) : () => false;
    return graphs.map(({root, nodes}) => {
      const known = new Map();
      let frames = 0;
      for (const node of nodes) {
        if (!known.has(node.frame))
          known.set(node.frame, node.parent !== null && is_match(node.text));
        node.is_found = known.get(node.frame);
        node.matched = 0;
        frames += node.is_found;
      }
      for (let i = nodes.length - 1; i >= 0; i--) {
        const node = nodes[i];
        if (node.is_found)
          node.matched = node.total;
        if (node.parent)
          node.parent.matched += node.matched;
      }
      return {frames, total: root.matched};
    });
  }

  // Those of the flame graphs that --format svg writes: a text has always the same shade.
  const palettes = {
    task: [[120, 165, 230], [45, 40, 25]],
    cause: [[95, 200, 175], [50, 35, 50]],
    kernel: [[240, 135, 55], [15, 65, 45]],
    user: [[235, 200, 75], [20, 50, 75]],
    mark: [[212, 212, 212], [0, 0, 0]],
    all: [[196, 202, 212], [0, 0, 0]],
  };

  function text_hash(text) {
    let hash = 2166136261;
    for (const byte of new TextEncoder().encode(text))
      hash = Math.imul(hash ^ byte, 16777619) >>> 0;
    return (hash ^ hash >>> 15) >>> 0;
  }

  function color_of(kind, hash) {
    const [least, range] = palettes[kind] ?? palettes.mark;
    const channels = least.map((value, at) =>
      value + Math.floor(range[at] * (hash >>> 8 * at & 0xff) / 255));
    return `rgb(${channels.join(',')})`;
  }

  ftwait.icicle_tree = {build, layout, search,
    color: (kind, text) => color_of(kind, text_hash(text)),
    color_of_kind: kind => color_of(kind, 0x7f7f7f)};
}

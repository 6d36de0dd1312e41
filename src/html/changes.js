/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The icicle of a page that compares old runs with new ones: two graphs of the same frames, as wide
 * as the one side's time or the other's, coloured by what is different. All figures are means of
 * the runs of a side, because means add up.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};

  const duration = ns => ftwait.text.duration(ns);
  const percent = (part, whole) => ftwait.text.percent(part, whole);

  // Colours of a difference from hardly any to all there is, and of none that is sure. What may be
  // chance is half as strong.
  const grown = [[250, 216, 205], [236, 92, 74]], shrunk = [[207, 223, 248], [92, 152, 240]];
  const unsure = [201, 206, 214];

  const mix = (from, to, part) =>
    from.map((value, i) => Math.round(value + (to[i] - value) * part));
  const rgb = channels => `rgb(${channels.join(',')})`;

  // `part`: the difference as a part of the larger side, -1 to 1; null: none is to be shown.
  function color_of(part, is_sure = true) {
    if (part === null)
      return rgb(unsure);
    const [least, most] = part < 0 ? shrunk : grown;
    const color = mix(least, most, Math.min(Math.abs(part), 1));
    return rgb(is_sure ? color : mix(unsure, color, 0.5));
  }

  const signed = ns => `${ns < 0 ? '-' : '+'}${duration(Math.abs(ns))}`;
  const number = value => (Math.round(value * 10) / 10).toString();

  // A verdict of the data, [p, is it sure, what changed], in words.
  function verdict_words([p, is_sure, change], {runs}) {
    if (p === null)
      return Math.min(...runs) < 2 ? 'not tested: one run proves nothing' :
        'not tested: too small a part of the time';
    const words = p < 0.0001 ? 'p < 0.0001' : `p = ${p.toPrecision(2)}`;
    return is_sure ? `yes: ${change} (${words})` : `no, it may be chance (${words})`;
  }

  const is_number = value => Number.isFinite(value) && value >= 0;

  function read_verdict(verdict) {
    const [p, is_sure, change] = Array.isArray(verdict) ? verdict : [];
    return [is_number(p) ? p : null, is_sure === true, String(change ?? '')];
  }

  // The block as parsed in a form that can be relied on; throws if it cannot be brought into that.
  function read({about, paths, texts}) {
    const [root, old_runs, new_runs, can_be_sure, whole] = about;
    if (!(old_runs > 0) || !(new_runs > 0))
      throw new Error('changes: there are no runs');
    for (const path of paths)
      if (!path.slice(0, 4).every(is_number) || !path[5].every(at => at in texts))
        throw new Error('changes: a path is damaged');
    return {root: root === null ? null : ftwait.text.clean(root), runs: [old_runs, new_runs],
      can_be_sure: can_be_sure === true, whole: read_verdict(whole), texts: texts.map(String),
      paths: paths.map(([old_time, old_count, new_time, new_count, verdict, frames]) => ({frames,
        verdict: read_verdict(verdict), old: old_time / old_runs, new: new_time / new_runs,
        old_count: old_count / old_runs, new_count: new_count / new_runs}))};
  }

  const nothing = () => ({old: 0, new: 0, old_count: 0, new_count: 0,
    sure: 0, sure_costs: 0, costs: 0, verdict: null});

  // `sure`: what those costs differ by together of which it is sure; `verdict`: of the only cost.
  function sides_add(sides, path) {
    for (const key of ['old', 'new', 'old_count', 'new_count'])
      sides[key] += path[key];
    sides.verdict = sides.costs++ ? null : path.verdict;
    if (path.verdict[1]) {
      sides.sure += path.new - path.old;
      sides.sure_costs++;
    }
  }

  // The nodes along a path, the root first.
  function nodes_along(root, frames) {
    const nodes = [root];
    for (const frame of frames)
      nodes.push(nodes.at(-1).children.find(child => child.frame === frame));
    return nodes;
  }

  // Two graphs of the icicle, new and old, whose nodes have equal ids, and share `sides`.
  function build(data) {
    const {paths, texts, runs} = data;
    const side = (index, key) => paths.map(path =>
      [index, path[key], path[`${key}_count`], 0, null, path.frames]);
    const graphs = ftwait.icicle_tree.build({frames: texts.map(text => [text, 'change']),
      titles: [`New: ${runs[1]} run${runs[1] === 1 ? '' : 's'}`,
        `Old: ${runs[0]} run${runs[0] === 1 ? '' : 's'}`],
      paths: [...side(0, 'new'), ...side(1, 'old')]});
    for (const node of graphs[0].nodes)
      node.sides = graphs[1].nodes[node.id].sides = nothing();
    for (const path of paths)
      for (const {sides} of nodes_along(graphs[0].root, path.frames))
        sides_add(sides, path);
    graphs[0].root.sides.verdict = data.whole;
    return graphs;
  }

  // Of one node, or of several side by side.
  function sides_of({node, rest}) {
    if (!rest)
      return node.sides;
    const sum = nothing();
    for (const {sides} of node.children.slice(rest.from))
      for (const key of Object.keys(sum))
        sum[key] += sides[key];
    return {...sum, verdict: null};
  }

  // What is shown of a node's difference: {ns, larger, is_sure}; null: nothing.
  function difference(node, shows_unsure) {
    const {sides} = node;
    const larger = Math.max(sides.old, sides.new, 1e-9);
    const is_sure = node.parent ? sides.sure_costs > 0 : sides.verdict[1];
    if (is_sure)
      return {ns: node.parent ? sides.sure : sides.new - sides.old, larger, is_sure};
    return shows_unsure ? {ns: sides.new - sides.old, larger, is_sure} : null;
  }

  function times_words({old, new: now}) {
    const words = `${duration(old)} → ${duration(now)}`;
    if (old <= 0 || now <= 0)
      return `${words}, only in ${old <= 0 ? 'new' : 'old'} runs`;
    const share = 100 * (now - old) / old;
    return `${words}, ${signed(now - old)} (${share < 0 ? '-' : '+'}${
      Math.abs(share).toFixed(Math.abs(share) < 10 ? 1 : 0)} %)`;
  }

  // Rows of the details, and the tooltip's lines.
  function facts_of(rectangle, data, root) {
    const {node, rest} = rectangle;
    const sides = sides_of(rectangle);
    const whole = root.sides;
    const facts = [['a run', times_words(sides)],
      ['share', `${percent(sides.old, whole.old)} → ${percent(sides.new, whole.new)}`]];
    if (!rest && node.parent && sides.costs === 1) {
      facts.push(['times a run', `${number(sides.old_count)} → ${number(sides.new_count)}`]);
      if (sides.old_count > 0 && sides.new_count > 0)
        facts.push(['each', `${duration(sides.old / sides.old_count)} → ${
          duration(sides.new / sides.new_count)}`]);
    }
    if (sides.verdict)
      facts.push(['sure', verdict_words(sides.verdict, data)]);
    if (sides.costs > 1)
      facts.push(['sure within', sides.sure_costs ? `${sides.sure_costs} of ${sides.costs} costs, ${
        signed(sides.sure)} together` : `none of ${sides.costs} costs`]);
    const {matched, total} = rest ?? node;
    if (matched > 0)
      facts.push(['matched by the search', percent(matched, total)]);
    return facts;
  }

  function name_of({node, rest}, data) {
    if (rest)
      return `${ftwait.text.count(rest.frames)} ${rest.from ? 'more ' : ''}frame${
        rest.frames === 1 ? '' : 's'}`;
    return node.parent ? ftwait.text.clean(node.text) : data.root ?? 'all tasks';
  }

  // How the icicle shows frames of a comparison; see icicle.js.
  function look_of(data, root, options) {
    const name = rectangle => name_of(rectangle, data);
    const is_mean = Math.max(...data.runs) > 1;
    const shown = ({node, rest}) => rest ? null : difference(node, options.shows_unsure);
    return {name, kind: () => '', facts: rectangle => facts_of(rectangle, data, root),
      label: rectangle => {
        const found = shown(rectangle), {node, rest} = rectangle;
        if (!rest && !node.parent)
          return `${name(rectangle)}, ${is_mean ? 'on average ' : ''}${
            duration(node.sides.old)} → ${duration(node.sides.new)}`;
        return found ? `${name(rectangle)} ${signed(found.ns)}${found.is_sure ? '' : ' ?'}` :
          name(rectangle);
      },
      color: rectangle => {
        const found = shown(rectangle);
        return color_of(found ? found.ns / found.larger : null, found?.is_sure);
      },
      legend: [['grew', color_of(1)], ['shrank', color_of(-1)],
        ['may be chance: grey, or paler', color_of(null)]],
      words: graph => `${graph.title}, ${duration(graph.root.total)} each`,
      // where the other graph has the same frame
      peer: (node, graph) => graph.nodes[node.id]};
  }

  const help = 'Widths are the time of a run of the side that is chosen, on average: unlike the ' +
    'medians of the table, means add up. Colours are strong where a frame grew or shrank by ' +
    'much of its own size. Click or Enter zooms into a frame, Escape goes back to all, ' +
    'arrows move along the frames, / searches. Frames too narrow to be seen stand together.';

  // A box that colours also what may be chance. Where nothing can be sure it is on: a picture
  // without colours shows nothing.
  function choice_make(section, data, options, redraw) {
    const label = document.createElement('label'), box = document.createElement('input');
    Object.assign(box, {type: 'checkbox', checked: options.shows_unsure});
    label.className = 'icicle-choice';
    label.append(box, ' colour what may be chance, too');
    box.addEventListener('change', () => {
      options.shows_unsure = box.checked;
      redraw();
    });
    section.querySelector('.icicle-graphs').after(label);
  }

  // `section`: the icicle's. Returns how many costs there are.
  function start(json, section) {
    const data = read(json);
    const graphs = build(data);
    const options = {shows_unsure: !data.can_be_sure};
    const look = look_of(data, graphs[0].root, options);
    section.querySelector('h2').textContent = 'Where the time went, old and new';
    section.querySelector('.icicle-help').textContent = help;
    const icicle = ftwait.icicle.open(graphs, look, section, null);
    if (icicle)
      choice_make(section, data, options, icicle.redraw);
    return data.paths.length;
  }

  ftwait.changes = {start, read, build, difference, color_of, facts_of, look_of};
}

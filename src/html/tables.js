/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of the page: sorted by a click on a head, rows that lead to their place in the flow,
 * the longest waits, and a way to each section on top of the page.
 */
'use strict';
{
  const ftwait = globalThis.ftwait ??= {};
  const longest_shown = 50, asked = 1;

  function element(name, text, attributes = {}) {
    const made = document.createElement(name);
    if (text !== null)
      made.textContent = text;
    for (const [attribute, value] of Object.entries(attributes))
      made.setAttribute(attribute, value);
    return made;
  }

  // The order of cells {value: number or NaN, text}, as their indices. Numbers as they are, texts
  // as readers sort them; cells with nothing in them stand last either way, equal ones as before.
  function order_of(cells, is_descending) {
    const collator = new Intl.Collator(undefined, {numeric: true, sensitivity: 'base'});
    const is_empty = ({value, text}) => Number.isNaN(value) && (text === '' || text === '-');
    const compare = (a, b) => Number.isNaN(a.value) || Number.isNaN(b.value) ?
      Number.isNaN(a.value) - Number.isNaN(b.value) || collator.compare(a.text, b.text) :
      a.value - b.value;
    const sign = is_descending ? -1 : 1;
    return cells.map((cell, at) => at).sort((a, b) => {
      const are_empty = [a, b].map(at => is_empty(cells[at]));
      if (are_empty[0] || are_empty[1])
        return are_empty[0] - are_empty[1] || a - b;
      return sign * compare(cells[a], cells[b]) || a - b;
    });
  }

  // The order of rows that are a tree, told by their depths: those below one row are sorted among
  // each other, and stay below it.
  function tree_order(depths, cells, is_descending) {
    const order = [];
    const below = new Map([[-1, []]]), above = [];
    depths.forEach((depth, at) => {
      while (above.length && depths[above.at(-1)] >= depth)
        above.pop();
      below.get(above.at(-1) ?? -1).push(at);
      below.set(at, []);
      above.push(at);
    });
    const todo = [-1];
    while (todo.length) {
      const row = todo.pop(), rows = below.get(row);
      if (row >= 0)
        order.push(row);
      const sorted = order_of(rows.map(at => cells[at]), is_descending).map(at => rows[at]);
      todo.push(...sorted.reverse());
    }
    return order;
  }

  // The longest segments that are waits, longest first, of the tasks asked for; of all tasks
  // where none is: {task, segment, begin, end}. Those that have ended, or those that have not.
  function longest_waits(data, {is_open = false, most = longest_shown} = {}) {
    const {tasks, begins, states} = data;
    const {CODE, MIXED, OPEN} = ftwait.state;
    const is_any_asked = tasks.some(({flags}) => flags & asked);
    const found = [];
    for (const {index, flags, first, count} of tasks) {
      if (is_any_asked && !(flags & asked))
        continue;
      for (let i = first; i < first + count; i++) {
        if ((states[i] & CODE) <= MIXED || (states[i] & OPEN) !== 0 !== is_open)
          continue;
        const length = begins[i + 1] - begins[i];
        if (found.length === most && length <= found[most - 1].length)
          continue;
        let at = Math.min(found.length, most - 1);
        for (; at > 0 && found[at - 1].length < length; at--)
          found[at] = found[at - 1];
        found[at] = {task: index, segment: i, begin: begins[i], end: begins[i + 1], length};
      }
    }
    return found;
  }

  // Why it waited, as far as that is known.
  function reason_of({meta, states, causes}, segment) {
    const {CODE} = ftwait.state;
    const cause = meta.causes[causes[segment]];
    const words = cause?.words || meta.states[states[segment] & CODE].label;
    const doubt = cause && cause.confidence === 0 ? ' (uncertain)' : '';
    return ftwait.text.clean(words) + doubt;
  }

  // One row of the longest waits: as the tables that the program wrote have them.
  function wait_row(data, wait) {
    const waker = data.meta.causes[data.causes[wait.segment]]?.waker ?? -1;
    const row = element('tr', null);
    row.append(
      element('td', ftwait.text.task_name(data, wait.task, wait.begin), {'data-task': wait.task}),
      element('td', ftwait.text.instant(wait.begin),
        {class: 'figure', 'data-at': wait.begin, 'data-value': wait.begin}),
      element('td', ftwait.text.duration(wait.length),
        {class: 'figure', 'data-value': wait.length}),
      element('td', reason_of(data, wait.segment)),
      waker < 0 ? element('td', '-') : element('td', ftwait.text.task_name(data, waker, wait.end),
        {'data-task': waker, 'data-at': wait.end, 'data-value': ''}));
    return row;
  }

  function longest_table(data, waits, title) {
    const table = element('table', null);
    const heads = element('tr', null);
    for (const [head, is_figure] of [['TASK'], ['FROM', true], ['LENGTH', true], ['WAITED FOR'],
      ['WOKEN BY']])
      heads.append(element('th', head, is_figure ? {class: 'figure'} : {}));
    const head = element('thead', null), body = element('tbody', null);
    head.append(heads);
    body.append(...waits.map(wait => wait_row(data, wait)));
    table.append(element('caption', title), head, body);
    const place = element('div', null, {class: 'table'});
    place.append(table);
    return place;
  }

  // Waits that have not ended are often those of tasks that have nothing to do, and hide the rest.
  function longest_section(data) {
    const tables = [[false, 'Waits that ended'], [true, 'Still waiting at the end']]
      .map(([is_open, title]) => [longest_waits(data, {is_open}), title])
      .filter(([waits]) => waits.length)
      .map(([waits, title]) => longest_table(data, waits, title));
    if (!tables.length)
      return null;
    const section = element('section', null, {class: 'view', id: 'longest_waits'});
    section.append(element('h2', 'Longest waits'), element('p', `At most ${longest_shown} each, ` +
      'of the tasks asked for. Idle time is no wait.', {class: 'note'}), ...tables);
    return section;
  }

  function longest_insert(root, data) {
    const section = longest_section(data);
    if (!section)
      return;
    const main = root.querySelector('main') ?? root;
    const before = ['chains', 'critical_path', 'summary'].map(id =>
      main.querySelector(`:scope > #${id}`)).find(one => one);
    if (before)
      before.after(section);
    else
      main.insertBefore(section, main.querySelector(':scope > #health'));
  }

  const units = {s: 1e9, ms: 1e6, us: 1e3, ns: 1};

  // The number that a text is, with or without a unit of time, or leads to: "65 -> 118", "+2.5 ms".
  // NaN where it is anything else.
  function figure_of(text) {
    const figure = '([-+]?[0-9]+(?:[.][0-9]+)?)(?: (s|ms|us|ns))?';
    const found = new RegExp(`^(?:${figure} -> )?${figure}$`).exec(text);
    return found ? Number(found[3]) * (units[found[4]] ?? 1) : NaN;
  }

  // A cell's value to sort by.
  function cell_read(cell) {
    const value = cell?.dataset.value, text = cell?.textContent.trim() ?? '';
    return {value: value === undefined ? figure_of(text) : value === '' ? NaN : Number(value),
      text};
  }

  // Figures begin with the largest, texts with the first; then the other way; then as they stood.
  function next_order(now, is_figure) {
    const orders = is_figure ? ['descending', 'ascending', 'none'] :
      ['ascending', 'descending', 'none'];
    return orders[(orders.indexOf(now) + 1) % 3];
  }

  const depth_of = row => Number(/\bdepth-(\d+)/.exec(row.cells[0].className)?.[1] ?? 0);

  function sort_by(table, head, rows) {
    const order = next_order(head.getAttribute('aria-sort') ?? 'none',
      head.classList.contains('figure'));
    for (const other of head.parentNode.cells)
      other.setAttribute('aria-sort', other === head ? order : 'none');
    const cells = rows.map(row => cell_read(row.cells[head.cellIndex]));
    const depths = table.classList.contains('tree') ? rows.map(depth_of) : rows.map(() => 0);
    const sorted = order === 'none' ? rows :
      tree_order(depths, cells, order === 'descending').map(at => rows[at]);
    table.tBodies[0].append(...sorted);
  }

  function heads_prepare(table) {
    const heads = table.tHead?.rows[table.tHead.rows.length - 1];
    const rows = [...table.tBodies[0]?.rows ?? []];
    if (!rows.length)
      table.parentNode.hidden = true; // heads of nothing
    if (!heads || rows.length < 2)
      return;
    for (const head of heads.cells) {
      const button = element('button', null, {type: 'button', class: 'sort'});
      button.append(...head.childNodes);
      head.append(button);
      head.setAttribute('aria-sort', 'none');
      button.addEventListener('click', () => sort_by(table, head, rows));
    }
  }

  const number_of = (cell, name) =>
    cell?.dataset[name] === undefined ? null : Number(cell.dataset[name]);

  // Where a cell leads: to its own task and instant, and what it lacks is the row's.
  function place_of(row, cell, places) {
    const find = selector => cell.matches(selector) ? cell : row.querySelector(selector);
    const with_task = find('[data-task], [data-tid]');
    const at = number_of(find('[data-at]'), 'at');
    const task = number_of(with_task, 'task') ??
      (with_task ? places.find_task(number_of(with_task, 'tid'), at,
        number_of(with_task, 'machine')) : null);
    return {task: task ?? -1, at};
  }

  const leading = '[data-at], [data-tid], [data-task]';

  // What leads somewhere is a button, so that the keyboard reaches it, too.
  function links_prepare(root) {
    for (const cell of root.querySelectorAll(leading)) {
      if (!cell.textContent.trim())
        continue;
      const button = element('button', null, {type: 'button', class: 'link',
        title: 'Show in the flow'});
      button.append(...cell.childNodes);
      cell.append(button);
      cell.closest('tr, dd').classList.add('leads');
    }
    for (const from of root.querySelectorAll('[data-next]')) {
      const title = ftwait.next.command(from);
      (from.cells?.[0] ?? from).append(element('button', '', {type: 'button', class: 'next', title,
        'aria-label': 'What is behind it'}));
      from.classList.add('leads');
    }
  }

  // What turns text round is shown as what it is, as in the pictures.
  function text_prepare(root) {
    for (const cell of root.querySelectorAll('td, dd')) {
      const text = ftwait.text.clean(cell.textContent);
      if (text !== cell.textContent)
        cell.textContent = text;
    }
  }

  function links_listen(root, data, places) {
    root.addEventListener('click', event => {
      const button = event.target.closest('button.next');
      const cell = event.target.closest('td, dd') ?? button;
      const row = cell?.closest('.leads');
      // whoever marks text wants to copy it
      if (!row || !getSelection().isCollapsed)
        return;
      const own = button ? null : cell.querySelector('button.link');
      const {task, at} = place_of(row, own ? cell : row, places);
      if (!own && row.dataset.next)
        ftwait.next.follow(data, row, {task, at}, places);
      else if (task >= 0 || at !== null)
        places.show({task, at}, own ?? row.querySelector('button.link'));
    });
  }

  function section_go(section) {
    section.tabIndex = -1;
    section.focus({preventScroll: true});
    section.scrollIntoView();
  }

  function name_of(section) {
    const words = section.querySelector('h2')?.textContent.trim() || section.id.replace(/_/g, ' ');
    return words.charAt(0).toUpperCase() + words.slice(1);
  }

  // Links to the sections. The address stays as it is: in it is the place in the flow.
  function sections_show(root) {
    const header = root.querySelector('header');
    const sections = [...root.querySelectorAll('main > section[id]')];
    if (!header || sections.length < 2)
      return;
    const nav = element('nav', null, {class: 'sections', 'aria-label': 'Sections'});
    for (const section of sections) {
      if (section.hidden)
        continue;
      const link = element('a', name_of(section), {href: `#${section.id}`});
      link.addEventListener('click', event => {
        event.preventDefault();
        section_go(section);
      });
      nav.append(link);
    }
    header.append(nav);
  }

  // `root`: the document; `data` may be null, where they cannot be read; `places`: the ways into
  // the flow. What the page shows has to be there by then.
  function start(root, data, places) {
    if (data)
      longest_insert(root, data);
    for (const section of root.querySelectorAll('section.view')) {
      text_prepare(section);
      links_prepare(section);
      section.querySelectorAll('table').forEach(heads_prepare);
    }
    links_listen(root, data, places);
    sections_show(root);
  }

  ftwait.tables = {start, order_of, tree_order, longest_waits, next_order, figure_of, section_go,
    name_of};
}

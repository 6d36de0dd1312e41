// SPDX-License-Identifier: GPL-2.0-or-later
// What a page of `report --format html` has to do: {what: check(page, facts, expect)}, each on a page
// just loaded; only the first ones, which change nothing, are on one page. `facts` is of page.mjs.
// What a recording has nothing of is not asked for.
import { is_mixed, is_wait, sums_of } from './page_data.mjs';
import { icicle_checks } from './icicle_checks.mjs';
import { rows_checks } from './rows_checks.mjs';
import { trail_checks } from './trail_checks.mjs';

const flow = 'ftwait.flow.view';
const equal = (expect, what, is, should) => expect(JSON.stringify(is) === JSON.stringify(should),
	`${what} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`);
const path_most = 1e6; // parts, and entries of merged ones
const seconds = (ns) => (ns / 1e9).toFixed(9);
const selected = (page) => page.evaluate(`(({ selected, data }) => selected?.kind === 'segment' ?
	{ task: selected.task, begin: data.begins[selected.index], end: data.begins[selected.index + 1] } :
	selected && { kind: selected.kind })(${flow})`);
const shown = (page) => page.evaluate(`[${flow}.view.begin, ${flow}.view.end]`);
const colors = (page) => page.evaluate(`(() => {
	const canvas = document.querySelector('#flow-canvas');
	const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
	return [...new Set(new Uint32Array(data.buffer))].length; })()`);
const chart = async (page) => {
	await page.place('#flow-overlay');
	return page.evaluate(`(() => { const { left, top, width, height } =
		document.querySelector('#flow-overlay').getBoundingClientRect();
		const { label } = ${flow}.view;
		return { left: left + label, right: left + width, top, x: left + (label + width) / 2,
			y: top + height / 2 }; })()`);
};

// The longest wait of an asked task that another task ended, and no disk.
function wait_choose({ data: { meta, tasks } }) {
	const waker = ({ cause }) => meta.causes[cause]?.[3] ?? -1;
	return tasks.flat().filter((one) => is_wait(one) && meta.tasks[one.task][3] & 1 &&
		one.end - one.begin >= 100 && meta.states[one.code].key !== 'disk' &&
		waker(one) >= 0 && waker(one) !== one.task)
		.map((one) => ({ ...one, waker: waker(one) }))
		.sort((a, b) => b.end - b.begin - a.end + a.begin)[0];
}

const place_of = (wait) => `#t=${seconds(wait.begin)}-${seconds(wait.end)}`;

async function check_counts(page, { data }, expect) {
	const told = await page.evaluate('({ ...document.documentElement.dataset })');
	equal(expect, 'data-segments', +told.segments, data.segments);
	equal(expect, 'data-tasks', +told.tasks, data.meta.tasks.length);
	equal(expect, 'lines of errors', await page.evaluate("document.querySelectorAll('.error').length"), 0);
	if (data.segments > 10)
		expect(await colors(page) > 4, 'the flow is blank');
}

// The page has decoded what is in it: the same sums of states as a decoder of our own has.
async function check_decoding(page, { data }, expect) {
	const theirs = await page.evaluate(`${flow}.data.tasks.map(({ first, count }) => {
		const { begins, states } = ${flow}.data, sums = {};
		for (let i = first; i < first + count; i++)
			sums[states[i] & 63] = (sums[states[i] & 63] ?? 0) + begins[i + 1] - begins[i];
		return sums; })`);
	data.tasks.forEach((segments, task) => {
		const ours = {};
		for (const { code, begin, end } of segments)
			ours[code] = (ours[code] ?? 0) + end - begin;
		equal(expect, `task ${task}`, Object.entries(theirs[task]), Object.entries(ours));
	});
}

// Tasks of two machines may have one tid.
const id_of = (tid, machine) => machine === undefined ? tid : `${machine}:${tid}`;

// A tid may have been several tasks'.
function sums_by_tid(rows) {
	const sums = new Map();
	for (const [tid, row] of rows) {
		const sum = sums.get(tid) ?? { running: 0, runnable: 0, waiting: 0, stopped: 0 };
		for (const key of Object.keys(sum))
			sum[key] += row[key];
		sums.set(tid, sum);
	}
	return sums;
}

// Tasks that were asked for, and the recorder's, which a page shows apart, but the report lists with --all.
const ASKED = 1, RECORDER = 16;
const may_be_listed = (task) => task[3] & (ASKED | RECORDER);

// What the page was made of: the states of each asked task, to the ns, are those of the summary.
async function check_summary(page, { data, summary }, expect) {
	if (!summary)
		return;
	const listed = new Set(summary.summary.tasks.map((row) => id_of(row.task.tid, row.task.machine)));
	const asked = data.meta.tasks.map((task, index) => [id_of(task[0], task[6]), index, task])
		.filter(([id, , task]) => task[3] & ASKED || (may_be_listed(task) && listed.has(id)));
	const ours = sums_by_tid(asked.map(([tid, index]) => [tid, sums_of(data.tasks[index])]));
	const theirs = sums_by_tid(summary.summary.tasks.map((row) => [id_of(row.task.tid, row.task.machine), {
		running: row.running_ns, runnable: row.runnable_ns, stopped: row.stopped_ns,
		waiting: Object.values(row.waiting_ns).reduce((sum, time) => sum + time, 0) }]));
	expect(asked.length > 0 || theirs.size === 0, 'no task was asked for');
	for (const [tid, sums] of ours)
		equal(expect, `time of ${tid}`, sums, theirs.get(tid));
	equal(expect, 'tids', [...theirs.keys()].filter((tid) => !ours.has(tid)), []);
}

// All waits that --waits lists are segments, also those without work and those while it was stopped;
// but for merged ones.
async function check_waits(page, { data, waits }, expect) {
	if (!waits || data.meta.merged)
		return;
	const key = (tid, begin, end) => `${tid} ${begin} ${end}`;
	const is_listed = (one) => may_be_listed(data.meta.tasks[one.task]) &&
		(is_wait(one) || one.code === 2 || one.code === 3);
	const ours = new Set(data.tasks.flat().filter(is_listed)
		.map(({ task, begin, end }) =>
			key(id_of(data.meta.tasks[task][0], data.meta.tasks[task][6]), begin, end)));
	const base = Number(data.meta.origin);
	const missing = waits.waits.filter(({ begin_ns, end_ns }) => end_ns !== null && end_ns > begin_ns)
		.filter(({ task, begin_ns, end_ns }) =>
			!ours.has(key(id_of(task.tid, task.machine), begin_ns - base, end_ns - base)));
	expect(!missing.length, `${missing.length} waits are no segments, the first is ` +
		JSON.stringify(missing[0] && [missing[0].task, missing[0].begin_ns, missing[0].end_ns]));
}

// By a key of (task, code) the time of the path's parts.
function path_sums(parts, key) {
	const sums = {};
	for (const { entries } of parts)
		for (const [task, code, time] of entries)
			sums[key(task, code)] = (sums[key(task, code)] ?? 0) + time;
	return sums;
}

const sorted = (sums) => Object.entries(sums).filter(([, time]) => time > 0).sort();

// What the report says of the path is what the page's parts sum to: by state and kind, and by task.
function path_compare({ data: { meta, path }, critical_path: { critical_path: told } }, expect) {
	const kinds = {}, tasks = {};
	for (const { state, kind, total_ns } of told.by_kind) {
		const key = state === 'waiting' ? kind ?? 'unknown' : state;
		kinds[key] = (kinds[key] ?? 0) + total_ns;
	}
	for (const { task, total_ns } of told.by_task)
		tasks[id_of(task.tid, task.machine)] = (tasks[id_of(task.tid, task.machine)] ?? 0) + total_ns;
	equal(expect, 'the path by kind', sorted(path_sums(path, (_, code) => meta.states[code].key)),
		sorted(kinds));
	const ours = Object.fromEntries(sorted(path_sums(path, (task) =>
		id_of(meta.tasks[task][0], meta.tasks[task][6]))));
	for (const [tid, time] of Object.entries(tasks)) // which lists the first ones
		equal(expect, `the path on ${tid}`, ours[tid], time);
}

// What the path waited for on another machine at a time that is not known well enough.
async function check_order(page, { data: { path }, critical_path }, expect) {
	const told = critical_path?.critical_path.parts;
	if (told?.length === path.length)
		equal(expect, 'parts with an order that is not known',
			await page.evaluate(`${flow}.data.path ? Array.from({ length: ${path.length} },
				(_, i) => +ftwait.walk.is_order_unknown(${flow}.data, i)).join('') : ''`),
			[...told].sort((a, b) => a.begin_ns - b.begin_ns)
				.map(({ cause }) => +Boolean(cause?.order_unknown)).join(''));
}

// Between borders of parts the totals of a range are exact, those of merged parts, too.
async function check_path(page, facts, expect) {
	const { meta, path } = facts.data;
	if (facts.critical_path)
		path_compare(facts, expect);
	if (!path.length)
		return;
	await check_order(page, facts, expect);
	for (const share of [0, 0.2, 0.5, 0.9]) {
		const from = Math.floor(path.length * share), to = Math.min(path.length, from + 5000);
		const parts = path.slice(from, to);
		const theirs = await page.evaluate(`(({ data }) => { const { keys } = ftwait.classes;
			return [...ftwait.lod.totals(data.path_track, ${parts[0].begin}, ${parts.at(-1).end})]
				.map((time, i) => [keys[i], Math.round(time)]); })(${flow})`);
		equal(expect, `the path's parts ${from} to ${to}`, sorted(Object.fromEntries(theirs)),
			sorted(path_sums(parts, (_, code) => meta.states[code].class)));
	}
	const notes = await page.evaluate("document.querySelector('#flow-notes').textContent");
	equal(expect, 'merged parts that are told', /[0-9,]+ parts of the critical path .* merged/.test(notes),
		path.some(is_mixed));
	const weight = path.reduce((sum, { code, entries }) => sum + 1 +
		(is_mixed({ code }) ? entries.length : 0), 0);
	expect(weight <= path_most, `the path tells ${weight} things`);
	equal(expect, 'merged parts', path.filter(is_mixed).reduce((sum, { parts }) => sum + parts, 0),
		meta.merged_path?.count ?? 0);
	await check_part_panel(page, path.findIndex(is_mixed), facts, expect);
}

// The panel of merged parts says how many, in which states, and whose.
async function check_part_panel(page, index, { data: { meta, path } }, expect) {
	if (index < 0)
		return;
	await page.evaluate(`${flow}.select({ kind: 'path', index: ${index} }, { reveal: true })`);
	await page.settle();
	const told = await page.evaluate("document.querySelector('#flow-panel').textContent");
	const { parts, entries } = path[index];
	expect(told.includes(`${parts} short parts of the path, merged`), `the panel says ${told}`);
	for (const [task] of entries.slice(0, 6))
		expect(told.includes(`[${meta.tasks[task][0]}]`), `the panel does not name ${meta.tasks[task]}`);
}

async function check_hash(page, facts, expect) {
	const { begin, end } = facts.data.meta;
	const wanted = [begin + (end - begin) / 4, begin + (end - begin) / 2].map(Math.round);
	await page.load(`${facts.url}#t=${wanted.map(seconds).join('-')}`);
	const near = async (what) => {
		const at = await shown(page);
		expect(at.every((time, i) => Math.abs(time - wanted[i]) <= (end - begin) / 500),
			`${what}: shows ${at}, not ${wanted}`);
	};
	if (end - begin < 1000)
		return;
	await near('loaded with a place');
	wanted[0] = Math.round(begin + (end - begin) / 3);
	await page.evaluate(`void (location.hash = '#t=${wanted.map(seconds).join('-')}')`);
	await page.settle();
	await near('sent to a place');
	await page.key('f');
	equal(expect, 'fit', await shown(page), [begin, end]);
	await page.evaluate("void (location.hash = '#t=9-1&task=nobody')");
	await page.settle();
	equal(expect, 'after a place that is none', await shown(page), [begin, end]);
}

async function check_moving(page, { data: { meta } }, expect) {
	const whole = meta.end - meta.begin;
	const at = await chart(page);
	if (whole < 1000)
		return;
	for (let i = 0; i < 4; i++)
		await page.wheel(at.x, at.y, -100);
	const near = await shown(page);
	expect(near[1] - near[0] < whole * 0.7, 'the wheel does not zoom in');
	expect(near[0] > meta.begin && near[1] < meta.end, 'what is pointed at does not stay');
	await page.drag([at.x, at.y], [at.x - 150, at.y]);
	const moved = await shown(page);
	expect(moved[0] > near[0] && Math.abs(moved[1] - moved[0] - near[1] + near[0]) < 2,
		'dragging does not move');
	await page.key('a');
	expect((await shown(page))[0] < moved[0], 'A does not move to the left');
	await page.key('w');
	const closer = await shown(page);
	expect(closer[1] - closer[0] < moved[1] - moved[0], 'W does not zoom in');
	await page.until("/^#t=/.test(location.hash)");
	expect(await page.evaluate("/^#t=[0-9.]+-[0-9.]+$/.test(location.hash)"), 'the link does not follow');
}

// By clicks from a wait to who ended it, and on, and the same way back.
async function check_walk(page, facts, expect) {
	const wait = wait_choose(facts);
	if (!wait)
		return;
	const { meta } = facts.data, task = meta.tasks[wait.task];
	await page.load(`${facts.url}${place_of(wait)}&task=${task[0]}` +
		(task[6] === undefined ? '' : `&machine=${task[6]}`));
	const first = await selected(page);
	equal(expect, 'selected by the link', first,
		{ task: wait.task, begin: wait.begin, end: wait.end });
	let steps = 0;
	while (steps < 6 && await page.evaluate("!!document.querySelector('#flow-panel .way.first')")) {
		await page.click_on('#flow-panel .way.first');
		const now = await selected(page);
		if (steps++)
			continue;
		equal(expect, 'whom the first click leads to', now?.task, wait.waker);
		expect(now && now.begin < wait.end && now.end >= wait.end,
			`the first click leads to ${JSON.stringify(now)}, not to before ${wait.end}`);
	}
	expect(steps > 0, 'a wait with a waker leads nowhere');
	await page.evaluate("document.querySelector('#flow-overlay').focus({ preventScroll: true })");
	for (let i = 0; i < steps; i++)
		await page.key('Backspace');
	equal(expect, 'the way back', await selected(page), first);
}

async function check_search(page, { data: { meta } }, expect) {
	const tid = meta.tasks.find((task) => task[3] & 1)?.[0];
	if (!tid)
		return;
	await page.evaluate("document.activeElement.blur()");
	await page.key('/');
	equal(expect, 'what / leads to', await page.evaluate('document.activeElement.id'), 'flow-search');
	await page.type(String(tid));
	await page.key('Enter');
	expect(await page.until("/^[0-9,]+ of [0-9,]+/.test(document.querySelector('#flow-found').textContent)"),
		`tid ${tid} is not found`);
	await page.evaluate("document.querySelector('#flow-search').value = ''");
	await page.type('nothing is called like this');
	await page.key('Enter');
	expect(await page.until("document.querySelector('#flow-found').textContent === 'nothing'"),
		'what is not there is found');
}

async function check_keys(page, { data: { tasks } }, expect) {
	if (!tasks.flat().some(is_wait))
		return;
	await page.evaluate("document.querySelector('#flow-overlay').focus()");
	await page.key('j');
	await page.key('j');
	await page.key('Enter');
	await page.key('Enter');
	expect(await page.evaluate("document.querySelector('#flow-spoken').textContent.length > 5"),
		'keys move without a word');
	await page.key('Escape');
	equal(expect, 'after Escape', await selected(page), null);
}

async function check_dark(page, { data }, expect) {
	const look = () => page.evaluate(`(() => {
		const canvas = document.querySelector('#flow-canvas');
		const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
		let sum = 0;
		for (let i = 0; i < data.length; i += 4)
			sum += data[i] + data[i + 1] + data[i + 2];
		return [getComputedStyle(document.documentElement).backgroundColor, sum / data.length * 4 / 3]; })()`);
	await page.media('light');
	await page.settle();
	const light = await look();
	await page.media('dark');
	await page.settle();
	const dark = await look();
	expect(light[0] !== dark[0], 'the page is the same in the dark');
	if (data.segments > 10)
		expect(dark[1] < light[1] - 40, `the flow is as light in the dark: ${dark[1]} of ${light[1]}`);
}

// A line where the trigger fired, as high as the rows are, in light and in the dark, and in words.
async function check_trigger(page, { data: { meta } }, expect) {
	const told = await page.evaluate("document.querySelector('#flow-notes').textContent");
	equal(expect, 'the trigger in words', told.includes('where the trigger fired'), !!meta.trigger);
	if (!meta.trigger)
		return;
	expect(told.includes(`${(meta.trigger.at / 1e9).toFixed(6)} s`), `another time: ${told}`);
	for (const scheme of ['light', 'dark']) {
		await page.media(scheme);
		await page.settle();
		const [share, beside] = await page.evaluate(`(() => {
			const canvas = document.querySelector('#flow-canvas'), { view, palette } = ${flow};
			const color = parseInt(palette.trigger.slice(1), 16), { AXIS, trigger_x } = ftwait.drawing;
			const top = (AXIS + 8) * view.scale, height = canvas.height - top;
			const share_at = x => { let count = 0;
				const { data } = canvas.getContext('2d').getImageData(x * view.scale, top, 1, height);
				for (let i = 0; i < data.length; i += 4)
					count += (data[i] << 16 | data[i + 1] << 8 | data[i + 2]) === color;
				return count / height; };
			const x = trigger_x(${flow}.data, view);
			return [share_at(x), share_at(x - 8)]; })()`);
		expect(share === 1, `the ${scheme} line takes ${share} of the height`);
		expect(beside === 0, `the ${scheme} line is at ${beside} beside itself`);
	}
}

const cells = (page, table, column) => page.evaluate(`[...document.querySelectorAll(
	'${table} tbody tr')].map(({ cells }) => [cells[${column}]?.dataset.value ?? null,
	cells[${column}]?.textContent, /depth-[1-9]/.test(cells[0].className)])`);

// Every table, by its first figure and its first text: falling, rising, and as it was.
async function check_sorting(page, { summary }, expect) {
	const tables = await page.evaluate(`[...document.querySelectorAll('.table table')].map((table, i) => {
		table.id ||= 'table-' + i;
		const heads = [...table.querySelectorAll('thead th')];
		return { id: table.id, rows: table.tBodies[0].rows.length,
			heads: heads.map((head) => head.classList.contains('figure')) };
	})`);
	expect(tables.length > 0 || !summary, 'there is no table');
	for (const { id, rows, heads } of tables) {
		const column = heads.indexOf(true);
		if (rows < 2 || column < 0)
			continue;
		const table = `#${CSS_escape(id)}`, head = `${table} thead th:nth-child(${column + 1})`;
		const before = await cells(page, table, column);
		// rows below others are sorted among each other
		const rising = (list) => list.filter(([value, , is_below]) => value !== null && value !== '' &&
			!is_below).map(([value]) => Number(value)).every((value, i, all) => !i || all[i - 1] <= value);
		await page.click_on(`${head} button`);
		expect(rising((await cells(page, table, column)).reverse()), `${id} is not sorted, the largest first`);
		equal(expect, 'aria-sort', await page.evaluate(
			`document.querySelector(${JSON.stringify(head)}).getAttribute('aria-sort')`), 'descending');
		await page.evaluate(`document.querySelector(${JSON.stringify(`${head} button`)}).focus()`);
		await page.key('Enter');
		expect(rising(await cells(page, table, column)), `${id} is not sorted, the smallest first`);
		await page.key('Enter');
		equal(expect, `${id}, not sorted again`, await cells(page, table, column), before);
	}
}

const CSS_escape = (id) => id.replace(/[^A-Za-z0-9_-]/g, (character) => `\\${character}`);

// A row leads to its task and instant, by its cells' buttons as by itself.
async function check_links(page, { data, summary }, expect) {
	const rows = await page.evaluate(`[...document.querySelectorAll('.table tr.leads')].map((row, i) => {
		row.id = 'row-' + i;
		const number = (name) => { const cell = row.querySelector('[data-' + name + ']');
			return cell && Number(cell.dataset[name]); };
		return { id: row.id, at: number('at'), tid: number('tid'), task: number('task'),
			machine: number('machine') };
	})`);
	for (const { id, at, tid, task, machine } of [...rows.slice(0, 3), ...rows.slice(-3)]) {
		if (at === null || (tid === null && task === null) || at > data.meta.end || at < data.meta.begin)
			continue;
		await page.click_on(`#${id} td button.link`);
		const now = await selected(page);
		const shown_tid = now?.task === undefined ? null : data.meta.tasks[now.task][0];
		equal(expect, `the task that ${id} leads to`, shown_tid, tid ?? data.meta.tasks[task][0]);
		if (machine !== null)
			equal(expect, `its machine`, data.meta.tasks[now?.task]?.[6], machine);
		expect(now && now.begin <= at && at <= now.end, `${id} leads to ${JSON.stringify(now)}, not ${at}`);
	}
	// Without a task: to who began to wait then; nothing of before stays selected.
	const nobodys = rows.find(({ at, tid, task }) => at !== null && tid === null && task === null);
	if (nobodys) {
		await page.click_on(`#${nobodys.id} td button.link`);
		const now = await selected(page), from = nobodys.at;
		const is_begin = data.tasks.flat().some(({ begin, code }) => begin === from && is_wait({ code }));
		expect(now ? now.begin === from : !is_begin,
			`${nobodys.id} leads to ${JSON.stringify(now)}, not to who began to wait at ${from}`);
	}
	equal(expect, 'ways to sections that are hidden or not there', await page.evaluate(
		`[...document.querySelectorAll('nav.sections a')].filter(({ hash }) =>
			!document.querySelector(hash) || document.querySelector(hash).hidden).length`), 0);
	expect(!summary || await page.evaluate("document.querySelectorAll('nav.sections a').length > 2"),
		'no way to the sections');
	if (data.tasks.flat().some(is_wait))
		expect(await page.evaluate("!!document.querySelector('#longest_waits tbody tr')"),
			'no longest waits');
}

// The options of a row, those in quotes left out: { from, to, tid } as far as they say it, ns.
function options_read(options) {
	const bare = options.replace(/\$'(\\.|[^'\\])*'|'[^']*'|\\./g, '');
	const [, from, to] = / --from ([0-9.]+) --to ([0-9.]+)/.exec(bare)?.map((text) => Math.round(text * 1e9)) ?? [];
	return { from, to, tid: /(?:--tid |--critical-path=)(?:[^ ,]*:)?([0-9]+)(?: |$)/.exec(bare)?.[1] };
}

// The first row of each table, and the first sentence of each section: its button leads to the window and
// the task of the options that it names, or to a section, and the panel has the command.
async function check_next(page, { data: { meta } }, expect) {
	const rows = await page.evaluate(`(() => { const seen = new Set();
		return [...document.querySelectorAll('[data-next]')].filter((row) => {
			const place = row.closest('table') ?? row.parentNode;
			return !seen.has(place) && seen.add(place); })
			.map((row, i) => { row.id = 'next-' + i;
				const { id, dataset: { next } } = row;
				return { id, next, title: row.querySelector('button.next').title }; }); })()`);
	const report = await page.evaluate("document.querySelector('main').dataset.report ?? null");
	for (const { id, next, title } of rows) {
		const { from, to, tid } = options_read(next), what = `${id}, ${next}`;
		await page.key('f');
		await page.click_on(`#${id} button.next`);
		equal(expect, `the command of ${what}`, title, `${report} ${next}`);
		const now = await page.evaluate(`({ begin: ${flow}.view.begin, end: ${flow}.view.end,
			chosen: ${flow}.data.tasks[${flow}.layout.of_key.get(${flow}.chosen_row)?.task]?.tid ?? null,
			told: document.querySelector('#flow-panel .behind code')?.textContent ?? null,
			section: document.activeElement.closest('section.view')?.id ?? null })`);
		const wanted = [Math.max(from, meta.begin), Math.min(to, meta.end)];
		const is_part = wanted[1] - wanted[0] >= 1000 &&
			(wanted[0] >= meta.begin + 1000 || wanted[1] <= meta.end - 1000);
		if (now.section && !is_part && tid === undefined) {
			expect(next.includes(`--${now.section.replace(/_/g, '-')}`), `${what} leads to ${now.section}`);
			continue;
		}
		equal(expect, `what the panel tells of ${what}`, now.told, title);
		if (is_part)
			expect(Math.abs(now.begin - wanted[0]) < 2 && Math.abs(now.end - wanted[1]) < 2,
				`${what} leads to ${now.begin} to ${now.end}`);
		if (tid !== undefined)
			equal(expect, `the task of ${what}`, now.chosen, Number(tid));
	}
}

// What the longest waits are, another decoder says, too.
async function check_longest(page, { data }, expect) {
	const rows = await page.evaluate(`[...document.querySelectorAll('#longest_waits table')]
		.map((table) => [...table.tBodies[0].rows].map(({ cells }) => Number(cells[2].dataset.value)))`);
	const is_any = data.meta.tasks.some((task) => task[3] & 1);
	const is_asked = ({ task }) => !is_any || data.meta.tasks[task][3] & 1;
	const waits = data.tasks.flat().filter((one) => is_wait(one) && is_asked(one));
	const expected = [false, true].map((is_open) => waits.filter((one) => one.is_open === is_open)
		.map(({ begin, end }) => end - begin).sort((a, b) => b - a).slice(0, 50))
		.filter((list) => list.length);
	equal(expect, 'the longest waits', rows, expected);
}

// Names are text: nothing of them has become an element, and scripts of others do not run.
async function check_names(page, { data }, expect) {
	const scripts = (data.text.match(/<script/g) ?? []).length;
	const found = await page.evaluate(`({ scripts: document.scripts.length,
		others: document.querySelectorAll('img, iframe, object, embed, link, base, svg').length,
		handlers: [...document.querySelectorAll('*')].filter(({ attributes }) =>
			[...attributes].some(({ name }) => name.startsWith('on'))).length })`);
	equal(expect, 'what is in the page', found, { scripts, others: 0, handlers: 0 });
	equal(expect, 'policy', await page.evaluate(
		"document.querySelector('meta[http-equiv]').content.replace(/('sha256-[A-Za-z0-9+/=]+' ?)+/g, 'HASH')"),
	"default-src 'none'; style-src HASH; script-src HASH");
	expect(!/<[^>]* (style|on[a-z]+)=/.test(data.text.replace(/<script[^]*?<\/script>/g, '')),
		'styles or handlers stand in the markup');
	const errors = page.errors.length;
	const injected = await page.evaluate(`(() => { const script = document.createElement('script');
		script.textContent = 'globalThis.injected = true'; document.body.append(script);
		return globalThis.injected === true; })()`);
	expect(!injected, 'a script that is not its own runs');
	page.errors.splice(errors); // the policy says so
}

// At widths of telephones nothing but tables and pictures, in places of their own, is cut off.
async function check_narrow(page, facts, expect) {
	await page.ask('Emulation.setDeviceMetricsOverride',
		{ width: 400, height: 800, deviceScaleFactor: 2, mobile: false });
	await page.settle();
	const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
	expect(over <= 0, `${over} pixels too wide for a telephone`);
}

export const reading_checks = { counts: check_counts, decoding: check_decoding, summary: check_summary,
	waits: check_waits, longest: check_longest };
export const checks = { ...reading_checks, path: check_path, hash: check_hash, moving: check_moving, walk: check_walk,
	search: check_search,
	keys: check_keys, dark: check_dark, trigger: check_trigger,
	sorting: check_sorting, links: check_links, next: check_next,
	...rows_checks, ...trail_checks, ...icicle_checks,
	narrow: check_narrow, names: check_names };

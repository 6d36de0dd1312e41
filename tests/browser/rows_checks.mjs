// SPDX-License-Identifier: GPL-2.0-or-later
// Which rows a page shows when it is zoomed: checks as those of page_checks.mjs.
const flow = 'ftwait.flow.view';
const unknown = 4, absent = 5;
const zoomable = 1e5; // ns: of less a page shows no parts that small
const equal = (expect, what, is, should) => expect(JSON.stringify(is) === JSON.stringify(should),
	`${what} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`);

const tasks_of = (page, rows) => page.evaluate(
	`${flow}.layout.${rows}.filter(({ kind }) => kind === 'task').map(({ task }) => task)`);
const line_of = (page) => page.evaluate(
	"(({ hidden, textContent }) => hidden ? '' : textContent)(document.querySelector('#flow-hidden'))");
const zoom = async (page, begin, end) => {
	await page.evaluate(`${flow}.set_window(${begin}, ${end})`);
	await page.settle();
};
// Of the row of a task: where it is on the screen, null if it is hidden.
const place_of = (page, task) => page.evaluate(`(({ layout, view }) => {
	const row = layout.of_task.get(${task});
	return row && !row.is_hidden ? row.y - view.scroll : null; })(${flow})`);

const is_there = (segments, begin, end) => segments.some((one) => one.code !== unknown &&
	one.code !== absent && one.begin < end && one.end > begin && one.end > one.begin);

// A stretch in which most of the tasks are not there: [begin, end, tasks that are], or null.
function window_choose({ meta, tasks }, of) {
	let best = null;
	for (let k = 0; k < 20; k++) {
		const begin = meta.begin + (meta.end - meta.begin) * k / 20;
		const end = begin + (meta.end - meta.begin) / 40;
		const there = of.filter((task) => is_there(tasks[task], begin, end));
		if (there.length < of.length - 1 && there.length > 1 && !(best && best[2].length <= there.length))
			best = [Math.round(begin), Math.round(end), there];
	}
	return best;
}

async function check_hidden(page, { data }, expect) {
	const { meta } = data, of = await tasks_of(page, 'all');
	equal(expect, 'rows at all time', await tasks_of(page, 'rows'), of);
	equal(expect, 'what is said of them', await line_of(page), '');
	const found = window_choose(data, of);
	if (!found || meta.end - meta.begin < zoomable)
		return;
	const [begin, end, there] = found, owner = meta.path?.task;
	const kept = (...more) => of.filter((task) => there.includes(task) || task === owner || more.includes(task));
	await zoom(page, begin, end);
	equal(expect, 'rows with anything in sight', await tasks_of(page, 'rows'), kept());
	const count = of.length - kept().length;
	const said = await line_of(page);
	expect(said.replace(/,/g, '').startsWith(`${count} row`), `of ${count} it says ${said}`);
	await check_line(page, of, kept(), expect);
	await check_reach(page, data, of, kept, expect);
	await check_place(page, data, there, expect);
}

// The line shows and hides them again, by click and by keyboard.
async function check_line(page, of, kept, expect) {
	await page.click_on('#flow-hidden');
	equal(expect, 'rows that a click shows', await tasks_of(page, 'rows'), of);
	await page.evaluate("document.querySelector('#flow-hidden').focus()");
	await page.key('Enter');
	equal(expect, 'rows that Enter hides', await tasks_of(page, 'rows'), kept);
	await page.evaluate("document.querySelector('#flow-overlay').focus({ preventScroll: true })");
	await page.key('h');
	equal(expect, 'rows that H shows', await tasks_of(page, 'rows'), of);
	expect((await page.evaluate("document.querySelector('#flow-spoken').textContent")).includes('shown'),
		'H shows rows without a word');
	await page.key('h');
	equal(expect, 'rows that H hides', await tasks_of(page, 'rows'), kept);
}

// J, search and a jump lead to rows that are hidden: they are shown then.
async function check_reach(page, { meta, tasks }, of, kept, expect) {
	const hidden = of.find((task) => !kept().includes(task)), at = of.indexOf(hidden);
	const chosen = () => page.evaluate(`${flow}.chosen_row`);
	await page.evaluate(`${flow}.choose(${at ? `'task:${of[at - 1]}'` : 'null'})`);
	for (let i = 0; i < 20 && await chosen() !== `task:${hidden}`; i++)
		await page.key('j');
	equal(expect, 'what J reaches', await chosen(), `task:${hidden}`);
	equal(expect, 'rows with that one', await tasks_of(page, 'rows'), kept(hidden));
	await page.key('Escape');
	equal(expect, 'rows without it', await tasks_of(page, 'rows'), kept());
	await page.key('/');
	await page.type(String(meta.tasks[hidden][0]));
	await page.key('Enter');
	const namesakes = meta.tasks.flatMap(([tid], task) => tid === meta.tasks[hidden][0] ? [`task:${task}`] : []);
	await page.until(`${JSON.stringify(namesakes)}.includes(${flow}.chosen_row)`); // a tid may be used again
	const found = Number((await chosen())?.slice('task:'.length));
	equal(expect, 'what is searched for', meta.tasks[found]?.[0], meta.tasks[hidden][0]);
	expect(await place_of(page, found) !== null, 'what is found is hidden');
	await page.evaluate("document.querySelector('#flow-overlay').focus({ preventScroll: true })");
	await page.key('Escape');
	const segment = tasks[hidden].find(({ code, begin, end }) => code < unknown && end > begin);
	if (segment) {
		await page.evaluate(`ftwait.flow.show({ task: ${hidden}, at: ${segment.begin} })`);
		await page.settle();
		expect(await place_of(page, hidden) !== null, 'a jump leads to a row that is hidden');
		await page.key('Escape');
	}
}

// What is selected stays where it is on the screen, else what is pointed at.
async function check_place(page, { meta }, there, expect) {
	const task = there.at(-1), { begin, end } = meta, span = (end - begin) / 40;
	await zoom(page, begin, end);
	await page.evaluate(`${flow}.choose('task:${task}'), ${flow}.reveal_row(${flow}.layout.of_task.get(${task}))`);
	const place = await place_of(page, task);
	for (let k = 0; k < 20; k++) {
		await zoom(page, begin + 2 * k * span, begin + (2 * k + 1) * span);
		equal(expect, `the place of what is selected at ${k}`, await place_of(page, task), place);
	}
	await zoom(page, begin, end);
	equal(expect, 'its place at all time', await place_of(page, task), place);
	await page.key('Escape');
	const { x, y } = await page.evaluate(`(({ view, layout, overlay, data }) => {
		const row = layout.of_task.get(${task}), { left, top } = overlay.getBoundingClientRect();
		const [from, to] = ftwait.walk.presence(data, ${task}), at = Math.max(view.begin, (from + to) / 2);
		return { x: left + view.label + (at - view.begin) / (view.end - view.begin) * view.plot,
			y: top + ftwait.drawing.AXIS + row.y - view.scroll + row.height / 2 }; })(${flow})`);
	await page.move(x, y);
	for (let k = 0; k < 6; k++)
		await page.wheel(x, y, -100);
	equal(expect, 'the place of what is pointed at', await place_of(page, task), place);
}

export const rows_checks = { hidden: check_hidden };

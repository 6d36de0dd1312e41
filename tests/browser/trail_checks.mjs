// SPDX-License-Identifier: GPL-2.0-or-later
// Ways back: of the page, by Backspace, and of the browser. Checks as those of page_checks.mjs.
const flow = 'ftwait.flow.view';
const addressable = 1e5; // ns: of less an address has too few digits
const equal = (expect, what, is, should) => expect(JSON.stringify(is) === JSON.stringify(should),
	`${what} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`);

// All that a step brings back: what is shown in the flow, and where one is in the page.
const place = (page) => page.evaluate(`(({ view, selected, chosen_row }) => ({ selected, chosen_row,
	begin: view.begin, end: view.end, scroll: view.scroll }))(${flow})`);
const focused = (page) => page.evaluate("document.activeElement.closest('tr')?.id ?? null");
const is_visible = (page, selector) => page.evaluate(`(({ top, bottom }) => top < innerHeight && bottom > 0)(
	document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`);

// The browser's own, as its buttons do.
async function history_go(page, by, expected) {
	await page.evaluate(`void history.go(${by})`);
	const is_there = await page.until(`JSON.stringify(${flow}.selected) === ${
		JSON.stringify(JSON.stringify(expected.selected))} && ${flow}.view.begin === ${expected.begin}`);
	await page.settle();
	return is_there;
}

// The pages steps and the browser's entries are the same again.
const agree = (page) => page.until(`history.state?.step === ${flow}.trail.at`);

const rows_find = (page) => page.evaluate(`[...document.querySelectorAll('.table tr.leads')]
	.filter((row) => row.querySelector('[data-at]') && row.querySelector('[data-task], [data-tid]'))
	.map((row, i) => row.id = 'leading-' + i)`);

async function check_trail(page, facts, expect) {
	const rows = await rows_find(page);
	if (rows.length < 2)
		return;
	const [one, other] = [rows[0], rows.at(-1)];
	const begin = await place(page);
	await page.click_on(`#${one} td button.link`);
	const first = await place(page);
	expect(first.selected && await is_visible(page, '#flow-plot'), 'a row leads nowhere');
	equal(expect, 'where keys go to', await page.evaluate('document.activeElement.id'), 'flow-overlay');
	await page.click_on(`#${other} td button.link`);
	const second = await place(page);
	await check_page_back(page, { one, other, begin, first, second }, expect);
	await check_browser_back(page, { one, other, begin, first, second }, expect);
	if (begin.end - begin.begin > addressable)
		await check_branch(page, { one, begin, first }, expect);
}

// By Backspace to the row that led away, which is in sight and has the focus; as fast as one likes.
async function check_page_back(page, { one, other, begin, first, second }, expect) {
	await page.key('Backspace');
	equal(expect, 'the place before the second row', await place(page), first);
	equal(expect, 'the row gone back to', await focused(page), other);
	expect(await is_visible(page, `#${other}`), 'the row gone back to is not in sight');
	expect(await agree(page), 'the history does not follow');
	await page.evaluate('document.activeElement.blur()');
	await page.key('Backspace');
	equal(expect, 'the place before the first row', await place(page), begin);
	equal(expect, 'the first row', await focused(page), one);
	expect(await is_visible(page, `#${one}`), 'the first row is not in sight');
	expect(await page.evaluate("document.querySelector('#flow-back').disabled"), 'there is a way further back');
	expect(await agree(page), 'the history does not follow to the begin');
	expect(await history_go(page, 2, second), 'the browser leads forward to another place');
	await page.evaluate(`${flow}.trail.back(), ${flow}.trail.back()`);
	equal(expect, 'the place after two steps at once', await place(page), begin);
	expect(await agree(page), 'the history does not follow two steps');
}

async function check_browser_back(page, { one, other, begin, first, second }, expect) {
	expect(await history_go(page, 1, first), 'Forward does not lead to where the first row led');
	equal(expect, 'what Forward shows', await place(page), first);
	equal(expect, 'the row that Forward leads to, where one went on from', await focused(page), other);
	expect(await history_go(page, 1, second), 'Forward does not lead on');
	equal(expect, 'what Forward shows then', await place(page), second);
	expect(await history_go(page, -1, first), "the browser's Back does not lead back");
	expect(await history_go(page, -1, begin), "the browser's Back does not lead to the begin");
	equal(expect, "the row the browser's Back leads to", await focused(page), one);
	equal(expect, 'steps', await page.evaluate(`[${flow}.trail.at, history.state.step]`), [0, 0]);
}

// A link from there begins another way; an address that somebody writes is a step, too.
async function check_branch(page, { one, begin, first }, expect) {
	await page.click_on(`#${one} td button.link`);
	equal(expect, 'the same row once more', (await place(page)).selected, first.selected);
	const [from, to] = [1 / 3, 1 / 2].map((share) => begin.begin + (begin.end - begin.begin) * share);
	const is_shown = async () => Math.abs((await place(page)).begin - from) < (to - from) / 100;
	await page.evaluate(`void (location.hash = '#t=${(from / 1e9).toFixed(9)}-${(to / 1e9).toFixed(9)}')`);
	await page.settle();
	expect(await is_shown(), 'an address that is written is not shown');
	const written = await place(page);
	await page.evaluate('document.activeElement.blur()');
	await page.key('Backspace');
	equal(expect, 'the place before the address', (await place(page)).selected, first.selected);
	expect(await agree(page), 'the history does not follow from an address');
	expect(await history_go(page, 1, written), 'Forward does not lead to the address that was written');
	await page.key('Backspace');
	await page.key('Backspace');
	equal(expect, 'the begin again', await place(page), begin);
	expect(await agree(page), 'the history does not follow to the begin');
	await check_reload(page, is_shown, expect);
}

// Loaded anew in the middle of its history the page shows what the address says, also of entries
// from before: the next one is the one that was written.
async function check_reload(page, is_shown, expect) {
	await page.evaluate('void (history.go(1), globalThis.before_reload = true)');
	expect(await page.until(`${flow}.trail.at === 1`), 'Forward does not lead on after all');
	await page.ask('Page.reload');
	await page.until("document.documentElement?.dataset.ready === '1' && !globalThis.before_reload");
	expect(!await is_shown(), 'loaded anew it shows another place');
	await page.evaluate('void history.go(1)');
	expect(await page.until(`history.state?.ftwait === ${flow}.trail.id`),
		'an entry from before is not taken');
	expect(await is_shown(), 'an entry from before is not shown');
}

export const trail_checks = { trail: check_trail };

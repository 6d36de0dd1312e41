// SPDX-License-Identifier: GPL-2.0-or-later
// What the icicle of a page has to do: {what: check(page, facts, expect)}, as page_checks.mjs has them.

const text = (page, selector) => page.evaluate(
	`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`);
const crumbs = (page) => page.evaluate(
	"[...document.querySelectorAll('.icicle-crumbs button')].map(({ textContent }) => textContent)");
const focus = (page) => page.evaluate("document.querySelector('#icicle canvas').focus()");
const has = ({ data: { icicle } }) => icicle?.paths.some(([, total]) => total > 0);
const level = 19; // pixels

const duration = (ns) => {
	for (const [scale, unit] of [[1e9, 's'], [1e6, 'ms'], [1e3, 'us']])
		if (ns >= scale)
			return `${(Math.floor(ns * 1000 / scale) / 1000).toFixed(3)} ${unit}`;
	return `${ns} ns`;
};

// By tree: totals of nodes, by the frames' indices from the root on.
function totals_of({ data: { icicle } }, graph) {
	const totals = new Map([['', 0]]);
	for (const [of, total, , , , frames] of icicle.paths) {
		if (of !== graph)
			continue;
		for (let i = 0; i <= frames.length; i++) {
			const key = frames.slice(0, i).join(' ');
			totals.set(key, (totals.get(key) ?? 0) + total);
		}
	}
	return totals;
}

const first_graph = ({ data: { icicle } }) =>
	Math.min(...icicle.paths.filter(([, total]) => total > 0).map(([graph]) => graph));

async function check_icicle(page, facts, expect) {
	expect(await page.evaluate("!document.querySelector('#icicle')?.hidden") === Boolean(has(facts)),
		'the icicle is hidden, or nothing is in it');
	if (!has(facts))
		return;
	const totals = totals_of(facts, first_graph(facts));
	const all = totals.get('');
	await focus(page);
	await page.key('ArrowDown');
	const root = await text(page, '.icicle-details');
	expect(root.startsWith(`all, ${duration(all)}`), `of ${duration(all)} it has '${root}'`);
	// the first frame of the second level is the heaviest
	const heaviest = Math.max(...[...totals].filter(([key]) => /^\d+$/.test(key)).map(([, total]) => total));
	const place = await page.place('#icicle canvas');
	await page.click(place.left + 4, place.top + level * 1.5);
	expect((await crumbs(page)).length === 2, 'a click does not zoom');
	const details = await text(page, '.icicle-details');
	expect(details?.includes(`${(heaviest / 1e6).toFixed(6)} ms`),
		`the heaviest is ${heaviest} ns: ${details}`);
	await focus(page);
	await page.key('Escape');
	expect((await crumbs(page)).length === 1, 'Escape does not go back');
	await page.click(place.left + 4, place.top + level * 1.5);
	await page.click(place.left + 4, place.top + level * 0.5);
	expect((await crumbs(page)).length === 1, 'a click on the root does not go back');
}

async function check_icicle_keys(page, facts, expect) {
	if (!has(facts))
		return;
	await focus(page);
	await page.key('ArrowDown');
	await page.key('ArrowDown');
	const spoken = await text(page, '.icicle-spoken');
	expect(/share of all/.test(spoken), `arrows say '${spoken}'`);
	await page.key('Enter');
	expect((await crumbs(page)).length === 2, 'Enter does not zoom');
	await page.key('Home');
	expect((await crumbs(page)).length === 1, 'Home does not go back');
}

// Of all frames that have the text of one, nested ones once.
async function check_icicle_search(page, facts, expect) {
	if (!has(facts))
		return;
	const { icicle } = facts.data, graph = first_graph(facts);
	const paths = icicle.paths.filter(([of, total]) => of === graph && total > 0);
	const words = icicle.frames[paths[0][5].at(-1)][0].replace(/[^ -~]/g, '').slice(0, 12);
	if (words.length < 2)
		return;
	const is_match = (index) => icicle.frames[index][0].toLowerCase().includes(words.toLowerCase());
	const time = paths.filter((path) => path[5].some(is_match)).reduce((sum, path) => sum + path[1], 0);
	const all = paths.reduce((sum, path) => sum + path[1], 0);
	await focus(page);
	await page.key('/');
	await page.type(words);
	const share = `${(100 * time / all).toFixed(1)} % of all`;
	const told = await text(page, '.icicle-search output');
	expect(told.includes(`${duration(time)}, ${share}`),
		`'${words}' matches '${told}', not ${duration(time)}, ${share}`);
	await page.key('Escape');
	expect(await text(page, '.icicle-search output') === '', 'Escape does not forget the search');
}

async function check_icicle_link(page, facts, expect) {
	const at = facts.data.icicle?.paths.some((path) => path[4] !== null);
	if (!has(facts) || !at)
		return;
	const place = await page.place('#icicle canvas');
	await page.click(place.left + 4, place.top + level * 1.5);
	if (!await page.evaluate("!!document.querySelector('.icicle-details button.link')"))
		return;
	const time = Number(/at ([0-9.]+)/.exec(await text(page, '.icicle-details button.link'))[1]) * 1e9;
	await page.click_on('.icicle-details button.link');
	const [begin, end] = await page.evaluate('[ftwait.flow.view.view.begin, ftwait.flow.view.view.end]');
	expect(begin <= time + 1000 && time <= end, `${time} is not in sight: ${begin} to ${end}`);
}

export const icicle_checks = { icicle: check_icicle, 'icicle by keys': check_icicle_keys,
	'icicle search': check_icicle_search, 'icicle link': check_icicle_link };

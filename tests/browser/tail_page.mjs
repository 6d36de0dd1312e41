// SPDX-License-Identifier: GPL-2.0-or-later
// A page of `report --tail --format html` against the JSON of the same recording.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { blocks_read } from './page_data.mjs';

function facts_read(file, json) {
	const { tail, trace } = JSON.parse(fs.readFileSync(json, 'utf8'));
	const { paths, frames } = JSON.parse(blocks_read(fs.readFileSync(file, 'utf8')).icicle);
	const sides = paths.filter((one) => frames[one[5][0]][1] === 'side')
		.map(([, total, , , , indices]) => [total, ...indices.map((at) => frames[at][0])]);
	const sum = (key) => tail.profile.reduce((all, row) => all + row[key], 0);
	return { tail, origin: trace.begin_ns, sides, slow: sum('slow_ns'), other: sum('other_ns') };
}

const level = 19, gap = 8; // pixels
const canvas = '.sides canvas';
const equal = (expect, what, is, should) => expect(JSON.stringify(is) === JSON.stringify(should),
	`${what} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`);
const text = (page, selector) => page.evaluate(
	`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`);
const crumbs = (page) => page.evaluate(
	"[...document.querySelectorAll('.sides .icicle-crumbs button')].map(({ textContent }) => textContent)");
const focus = (page) => page.evaluate(`document.querySelector('${canvas}').focus()`);
const ms = (ns) => `${(ns / 1e6).toFixed(6)} ms`;

// The paths of both sides have the time of each leaf, to the ns; so do the tables.
async function check_figures(page, { tail, sides }, expect) {
	const names = [...new Set(sides.map(([, side]) => side))];
	const leaves = tail.profile.flatMap((row) => row.leaves);
	const times = (key) => leaves.map((leaf) => leaf[key]).filter((time) => time > 0);
	equal(expect, 'the slow side', sides.filter(([, side]) => side === names[0]).map(([time]) => time),
		times('slow_ns'));
	equal(expect, 'the other side', sides.filter(([, side]) => side !== names[0]).map(([time]) => time),
		times('other_ns'));
	expect(new RegExp(`^${tail.far} slow `).test(names[0]), `the slow side is '${names[0]}'`);
	const rows = await page.evaluate("[...document.querySelectorAll('#tail-leaves tbody tr')].map(row => " +
		'[...row.cells].slice(2).map(cell => Number(cell.dataset.value)))');
	equal(expect, 'the table', rows, leaves.slice(0, 200).map((leaf) => [leaf.slow_ns, leaf.other_ns]));
	equal(expect, 'lines of errors', await page.evaluate("document.querySelectorAll('.error').length"), 0);
	equal(expect, 'elements made of names', await page.evaluate("document.querySelectorAll('td b').length"), 0);
}

// Each side's mean by keys, and where the other one begins: both have one scale.
async function check_scale(page, { slow, other }, expect) {
	await focus(page);
	await page.key('ArrowDown');
	const told = await text(page, '.sides .icicle-details');
	expect(told.includes(`on average${ms(slow)}`), `of ${ms(slow)} it has '${told}'`);
	const { left, top, width } = await page.place(canvas);
	const border = left + gap + (width - gap) * slow / (slow + other);
	await page.click(border - gap - 3, top + level / 2);
	const before = await crumbs(page);
	await focus(page);
	await page.key('Escape');
	await page.click(border + Math.min(3, other / (slow + other) * width / 2), top + level / 2);
	const after = await crumbs(page);
	expect(before.length === 2 && after.length === 2 && before[1] !== after[1],
		`at the border are '${before}' and '${after}'`);
	expect((await text(page, '.sides .icicle-details')).includes(`on average${ms(other)}`),
		`the other side has not ${ms(other)}`);
}

async function check_search(page, { sides }, expect) {
	const key = sides.map((side) => side[2]).find((words) => /^[ -~]+$/.test(words));
	await focus(page);
	await page.key('/');
	await page.type(key);
	const told = await text(page, '.sides .icicle-search output');
	expect(/^\d+ frames?, [\d,]+ slow .*; [\d,]+ other/.test(told), `'${key}' matches '${told}'`);
	await page.key('Escape');
}

// On a narrow page the other side is below.
async function check_narrow(page, { sides, slow, other }, expect) {
	const high = Math.max(...sides.filter(([, side]) => side === sides[0][1]).map((one) => one.length - 1));
	await page.ask('Emulation.setDeviceMetricsOverride',
		{ width: 500, height: 900, deviceScaleFactor: 1, mobile: false });
	await page.settle();
	const { left, top, width, height } = await page.place(canvas);
	expect(height >= (high + 3) * level, `both sides are ${height} high`);
	await page.click(left + Math.min(2, width * other / slow / 2), top + (high + 1.5) * level);
	expect((await text(page, '.sides .icicle-details')).includes(`on average${ms(other)}`),
		`below is '${await text(page, '.sides .icicle-details')}'`);
}

// The slowest ones lead to their place: the whole unit fills the flow.
async function check_slowest(page, { tail, origin }, expect) {
	for (const [at, { begin_ns, end_ns }] of tail.slowest.entries()) {
		await page.click_on(`#tail-slowest tbody tr:nth-child(${at + 1}) button.next`);
		const { begin, end, tid } = await page.evaluate(`(({ view, selected, data }) => ({ begin: view.begin,
			end: view.end, tid: data.tasks[selected?.task]?.tid }))(ftwait.flow.view)`);
		expect(Math.abs(begin_ns - origin - begin) <= 1000 && Math.abs(end_ns - origin - end) <= 1000,
			`the window is ${begin} to ${end}, not ${begin_ns - origin} to ${end_ns - origin}`);
		equal(expect, 'the task', tid, tail.reasons[0].chain[0].task.tid);
	}
}

const checks = { figures: check_figures, scale: check_scale, search: check_search, narrow: check_narrow,
	slowest: check_slowest };

// As pages.mjs wants them.
export function tail_checks(file, json) {
	const facts = facts_read(file, json), url = pathToFileURL(path.resolve(file)).href;
	const wanted = process.env.CHECKS?.split(' ') ?? Object.keys(checks);
	return Object.entries(checks).filter(([what]) => wanted.includes(what)).map(([what, check]) => ({
		what, url, check: (page, expect) => check(page, facts, expect) }));
}

// SPDX-License-Identifier: GPL-2.0-or-later
// A page of `diff --format html` against --json and --format folded of the same recordings.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { blocks_read } from './page_data.mjs';

function facts_read(file, json, folded) {
	const { diff } = JSON.parse(fs.readFileSync(json, 'utf8'));
	const { about: [root] } = JSON.parse(blocks_read(fs.readFileSync(file, 'utf8')).changes);
	// [[task, old us, new us], ...]: the whole path is not needed
	const costs = fs.readFileSync(folded, 'utf8').trim().split('\n')
		.map((line) => /^(.*) (\d+) (\d+)$/.exec(line).slice(1))
		.map(([words, ...sides]) => [words.split(';')[root === null ? 0 : 1], ...sides.map(Number)]);
	const tasks = new Map();
	for (const [task, ...sides] of costs)
		tasks.set(task, sides.map((side, i) => side + (tasks.get(task)?.[i] ?? 0)));
	return { diff, costs, tasks };
}
const level = 19; // pixels
const near = (a, b, parts = 1) => Math.abs(a - b) <= parts; // us: each line is rounded

const text = (page, selector) => page.evaluate(
	`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`);
const focus = (page) => page.evaluate("document.querySelector('#icicle canvas').focus()");
const press = (page, at) => page.click_on(`.icicle-graphs button:nth-child(${at})`);
const us = (words) => {
	const [, number, unit] = /^([0-9.]+)(?: (s|ms|us|ns))?$/.exec(words);
	return number * ({ s: 1e6, ms: 1e3, us: 1, ns: 1e-3 }[unit] ?? 0);
};
// The first two durations of the details: old and new.
const sides_told = (told) => /a run([0-9.]+(?: [mun]?s)?) → ([0-9.]+(?: [mun]?s)?)/.exec(told).slice(1).map(us);

async function check_answers(page, { diff }, expect) {
	const header = await text(page, 'header');
	expect(/against/.test(header), `the heading is '${header}'`);
	expect(await page.evaluate("!document.querySelector('#flow')"), 'there is a flow of nothing');
	const rows = await page.evaluate("[...document.querySelectorAll('#diff-rows tbody tr')].map(row => " +
		'[row.className, ...[...row.cells].map(cell => cell.textContent)])');
	expect(rows.length === diff.rows.length, `${rows.length} rows, not ${diff.rows.length}`);
	diff.rows.forEach(({ sure, what, whose }, i) => {
		expect((rows[i][0] === 'marked') === sure, `row ${i} is marked '${rows[i][0]}', sure is ${sure}`);
		expect(rows[i][7].length === what.length && rows[i][8].length === (whose ?? '-').length,
			`row ${i} is of '${rows[i].slice(7)}', not '${what}' '${whose}'`);
	});
	expect(rows.some(([name]) => name === 'marked'), 'nothing is sure');
}

async function check_whole(page, { costs }, expect) {
	const sums = [1, 2].map((side) => costs.reduce((sum, cost) => sum + cost[side], 0));
	await focus(page);
	await page.key('ArrowDown');
	const told = sides_told(await text(page, '.icicle-details'));
	expect(near(told[0], sums[0]) && near(told[1], sums[1]), `all is ${told}, not ${sums}`);
}

// Each frame of the second level by arrows: they are the tasks, the longest first.
async function check_frames(page, { tasks }, expect) {
	const width = await page.evaluate("document.querySelector('canvas').clientWidth");
	const times = [...tasks.values()].map(([, now]) => now).sort((a, b) => b - a);
	const all = times.reduce((a, b) => a + b, 0);
	await focus(page);
	await page.key('ArrowDown');
	await page.key('ArrowDown');
	for (const now of times.filter((time) => time / all * width > 2)) {
		const details = await text(page, '.icicle-details');
		const told = sides_told(details);
		expect(near(told[1], now, 20), `a task has ${told[1]}, not ${now}: ${details}`);
		expect((await text(page, '.icicle-spoken')).includes('→'), 'arrows say nothing');
		await page.key('ArrowRight');
	}
}

const found_time = async (page) => us((await text(page, '.icicle-search output')).split(', ')[1]);

// What is only in old runs is seen among the old ones.
async function check_sides(page, { tasks }, expect) {
	const gone = [...tasks].find(([, [old, now]]) => old > 0 && now === 0)?.[0];
	if (!gone)
		return;
	await focus(page);
	await page.key('/');
	await page.type(gone);
	expect(await found_time(page) === 0, `'${gone}' has time among the new runs`);
	await press(page, 2);
	expect(await found_time(page) > 0, `'${gone}' is not among the old runs`);
	const details = await text(page, '.icicle-details');
	expect(details === '', `details of the other side: ${details}`);
}

// What is zoomed into stays when the side changes, if it is there.
async function check_zoom(page, { tasks }, expect) {
	const place = await page.place('#icicle canvas');
	await page.click(place.left + 4, place.top + level * 1.5);
	const zoomed = await text(page, '.icicle-crumbs');
	const task = [...tasks].sort(([, a], [, b]) => b[1] - a[1])[0][0];
	expect(zoomed.length > 3, 'a click does not zoom');
	await press(page, 2);
	const other = await text(page, '.icicle-crumbs');
	expect(other === (tasks.get(task)[0] > 0 ? zoomed : 'all'), `'${zoomed}' is '${other}' now`);
}

// Pixels in the grey of what may be chance.
const grey_seen = (page) => page.evaluate(`(() => {
	const canvas = document.querySelector('#icicle canvas');
	const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
	let grey = 0;
	for (let i = 0; i < data.length; i += 4)
		grey += data[i] === 201 && data[i + 1] === 206 && data[i + 2] === 214;
	return grey;
})()`);

async function check_colors(page, facts, expect) {
	const before = await grey_seen(page);
	await page.click_on('.icicle-choice input');
	const after = await grey_seen(page);
	expect(before === 0 || after < before, `${before} pixels may be chance, and then ${after}`);
	expect(after === 0 || before > 0, 'what is sure became grey');
	await page.click_on('.icicle-choice input');
	expect(await grey_seen(page) === before, 'the box cannot be unchecked');
}

async function check_sorting(page, facts, expect) {
	await page.click_on('#diff-rows th button');
	const changes = await page.evaluate(
		"[...document.querySelectorAll('#diff-rows tbody tr')].map(row => row.cells[0].textContent)");
	const values = changes.map((words) => (words[0] === '-' ? -1 : 1) * us(words.slice(1)));
	expect(values.every((value, i) => i === 0 || value >= values[i - 1]), `sorted: ${changes}`);
}

const checks = { answers: check_answers, whole: check_whole, frames: check_frames, sides: check_sides,
	zoom: check_zoom, colors: check_colors, sorting: check_sorting };

// As pages.mjs wants them.
export function diff_checks(file, json, folded) {
	const facts = facts_read(file, json, folded);
	const url = pathToFileURL(path.resolve(file)).href;
	return Object.entries(checks).map(([what, check]) =>
		({ what, url, check: (page, expect) => check(page, facts, expect) }));
}

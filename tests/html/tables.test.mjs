// SPDX-License-Identifier: GPL-2.0-or-later
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pieces_load, plain } from './pieces.mjs';

const { tables, text } = pieces_load('text.js', 'data.js', 'tables.js');
const cells = (...list) => list.map((one) => typeof one === 'number' ?
	{ value: one, text: `${one} us` } : { value: NaN, text: one });
const order = (list, is_descending = false) => plain(tables.order_of(list, is_descending));

test('numbers are sorted as numbers, whatever their text', () => {
	assert.deepEqual(order(cells(100, 9, 20)), [1, 2, 0]);
	assert.deepEqual(order(cells(100, 9, 20), true), [0, 2, 1]);
	assert.deepEqual(order(cells(2 ** 53 - 1, 2 ** 53 - 2)), [1, 0]);
});

test('texts are sorted as readers do, equal ones stay as they are', () => {
	assert.deepEqual(order(cells('task10', 'Task9', 'änder', 'zoo')), [2, 1, 0, 3]);
	assert.deepEqual(order(cells('b', 'a', 'B', 'A')), [1, 3, 0, 2]);
	assert.deepEqual(order(cells('b', 'a', 'B', 'A'), true), [0, 2, 1, 3]);
});

test('what is empty is last either way', () => {
	assert.deepEqual(order(cells('-', 5, '', 7)), [1, 3, 0, 2]);
	assert.deepEqual(order(cells('-', 5, '', 7), true), [3, 1, 0, 2]);
	assert.deepEqual(order(cells('none', 5, 3)), [2, 1, 0]);
});

test('rows of a tree are sorted among those below one row', () => {
	const depths = [0, 1, 2, 1, 0, 1, 1];
	const figures = cells(1, 2, 3, 4, 5, 6, 7);
	assert.deepEqual(plain(tables.tree_order(depths, figures, true)), [4, 6, 5, 0, 3, 1, 2]);
	assert.deepEqual(plain(tables.tree_order(depths, figures, false)), [0, 1, 2, 3, 4, 5, 6]);
	assert.deepEqual(plain(tables.tree_order([0, 0, 0], cells(3, 1, 2), false)), [1, 2, 0]);
	// the first rows of a tree may be missing, and levels between
	assert.deepEqual(plain(tables.tree_order([2, 1, 3, 0], cells(1, 2, 3, 4), true)), [3, 1, 2, 0]);
	assert.deepEqual(plain(tables.tree_order([], [], true)), []);
});

test('figures begin with the largest, then turn, then are as they were', () => {
	const walk = (is_figure) => {
		const seen = [];
		for (let now = 'none'; seen.length < 3;)
			seen.push(now = tables.next_order(now, is_figure));
		return seen;
	};
	assert.deepEqual(walk(true), ['descending', 'ascending', 'none']);
	assert.deepEqual(walk(false), ['ascending', 'descending', 'none']);
});

// Segments [state, length] of tasks [flags, ...segments], as data.js makes them.
function data_of(...rows) {
	const data = { tasks: [], begins: [], states: [] };
	rows.forEach(([flags, ...segments], index) => {
		data.tasks.push({ index, flags, first: data.begins.length, count: segments.length });
		let at = 100 * index;
		for (const [state, length] of segments) {
			data.begins.push(at);
			data.states.push(state);
			at += length;
		}
		data.begins.push(at);
		data.states.push(5);
	});
	return data;
}

const longest = (data, options) => plain(tables.longest_waits(data, options))
	.map(({ task, begin, length }) => [task, begin, length]);

test('the longest waits are waits, of the tasks asked for', () => {
	const data = data_of(
		[1, [0, 50], [7, 30], [2, 500], [0x80 | 8, 40], [5, 900], [6, 700]],
		[0, [9, 10000]],
		[3, [7, 35], [0x40 | 7, 31], [4, 800], [3, 600], [1, 600]]);
	assert.deepEqual(longest(data), [[2, 200, 35], [2, 235, 31], [0, 50, 30]]);
	assert.deepEqual(longest(data, { is_open: true }), [[0, 580, 40]]);
	assert.deepEqual(longest(data, { most: 2 }), [[2, 200, 35], [2, 235, 31]]);
	assert.deepEqual(longest(data_of([0, [9, 7]], [4, [8, 9]])), [[1, 100, 9], [0, 0, 7]]);
	assert.deepEqual(longest(data_of([1, [0, 7]])), []);
});

test('of many waits those are kept that a sort would keep', () => {
	let seed = 1;
	const random = () => (seed = seed * 48271 % 2147483647) % 300;
	const segments = Array.from({ length: 5000 }, () => [random() % 10, random()]);
	const expected = segments.filter(([state]) => state > 6).map(([, length]) => length)
		.sort((a, b) => b - a);
	for (const most of [1, 2, 50, 10000])
		assert.deepEqual(longest(data_of([1, ...segments]), { most }).map(([, , length]) => length),
			expected.slice(0, most));
});

test('a priority is told as people say it', () => {
	assert.deepEqual([-1, 0, 19, 98, 100, 120, 139].map(text.priority_words),
		['deadline', 'RT 99', 'RT 80', 'RT 1', 'nice -20', 'nice 0', 'nice 19']);
});

test('figures in words are sorted as what they are', () => {
	assert.equal(tables.figure_of('+2.500 ms'), 2500000);
	assert.equal(tables.figure_of('-480.000 us'), -480000);
	assert.equal(tables.figure_of('1.250 s'), 1250000000);
	assert.equal(tables.figure_of('0'), 0);
	assert.equal(tables.figure_of('65 -> 118.5'), 118.5);
	assert.equal(tables.figure_of('500.000 us -> 1.000 ms'), 1000000);
	for (const words of ['', '-', 'vda', '5 apples', '1,2', '8,0', '->', '1 -> ', '5 ms later', '1e3', 'x 5'])
		assert.ok(Number.isNaN(tables.figure_of(words)), words);
});

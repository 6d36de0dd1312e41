// SPDX-License-Identifier: GPL-2.0-or-later
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pieces_load, plain } from './pieces.mjs';

const { icicle_tree: tree } = pieces_load('icicle_tree.js');
const frames = [['client', 'task'], ['mysqld', 'task'], ['disk 259,0', 'cause'], ['timer', 'cause']];
const paths = [
	[0, 750, 3, 400, 120, [0, 1, 2]],
	[0, 1002, 1, 1002, null, [0, 3]],
	[0, 500, 2, 450, 77, [0, 1]],
	[0, 900, 1, 900, 1140, [1, 2]],
	[1, 7, 1, 7, 0, [2]],
];
const build = (more = []) => tree.build({ titles: ['one', 'two'], frames, paths: [...paths, ...more] });
const shape = (node) => [node.text, node.total, node.count, node.longest, node.longest_at,
	...node.children.map(shape)];

test('equal beginnings are merged, the heaviest stands first', () => {
	const [{ root }, other] = build();
	assert.deepEqual(plain(shape(root)), ['all', 3152, 7, 1002, null,
		['client', 2252, 6, 1002, null,
			['mysqld', 1250, 5, 450, 77, ['disk 259,0', 750, 3, 400, 120]],
			['timer', 1002, 1, 1002, null]],
		['mysqld', 900, 1, 900, 1140, ['disk 259,0', 900, 1, 900, 1140]]]);
	assert.equal(other.root.total, 7);
	assert.equal(other.title, 'two');
});

test('what names a frame or a graph that is not there is refused', () => {
	assert.throws(() => build([[0, 1, 1, 1, null, [4]]]), /no frame 4/);
	assert.throws(() => build([[0, 1, 1, 1, null, [-1]]]), /no frame -1/);
	assert.throws(() => build([[0, 1, 1, 1, null, [0, 1, 2, -1]]]), /no frame -1/);
	assert.throws(() => build([[2, 1, 1, 1, null, [0]]]), /no icicle 2/);
});

test('a path of 100,000 frames needs no stack', () => {
	const [{ root, nodes }] = build([[0, 5, 1, 5, null, new Array(100000).fill(3)]]);
	assert.equal(nodes.length, 100007);
	assert.equal(tree.layout({ node: root }, 1000, 50).filter(({ level }) => level >= 50).length, 0);
	assert.equal(tree.search(build([[0, 5, 1, 5, null, new Array(100000).fill(3)]]), 'timer')[0].total,
		1007);
});

test('frames lie within what they lie in, and are as wide as their time', () => {
	const [{ root }] = build();
	const laid = tree.layout({ node: root }, 3152);
	assert.deepEqual(plain(laid.map(({ node, x, width, level }) => [node.text, x, width, level]))
		.sort((a, b) => a[3] - b[3] || a[1] - b[1]), [
		['all', 0, 3152, 0], ['client', 0, 2252, 1], ['mysqld', 2252, 900, 1], ['mysqld', 0, 1250, 2],
		['timer', 1250, 1002, 2], ['disk 259,0', 2252, 900, 2], ['disk 259,0', 0, 750, 3]]);
});

test('zoomed, a frame and what it lies in fill the width', () => {
	const [{ root }] = build();
	const client = root.children[0];
	const laid = tree.layout({ node: client }, 1126);
	assert.deepEqual(plain(laid.map(({ node, width }) => [node.text, width])), [['all', 1126],
		['client', 1126], ['mysqld', 625], ['timer', 501], ['disk 259,0', 375]]);
});

test('frames narrower than a pixel are one, with what they have together', () => {
	const many = Array.from({ length: 1000 }, (_, i) => [`task ${i}`, 'task']);
	const [{ root }] = tree.build({ titles: ['t'], frames: [['big', 'task'], ...many],
		paths: [[0, 9000, 1, 1, null, [0]], ...many.map((_, i) => [0, 1 + i % 2, 2, 1, null, [i + 1]])] });
	const laid = tree.layout({ node: root }, 100);
	assert.equal(laid.length, 3);
	const [, , rest] = laid.sort((a, b) => a.x - b.x || a.level - b.level);
	assert.deepEqual(plain(rest.rest), { from: 1, frames: 1000, total: 1500, count: 2000, matched: 0 });
	assert.ok(Math.abs(rest.x + rest.width - 100) < 1e-9);
	// zoomed into, they fill the width, and nothing of them is lost
	const inside = tree.layout({ node: root, from: 1 }, 1500);
	assert.equal(inside.filter(({ level }) => level === 1).length, 1000);
	assert.ok(inside.every(({ width }) => width >= 1));
	const last = inside.reduce((end, { x, width }) => Math.max(end, x + width), 0);
	assert.ok(Math.abs(last - 1500) < 1e-6);
});

test('at each width the frames of a level have the time of their parents', () => {
	const [{ root }] = build();
	for (const width of [1, 3, 7, 50, 999]) {
		const level_one = tree.layout({ node: root }, width).filter(({ level }) => level === 1);
		const time = level_one.reduce((sum, { node, rest }) => sum + (rest ? rest.total : node.total), 0);
		assert.equal(time, root.total);
	}
});

test('a search counts nested matches once', () => {
	const graphs = build();
	const found = (words) => plain(tree.search(graphs, words)[0]);
	assert.deepEqual(found('MYSQLD'), { frames: 2, total: 2150 });
	assert.deepEqual(found('^(client|mysqld)$'), { frames: 3, total: 3152 });
	assert.deepEqual(found('disk 259,0'), { frames: 2, total: 1650 });
	assert.deepEqual(found('('), { frames: 0, total: 0 });
	assert.deepEqual(found(''), { frames: 0, total: 0 });
	assert.deepEqual(found('all'), { frames: 0, total: 0 });
	assert.ok(graphs[0].nodes.every(({ is_found, matched }) => !is_found && matched === 0));
});

test('what matches within frames too narrow to see is known of what stands for them', () => {
	const graphs = build();
	tree.search(graphs, 'timer');
	const laid = tree.layout({ node: graphs[0].root }, 1);
	assert.equal(laid.at(-1).rest.matched, 1002);
});

test('colours are those of the flame graphs', () => {
	// as in tests/golden/report/svg.stdout
	assert.equal(tree.color('task', 'client'), 'rgb(130,185,244)');
	assert.equal(tree.color('task', 'mysqld'), 'rgb(139,187,242)');
	assert.equal(tree.color('cause', '[disk 259,0]'), 'rgb(114,218,225)');
	assert.equal(tree.color('task', 'a'), tree.color('task', 'a'));
	assert.notEqual(tree.color('task', 'a'), tree.color('task', 'b'));
	assert.equal(tree.color_of_kind('task'), 'rgb(142,184,242)');
	assert.equal(tree.color_of_kind('cause'), 'rgb(119,217,199)');
	assert.equal(tree.color('mark', 'x'), 'rgb(212,212,212)');
	assert.equal(tree.color('nobody knows', 'x'), 'rgb(212,212,212)');
});

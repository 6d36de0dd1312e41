// SPDX-License-Identifier: GPL-2.0-or-later
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pieces_load, plain } from './pieces.mjs';

const { icicle_tree: tree, sides } = pieces_load('text.js', 'icicle_tree.js', 'sides.js');
const frames = [['3 slow turns', 'side'], ['90 others', 'side'], ['waited for db', 'cause'],
	['ran itself', 'cause'], ['db: running', 'task'], ['db: sleep', 'task'], ['client', 'task']];
const slow = [[0, 600, 2, 900, 40, [0, 2, 4]], [0, 300, 1, 700, 80, [0, 2, 5]], [0, 100, 3, 120, 40, [0, 3]]];
const others = [[0, 60, 90, 70, 7, [1, 3]], [0, 40, 10, 90, 9, [1, 2, 4]]];
const build = (paths) => tree.build({ titles: ['turns'], frames, paths })[0];
const laid = (node, width) => plain(sides.layout({ node }, width, 9)
	.map(({ node: { text }, x, width: wide, level }) => [text, x, wide, level]));

test('what begins with sides is compared, other graphs are not', () => {
	assert.ok(sides.has(build([...slow, ...others])));
	assert.ok(!sides.has(build([[0, 7, 1, 7, 0, [6, 2]]])));
	assert.ok(!sides.has(build([])));
});

test('both sides have one scale, beside each other', () => {
	assert.deepEqual(laid(build([...slow, ...others]).root, 1108), [
		['3 slow turns', 0, 1000, 0], ['90 others', 1008, 100, 0],
		['ran itself', 1008, 60, 1], ['waited for db', 1068, 40, 1], ['db: running', 1068, 40, 2],
		['waited for db', 0, 900, 1], ['ran itself', 900, 100, 1],
		['db: running', 0, 600, 2], ['db: sleep', 600, 300, 2]]);
});

test('on a narrow page they stand over each other, and begin alike', () => {
	assert.deepEqual(laid(build([...slow, ...others]).root, 500), [
		['3 slow turns', 0, 500, 0], ['90 others', 0, 50, 4],
		['ran itself', 0, 30, 5], ['waited for db', 30, 20, 5], ['db: running', 30, 20, 6],
		['waited for db', 0, 450, 1], ['ran itself', 450, 50, 1],
		['db: running', 0, 300, 2], ['db: sleep', 300, 150, 2]]);
});

test('what is zoomed into has the whole width, and so has one side alone', () => {
	const { root } = build([...slow, ...others]);
	assert.deepEqual(laid(root.children[1], 1000), [['90 others', 0, 1000, 0],
		['ran itself', 0, 600, 1], ['waited for db', 600, 400, 1], ['db: running', 600, 400, 2]]);
	assert.deepEqual(laid(build(slow).root, 400)[0], ['3 slow turns', 0, 400, 0]);
});

test('each frame is told with that of the other side', () => {
	const { root } = build([...slow, ...others]);
	const [waited, ran] = root.children[0].children;
	assert.equal(sides.peer_of(root.children[0]), root.children[1]);
	assert.equal(sides.peer_of(waited).total, 40);
	assert.equal(sides.peer_of(waited.children[1]), null);
	const facts = new Map(sides.facts_of({ node: waited, rest: null }));
	assert.equal(facts.get('on average'), '0.000900 ms');
	assert.equal(facts.get('share'), '90.0 %');
	assert.equal(facts.get('90 others'), '40 ns');
	assert.equal(facts.get('how many have it'), '3');
	assert.equal(facts.get('most in one'), '900 ns');
	assert.equal(new Map(sides.facts_of({ node: ran, rest: null })).get('90 others'), '60 ns');
	assert.equal(new Map(sides.facts_of({ node: build(slow).root.children[0], rest: null })).size, 1);
});

test('a search tells the time of both sides apart', () => {
	const graph = build([...slow, ...others]);
	tree.search([graph], 'db: running');
	assert.equal(sides.look.found(graph.root), '3 slow turns 600 ns, 60.0 %; 90 others 40 ns, 40.0 %');
});

// SPDX-License-Identifier: GPL-2.0-or-later
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pieces_load, plain } from './pieces.mjs';

const { changes, icicle_tree } = pieces_load('data.js', 'text.js', 'icicle_tree.js', 'changes.js');
const texts = ['', 'dd', 'running', 'waiting', 'disk vda', 'svc', 'net'];
const untested = [null, false, 'same'], sure = [0.001, true, 'more'], chance = [0.25, false, 'same'];

// Two runs against four.
const block = (paths = [
	[2000, 4, 12000, 8, sure, [1, 2]],
	[1000, 2, 0, 0, [0.00001, true, 'gone'], [1, 3, 4]],
	[0, 0, 400, 4, chance, [5, 3, 6]],
	[10, 2, 40, 4, untested, [5, 2]],
]) => ({ about: ['svc', 2, 4, true, [0.01, true, 'longer']], texts, paths });

const built = (json = block()) => {
	const data = changes.read(json);
	const graphs = changes.build(data);
	return { data, graphs, root: graphs[0].root };
};
const at = (root, ...names) => names.reduce((node, name) =>
	node.children.find(({ text }) => text === name), root);
const facts = ({ data, root }, node, rest = null) =>
	Object.fromEntries(changes.facts_of({ node, rest }, data, root).map((row) => plain(row)));

test('each graph has the means of its side, and the same frames under the same numbers', () => {
	const { graphs } = built();
	assert.deepEqual(plain(graphs.map(({ title }) => title)), ['New: 4 runs', 'Old: 2 runs']);
	assert.equal(graphs[0].root.total, 3110);
	assert.equal(graphs[1].root.total, 1505);
	assert.equal(graphs[0].nodes.length, graphs[1].nodes.length);
	for (const { id, text, sides, total } of graphs[0].nodes) {
		assert.equal(graphs[1].nodes[id].text, text);
		assert.equal(graphs[1].nodes[id].sides, sides);
		assert.equal(total, sides.new);
		assert.equal(graphs[1].nodes[id].total, sides.old);
	}
});

test('what is above has the sum of what is below, on both sides', () => {
	for (const { children, sides } of built().graphs[0].nodes)
		if (children.length)
			for (const key of ['old', 'new', 'sure', 'sure_costs', 'costs'])
				assert.equal(children.reduce((sum, child) => sum + child.sides[key], 0),
					sides[key], key);
});

test('only what is sure is coloured, unless all is asked for', () => {
	const { root } = built();
	const difference = (node, all = false) => plain(changes.difference(node, all));
	assert.deepEqual(difference(at(root, 'dd', 'running')), { ns: 2000, larger: 3000, is_sure: true });
	assert.deepEqual(difference(at(root, 'dd', 'waiting')), { ns: -500, larger: 500, is_sure: true });
	// of dd the sum of both, of the whole its own test
	assert.deepEqual(difference(at(root, 'dd')), { ns: 1500, larger: 3000, is_sure: true });
	assert.deepEqual(difference(root), { ns: 1605, larger: 3110, is_sure: true });
	assert.equal(difference(at(root, 'svc', 'waiting')), null);
	assert.equal(difference(at(root, 'svc')), null);
	assert.deepEqual(difference(at(root, 'svc', 'waiting'), true),
		{ ns: 100, larger: 100, is_sure: false });
});

test('red grew, blue shrank, grey is neither, and less is paler', () => {
	const channels = (...given) => changes.color_of(...given).match(/\d+/g).map(Number);
	const redness = (...given) => channels(...given)[0] - channels(...given)[2];
	assert.ok(redness(1) > redness(0.5) && redness(0.5) > redness(0.1) && redness(0.1) > 0);
	assert.ok(redness(-1) < redness(-0.5) && redness(-0.5) < redness(-0.1) && redness(-0.1) < 0);
	assert.ok(redness(1, false) > 0 && redness(1, false) < redness(1));
	assert.equal(changes.color_of(7), changes.color_of(1));
	assert.equal(changes.color_of(null), 'rgb(201,206,214)');
});

test('facts are both sides, in words', () => {
	const all = built(), { root } = all;
	assert.deepEqual(facts(all, at(root, 'dd', 'running')), {
		'a run': '1.000 us → 3.000 us, +2.000 us (+200 %)', share: '66.4 % → 96.5 %',
		'times a run': '2 → 2', each: '500 ns → 1.500 us', sure: 'yes: more (p = 0.0010)' });
	assert.deepEqual(facts(all, at(root, 'dd', 'waiting', 'disk vda')), {
		'a run': '500 ns → 0, only in old runs', share: '33.2 % → 0.0 %', 'times a run': '1 → 0',
		sure: 'yes: gone (p < 0.0001)' });
	assert.equal(facts(all, at(root, 'svc', 'waiting', 'net')).sure, 'no, it may be chance (p = 0.25)');
	assert.equal(facts(all, at(root, 'svc', 'running')).sure, 'not tested: too small a part of the time');
	assert.equal(facts(all, at(root, 'dd'))['sure within'], '2 of 2 costs, +1.500 us together');
	assert.equal(facts(all, at(root, 'svc'))['sure within'], 'none of 2 costs');
	assert.equal(facts(all, root).sure, 'yes: longer (p = 0.010)');
	// frames too narrow to be seen have what they have together
	assert.equal(facts(all, root, { from: 0, total: 3110, matched: 0 })['a run'],
		'1.505 us → 3.110 us, +1.605 us (+107 %)');
});

test('one run is said to prove nothing', () => {
	const json = block([[10, 1, 20, 1, untested, [1]]]);
	json.about = [null, 1, 1, false, untested];
	const all = built(json);
	assert.equal(facts(all, at(all.root, 'dd')).sure, 'not tested: one run proves nothing');
	assert.equal(changes.look_of(all.data, all.root, { shows_unsure: true })
		.label({ node: all.root, rest: null }), 'all tasks, 10 ns → 20 ns');
});

test('labels say what changed, and what is sure of it', () => {
	const { data, root } = built();
	const label = (node, shows_unsure) => changes.look_of(data, root, { shows_unsure })
		.label({ node, rest: null });
	assert.equal(changes.look_of(data, root, { shows_unsure: true })
		.label({ node: root, rest: { from: 1, frames: 1 } }), '1 more frame');
	assert.equal(label(root, false), 'svc, on average 1.505 us → 3.110 us');
	assert.equal(label(at(root, 'dd', 'waiting', 'disk vda'), false), 'disk vda -500 ns');
	assert.equal(label(at(root, 'svc', 'waiting', 'net'), false), 'net');
	assert.equal(label(at(root, 'svc', 'waiting', 'net'), true), 'net +100 ns ?');
});

test('names are text, whatever is in them', () => {
	const json = { ...block([[1, 1, 1, 1, untested, [1]]]), texts: ['', '\u202e<b>\u0007'] };
	json.about = ['\u2066</script>', 2, 2, true, untested];
	const { data, root } = built(json);
	const look = changes.look_of(data, root, { shows_unsure: false });
	assert.equal(look.name({ node: root.children[0] }), '\ufffd<b>\ufffd');
	assert.equal(look.name({ node: root }), '\ufffd</script>');
});

test('equal paths are one frame', () => {
	const { root, data } = built(block([[1, 1, 2, 1, untested, [1]], [3, 1, 4, 1, sure, [1]]]));
	assert.equal(root.children.length, 1);
	assert.equal(root.children[0].sides.costs, 2);
	assert.equal(facts({ root, data }, root.children[0])['sure within'], '1 of 2 costs, -1 ns together');
});

test('damaged data are refused', () => {
	for (const path of [[1, 1, 1, 1, untested, [7]], [1, 1, 1, 1, untested, [-1]],
		[-1, 1, 1, 1, untested, [1]], ['1', 1, 1, 1, untested, [1]], [NaN, 1, 1, 1, untested, [1]]])
		assert.throws(() => changes.read(block([path])), /a path is damaged/, String(path));
	for (const about of [[null, 0, 1, true, untested], [null, 1, 'x', true, untested]])
		assert.throws(() => changes.read({ ...block(), about }), /no runs/);
	for (const json of [{}, { about: [] }, { ...block(), paths: [[1]] }, { ...block(), paths: 5 }])
		assert.throws(() => changes.read(json));
	// a verdict that is none proves nothing
	const { verdict } = changes.read(block([[1, 1, 1, 1, 'yes', [1]]])).paths[0];
	assert.deepEqual(plain(verdict), [null, false, '']);
});

test('the two graphs are laid out by their own side', () => {
	const { graphs } = built();
	const widths = graphs.map(({ root }) => Object.fromEntries(icicle_tree.layout({ node: root }, 1000)
		.filter(({ level }) => level === 1).map(({ node, width }) => [node.text, Math.round(width)])));
	assert.deepEqual(plain(widths), [{ dd: 965, svc: 35 }, { dd: 997, svc: 3 }]);
});

#!/usr/bin/env node
// SPDX-License-Identifier: GPL-2.0-or-later
// generate.mjs FOLDER RECORDINGS SEED: rows of so many recordings, made of those in the folder: each
// board has two recordings, one of each version of the firmware. A board is up to a third faster or
// slower than that of the original, and each row differs by a tenth. Equal seeds, equal rows.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, count, seed] = process.argv.slice(2);
let state = Number(seed) >>> 0;

// mulberry32: [0, 1)
function random() {
	state = state + 0x6d2b79f5 | 0;
	let mixed = Math.imul(state ^ state >>> 15, 1 | state);
	mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
	return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
}

function around(part) {
	return 1 + part * (2 * random() - 1);
}

function scaled(row, factor) {
	const total = Math.round(row.total_ns * factor);

	return { ...row, total_ns: total, p50_ns: Math.round(row.p50_ns * factor),
		p99_ns: Math.round(row.p99_ns * factor), max_ns: Math.min(total, Math.round(row.max_ns * factor)) };
}

const originals = readdirSync(folder).filter(name => name.endsWith('.ndjson')).sort().map(name =>
	readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').map(line => JSON.parse(line)));
const byFirmware = Map.groupBy?.(originals, rows => rows[0].labels.firmware) ?? originals.reduce(
	(map, rows) => map.set(rows[0].labels.firmware, [...map.get(rows[0].labels.firmware) ?? [], rows]), new Map());
const firmwares = [...byFirmware.keys()].sort();
let speed = 1, original = 0;
for (let i = 0; i < Number(count); i++) {
	const which = i % firmwares.length, of = byFirmware.get(firmwares[which]);
	const board = `g${String(i / firmwares.length | 0).padStart(5, '0')}`;
	if (which === 0) {
		speed = around(0.33);
		original = random() * of.length | 0;
	}
	const rows = of[original].map(row => scaled(row, speed * around(0.1)));
	const wall = rows.reduce((sum, row) => sum + row.total_ns, 0);
	const lines = rows.map(row => JSON.stringify({ ...row, recording: `${board}-${firmwares[which]}-${seed}`,
		labels: { ...row.labels, board }, host: board, machine: null,
		realtime_ns: row.realtime_ns + i * 60_000_000_000, wall_ns: wall, share: row.total_ns / wall }));
	if (!process.stdout.write(lines.join('\n') + '\n'))
		await new Promise(resolve => process.stdout.once('drain', resolve));
}

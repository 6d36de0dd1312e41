// SPDX-License-Identifier: GPL-2.0-or-later
// The data in a page of `report --format html`, read without any of the page's own scripts, so that
// one can be held against the other.
import fs from 'node:fs';
import zlib from 'node:zlib';

const running = 0, runnable = 1, for_work = 2, stopped = 3, unknown = 4, absent = 5, mixed = 6;
const groups = { [running]: 'running', [runnable]: 'runnable', [for_work]: 'waiting', [stopped]: 'stopped',
	[unknown]: 'unknown', [absent]: 'absent' };

function* varints(bytes) {
	for (let at = 0; at < bytes.length;) {
		let value = 0, scale = 1;
		do
			value += (bytes[at] & 0x7f) * scale;
		while (scale *= 128, bytes[at++] & 0x80);
		yield value;
	}
}

const next = (column) => column.next().value;

function segments_of(task, blocks, columns) {
	const segments = [];
	const count = next(columns.lengths);
	let begin = count ? next(columns.lengths) : 0;
	for (let i = 0; i < count; i++) {
		const byte = blocks.states[columns.at++];
		const code = byte & 0x3f, end = begin + next(columns.lengths);
		const has_cause = code !== running && code !== absent && code !== mixed;
		const segment = { task, code, begin, end, is_open: (byte & 0x80) !== 0,
			cause: has_cause ? next(columns.causes) - 1 : -1 };
		if (code === mixed)
			segment.mix = mix_of(columns.mixes);
		segments.push(segment);
		begin = end;
	}
	return segments;
}

function mix_of(column) {
	const segments = next(column);
	const times = Array.from({ length: next(column) }, () => [next(column), next(column)]);
	return { segments, times };
}

// The parts of the critical path: {begin, end, code, task, parts, entries: [task, code, ns] each}; of
// merged ones `task` is -1.
function path_of({ path }, bytes) {
	const column = varints(bytes), parts = [];
	for (let begin = path?.begin, length; (length = next(column)) !== undefined; begin += length) {
		const part = { begin, end: begin + length, code: next(column), task: -1, parts: 1 };
		if (part.code === mixed) {
			part.parts = next(column);
			part.entries = Array.from({ length: next(column) },
				() => [next(column), next(column), next(column)]);
		} else {
			part.task = next(column);
			next(column); // its cause
			part.entries = [[part.task, part.code, length]];
		}
		parts.push(part);
	}
	return parts;
}

// The blocks of a page, by name.
export function blocks_read(text) {
	const blocks = {};
	for (const [, name, base64] of text.matchAll(
		/<script type="text\/plain" id="data-([a-z]+)">([^<]*)<\/script>/g))
		blocks[name] = zlib.inflateSync(Buffer.from(base64, 'base64'));
	return blocks;
}

// {text, meta, tasks: segments of each task, path, icicle}
export function page_read(file) {
	const text = fs.readFileSync(file, 'utf8');
	const blocks = blocks_read(text);
	const meta = JSON.parse(blocks.meta);
	const column = (name) => varints(blocks[name] ?? []);
	const columns = { lengths: column('lengths'), causes: column('causes'), mixes: column('mixes'), at: 0 };
	const tasks = meta.tasks.map((task, index) => segments_of(index, blocks, columns));
	return { text, meta, tasks, segments: blocks.states.length,
		path: path_of(meta, blocks.path ?? Buffer.alloc(0)),
		icicle: blocks.icicle ? JSON.parse(blocks.icicle) : null };
}

export const is_mixed = ({ code }) => code === mixed;
export const is_wait = ({ code }) => code > mixed;

// ns of running, runnable, waiting, stopped, unknown, absent of one task's segments.
export function sums_of(segments) {
	const sums = { running: 0, runnable: 0, waiting: 0, stopped: 0, unknown: 0, absent: 0 };
	for (const { code, begin, end, mix } of segments)
		for (const [of, time] of mix ? mix.times : [[code, end - begin]])
			sums[groups[of] ?? 'waiting'] += time;
	return sums;
}

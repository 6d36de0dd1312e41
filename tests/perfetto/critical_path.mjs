// SPDX-License-Identifier: GPL-2.0-or-later
// node critical_path.mjs [--check PERCENT] FTWAIT TRACE_PROCESSOR_FOLDER RECORDING TASK...: the critical path of
// each task over its life as we tell it and as Perfetto's own module sched.thread_executing_span does,
// by (task, state), in percent of the window:
//   same      both have the same task in the same state
//   no path   Perfetto has none: before a task's first wake-up, and after its last sleep
//   objects   we go on where an interrupt ended the wait, along who submitted, armed, sent or queued
//   sleeper   Perfetto charges who slept in D with what the one that woke it waited for
//   return    Perfetto never comes back to a waker's earlier run: it stays with the waker's waker
//   other     neither of these
// Which it is, is found by walks over Perfetto's own states of threads: one by our rules, that knows no
// objects, and two that do not return.
// --check: says what must not be, and nothing else: that less than PERCENT is the same, that half a percent
// differs for no reason that is known, that a path is twice where it should be once.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';

import { TraceProcessor } from './trace_processor.mjs';

const args = process.argv.slice(2);
const least = args[0] === '--check' ? Number(args.splice(0, 2)[1]) : undefined;
const [ftwait, engine, recording, ...tasks] = args;
const here = path.dirname(process.argv[1]);
const say = console.log; // the trace processor turns that to standard error
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'critical-path-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const trace = path.join(folder, 'trace');

function run(program, options) {
	return execFileSync(program, options, { maxBuffer: 2 ** 31 - 1, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
}

const meant = { Running: 'running', R: 'runnable', 'R+': 'runnable', S: 'waiting', D: 'waiting', I: 'waiting',
	T: 'stopped', t: 'stopped' };
let by_thread;

// The last state of a thread that begins before `time`: index in its list.
function state_before(list, time) {
	let low = 0, high = list.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (list[middle].begin < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}
// The task whose run ended that sleep, as Perfetto has it.
function waker_of(list, at) {
	const next = list[at + 1];
	if (!next || meant[list[at].state] !== 'waiting' || !meant[next.state] || next.irq === 1 || next.waker === null)
		return undefined;
	return by_thread.has(next.waker) && next.waker !== list[at].utid ? next.waker : undefined;
}
// Backward from `high`. `stays`: letters of sleeps from which, below the asked task, it does not come back
// to the sleeper's earlier run. `sleepers`: who waits for it, the asked task first.
function walk(pieces, utid, low, high, stays, sleepers = []) {
	for (;;) {
		const list = by_thread.get(utid) ?? [];
		const at = state_before(list, high);
		const state = list[at];
		if (!state || high <= low || sleepers.length > 4000)
			return;
		const begin = Math.max(low, state.begin), end = Math.min(high, state.end);
		const waker = state.end <= high ? waker_of(list, at) : undefined;
		if (waker === undefined) {
			if (begin < end)
				pieces.push({ begin, end, tid: state.tid, state: meant[state.state] ?? state.state, sleepers });
		} else if (sleepers.length > 0 && stays.includes(state.state)) {
			utid = waker;
			high = end;
			continue;
		} else {
			walk(pieces, waker, begin, end, stays, [...sleepers, state.tid]);
		}
		high = state.begin;
	}
}
// The path's spans as their threads' states.
function spans_to_pieces(spans) {
	const pieces = [];
	for (const span of spans) {
		const list = by_thread.get(span.utid) ?? [];
		for (let at = Math.max(0, state_before(list, span.begin)); at < list.length && list[at].begin < span.end; at++) {
			const begin = Math.max(span.begin, list[at].begin), end = Math.min(span.end, list[at].end);
			if (begin < end)
				pieces.push({ begin, end, tid: list[at].tid, state: meant[list[at].state] ?? list[at].state });
		}
	}
	return pieces;
}

function is_same(a, b) {
	return a !== undefined && b !== undefined && a.tid === b.tid && a.state === b.state;
}
// Calls `each` with how long which of the pieces, one of each list, are together.
function together(begin, end, lists, each) {
	const at = lists.map(() => 0);
	for (let time = begin; time < end;) {
		let next = end;
		const now = lists.map((list, which) => {
			while (at[which] < list.length && list[at[which]].end <= time)
				at[which]++;
			const piece = list[at[which]];
			if (piece)
				next = Math.min(next, piece.begin > time ? piece.begin : piece.end);
			return piece && piece.begin <= time ? piece : undefined;
		});
		each(next - time, now);
		time = next;
	}
}
function overlap_of(pieces) {
	return pieces.slice(1).filter((piece, before) => piece.begin < pieces[before].end).length;
}

function compare(report, spans) {
	const { begin_ns: begin, end_ns: end } = report;
	const ours = report.parts.map((part) => ({ begin: part.begin_ns, end: part.end_ns, tid: part.tid,
		state: part.state, kind: part.cause?.kind }));
	const theirs = spans_to_pieces(spans).sort((a, b) => a.begin - b.begin);
	const plain = [], user = [], kernel = [];
	const utid = spans.root;
	walk(plain, utid, begin, end, '');
	walk(user, utid, begin, end, 'S');
	walk(kernel, utid, begin, end, 'SDI');
	for (const pieces of [plain, user, kernel])
		pieces.sort((a, b) => a.begin - b.begin);
	const sum = { same: 0, 'no path': 0, objects: 0, sleeper: 0, return: 0, other: 0 }, details = new Map();
	together(begin, end, [ours, theirs, plain, user, kernel], (time, [our, their, walked, ...stayed]) => {
		const what = !their ? 'no path' : is_same(our, their) ? 'same'
			: is_same(our, walked) ? their.state === 'waiting' && walked.sleepers.includes(their.tid) ? 'sleeper'
				: stayed.some((piece) => is_same(their, piece)) ? 'return' : 'other'
			: [walked, ...stayed].some((piece) => is_same(their, piece)) ? 'objects' : 'other';
		sum[what] += time;
		if (what !== 'same') {
			const key = `${what}: ours ${our?.state} ${our?.kind ?? ''}, theirs ${their?.state ?? 'none'}`;
			details.set(key, (details.get(key) ?? 0) + time);
		}
	});
	return { sum, details, length: end - begin, overlaps: overlap_of(theirs), spans: spans.length };
}

function percent(part, whole) {
	return (100 * part / whole).toFixed(2).padStart(7);
}
function show(report, result) {
	say(`${path.basename(recording).padEnd(26)} ${`${report.task.comm}[${report.task.tid}]`.padEnd(22)} ` +
		`${(result.length / 1e6).toFixed(1).padStart(9)} ms ` +
		Object.values(result.sum).map((time) => percent(time, result.length)).join(' '));
	for (const [what, time] of [...result.details].sort((a, b) => b[1] - a[1]).slice(0, 4))
		if (time > result.length / 1000)
			say(`${percent(time, result.length)}  ${what}`);
}
function check(report, result) {
	const name = `${report.task.comm}[${report.task.tid}]`;
	if (result.overlaps)
		say(`${name}: Perfetto's path is twice in ${result.overlaps} places`);
	if (result.sum.same < result.length * least / 100)
		say(`${name}: the paths agree for ${result.sum.same} of ${result.length} ns`);
	if (result.sum.other > result.length / 200)
		say(`${name}: ${result.sum.other} of ${result.length} ns differ for no reason that is known`);
}

run(ftwait, ['report', recording, '--format', 'perfetto', '-q', '--all', '--min', '1s', '-o', trace]);
const reports = tasks.map((task) =>
	JSON.parse(run(ftwait, ['report', recording, `--critical-path=${task}`, '--all', '-q', '--json'])).critical_path);
const sql = fs.readFileSync(path.join(here, 'critical_path.sql'), 'utf8').split('\n;;\n');
const processor = await TraceProcessor.start(engine);
await processor.load(trace);
const [states] = await processor.ask(sql[2]);
by_thread = new Map();
for (const row of states) {
	if (!by_thread.has(row.utid))
		by_thread.set(row.utid, []);
	by_thread.get(row.utid).push(row);
}
const roots = reports.map((report) => states.findLast((row) => row.tid === report.task.tid)?.utid ?? -1);
const answers = await processor.ask([sql[0], ...reports.map((report, at) => sql[1].replaceAll('@UTID@', roots[at])
	.replaceAll('@FROM@', report.begin_ns).replaceAll('@TO@', report.end_ns))].join('\n;;\n'));
if (least === undefined)
	say(`${'recording'.padEnd(26)} ${'task'.padEnd(22)} ${'window'.padStart(12)}    same no path objects sleeper  return   other`);
reports.forEach((report, at) => {
	const spans = Object.assign(answers[at + 1], { root: roots[at] });
	(least === undefined ? show : check)(report, compare(report, spans));
});

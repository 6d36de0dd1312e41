// SPDX-License-Identifier: GPL-2.0-or-later
// node compare.mjs ANSWERS SUMMARY WAITS OBJECTS [BEGIN END WHOLE]: what trace processor answered to questions.sql
// against our own summary, list of waits, and --disk with --irq and --lock; all of a window from BEGIN to END
// where that is given, and then against what it answered of the whole recording. Prints what differs, a line
// each; nothing where all agree.
import fs from 'node:fs';

const [answers, summary, waits, objects] = process.argv.slice(2, 6).map((path) => fs.readFileSync(path, 'utf8'));
const [states, slices, kinds, [flows], stats, [irqs], [all], others, endless, locks, counters, [runnable], stacks, callstacks, woken, [bounds], threads, numbers] =
	answers.trim().split('\n').map((line) => JSON.parse(line));
const report = JSON.parse(summary);
const is_window = process.argv.length > 6;
const [begin, end] = is_window ? process.argv.slice(6, 8).map(Number) : [report.trace.begin_ns, report.trace.end_ns];
// a wait that the window's end cuts was not ended yet
const listed = JSON.parse(waits).waits.map((row) => ({ ...row, begin_ns: Math.max(row.begin_ns, begin),
	end_ns: Math.min(row.end_ns, end), is_cut: row.end_ns > end }));
const health = report.health;

function differ(what, theirs, ours) {
	if (theirs !== ours)
		console.log(`${what}: trace processor has ${theirs}, the report ${ours}`);
}
function sums(rows, key_of, value_of) {
	const sum = new Map();
	for (const row of rows)
		sum.set(key_of(row), (sum.get(key_of(row)) ?? 0) + value_of(row));
	return sum;
}
function differ_maps(what, theirs, ours) {
	for (const key of new Set([...theirs.keys(), ...ours.keys()]))
		differ(`${what} of ${key}`, theirs.get(key) ?? 0, ours.get(key) ?? 0);
}

differ('begin', bounds?.begin, begin);
differ('end', bounds?.end, Math.max(end, begin + 1));
// What is not known of a task is no state there: it stays in the one it had.
const unknown = new Set(report.summary.tasks.filter((row) => row.unknown_ns > 0).map((row) => row.task.tid));
const is_impaired = health.events_lost > 0;
const meant = { Running: 'running', R: 'runnable', 'R+': 'runnable', X: 'dead', Z: 'dead' };
for (const what of ['running', 'runnable', 'asleep']) {
	const theirs = sums(states.filter((row) => (meant[row.state] ?? 'asleep') === what &&
		!unknown.has(row.tid)), (row) => row.tid, (row) => row.ns);
	const ours = sums(report.summary.tasks.filter((row) => !unknown.has(row.task.tid)), (row) => row.task.tid,
		(row) => what === 'running' ? row.running_ns : what === 'runnable' ? row.runnable_ns :
			row.stopped_ns + Object.values(row.waiting_ns).reduce((a, b) => a + b, 0));
	if (!is_impaired)
		differ_maps(what, theirs, ours);
}
// Whose threads they are, of tids that were used once.
const tasks_of = sums(report.summary.tasks, (row) => row.task.tid, () => 1);
const tgids = new Map(report.summary.tasks.map((row) => [row.task.tid, row.task.tgid]));
for (const row of threads)
	if (row.tid && tasks_of.get(row.tid) === 1 && tgids.get(row.tid) > 0)
		differ(`process of ${row.tid}`, row.tgid, tgids.get(row.tid));
// By the kernel's letter, as far as the list has all waits of a task, and all their letters.
const letterless = new Set(listed.filter((row) => row.state === '?').map((row) => row.task.tid));
const listed_of = sums(listed, (row) => row.task.tid, (row) => row.end_ns - row.begin_ns);
const whole = new Set(report.summary.tasks.filter((row) => !unknown.has(row.task.tid) &&
	!letterless.has(row.task.tid) && listed_of.get(row.task.tid) ===
	row.stopped_ns + Object.values(row.waiting_ns).reduce((a, b) => a + b, 0)).map((row) => row.task.tid));
if (!is_impaired)
	differ_maps('letters', sums(states.filter((row) => !meant[row.state] && whole.has(row.tid)),
		(row) => `${row.tid} ${row.state}`, (row) => row.ns),
		sums(listed.filter((row) => whole.has(row.task.tid)), (row) => `${row.task.tid} ${row.state}`,
			(row) => row.end_ns - row.begin_ns));
differ('wait slices', all.slices, listed.length);
differ_maps('waits', sums(slices, (row) => row.tid, (row) => row.waits),
	sums(listed, (row) => row.task.tid, () => 1));
differ_maps('time of waits', sums(slices, (row) => row.tid, (row) => row.ns),
	sums(listed, (row) => row.task.tid, (row) => row.end_ns - row.begin_ns));
differ_maps('waits by kind', sums(kinds, (row) => row.kind, (row) => row.waits),
	sums(listed, (row) => row.cause?.kind ?? 'unknown', () => 1));
for (const row of kinds) {
	differ(`${row.kind} waits with a confidence`, row.confidences, row.waits);
	differ(`${row.kind} waits with a waker's comm`, row.comms, row.wakers);
}
for (const [where, rows] of [['argument', stacks], ['callstack', callstacks]])
	for (const what of ['stack', 'user_stack', 'waker_stack'])
		differ_maps(`${where} ${what}`,
			new Map(rows.filter((row) => row[what]).map((row) => [`${row.tid} at ${row.ts}`, row[what]])),
			new Map(listed.filter((row) => row[what] && !(row.is_cut && where + what === 'callstackwaker_stack'))
				.map((row) => [`${row.task.tid} at ${row.begin_ns}`, row[what].join(';')])));
const woken_in = new Map(listed.map((row) => [`${row.task.tid} at ${row.end_ns}`, row.waker_stack?.join(';')]));
for (const row of woken)
	differ(`callstack of who woke ${row.tid} at ${row.ts}`, row.stack ?? undefined,
		woken_in.get(`${row.tid} at ${row.ts}`));
const wakers = listed.filter((row) => row.cause?.waker && !row.is_cut).length;
if (flows.flows > wakers || (wakers > 0 && flows.flows < wakers / 2))
	console.log(`${flows.flows} flows for ${wakers} waits with a waker`);
differ('flows at one time', flows.level ?? 0, flows.flows);
differ('flows from waker to wakee', flows.named ?? 0, flows.flows);
if (!is_window && listed.some((row) => row.cause?.kind === 'disk') && irqs.interrupts === 0)
	console.log('no wake-up came from an interrupt');
for (const row of endless)
	console.log(`${row.states} states of ${row.tid} have no end`);
const resources = JSON.parse(objects);
const slices_of = (category) => others.find((row) => row.category === category)?.slices ?? 0;
const handled = (kind) => resources.irq.handlers.filter((row) => row.kind === kind)
	.reduce((sum, row) => sum + row.duration.count, 0);
// In a window are those that were issued in it.
if (!is_impaired && !is_window)
	differ('requests', slices_of('disk'),
		resources.disk.devices.reduce((sum, row) => sum + (row.device?.count ?? 0), 0));
if (!is_impaired) {
	differ('interrupts', slices_of('irq'), handled('irq'));
	differ('soft interrupts', slices_of('softirq'), handled('softirq'));
}
// Of futexes the waits tell.
const ofFutexes = ['futex', 'join', 'condition', 'barrier'];
const contended = resources.lock.locks.filter((row) => !ofFutexes.includes(row.kind));
if (!is_impaired) {
	differ_maps('contentions', sums(locks, (row) => row.kind, (row) => row.contentions),
		sums(contended, (row) => row.kind, (row) => row.count));
	differ_maps('contended time', sums(locks, (row) => row.kind, (row) => row.ns),
		sums(contended, (row) => row.kind, (row) => row.total_ns));
	for (const row of resources.disk.devices.filter((device) => !is_window && device.device)) {
		const counter = counters.find((each) => each.name === `requests in flight on ${row.disk ?? row.dev}`);
		differ(`most in flight on ${row.dev}`, counter?.most, row.in_flight_max);
		// requests that are open at the end are in flight, but nobody knows how long they take
		const more = counter?.area - row.device.total_ns;
		if (!(more > -row.device.total_ns / 100 && (row.open > 0 || more < row.device.total_ns / 100)))
			console.log(`in flight on ${row.dev}: ${counter?.area} ns, requests took ${row.device.total_ns}`);
	}
}
// What is known of a task only later is not in the count.
const queued = counters.find((each) => each.name === 'runnable tasks')?.area ?? 0;
const slack = health.switches_missing ? 0.1 : 0.02;
if (!is_impaired && !is_window && Math.abs(queued - (runnable.ns ?? 0)) > slack * runnable.ns + 1e6)
	console.log(`runnable tasks count ${queued} ns, their states ${runnable.ns}`);
for (const row of others.filter((each) => each.category !== 'lock'))
	differ(`depth of ${row.category} slices`, row.depth, 0);
for (const row of stats)
	if (!(row.name === 'ftrace_cpu_has_data_loss' && is_impaired) &&
		!(row.name === 'mismatched_sched_switch_tids' && (is_impaired || health.inconsistencies > 0)))
		console.log(`${row.severity}: ${row.name} ${row.value}`);

// By name: from when on a number is what, in the window; 0 unless told.
function steps_of(rows) {
	const by_name = new Map();
	for (const row of rows.filter((each) => each.ts < end)) {
		const steps = by_name.get(row.name) ?? [{ ts: begin, value: 0 }];
		const ts = Math.max(row.ts, begin);
		if (steps.at(-1).ts === ts)
			steps.pop();
		if (steps.at(-1)?.value !== row.value)
			steps.push({ ts, value: row.value });
		by_name.set(row.name, steps);
	}
	return by_name;
}
if (is_window) {
	const whole = steps_of(JSON.parse(fs.readFileSync(process.argv[8], 'utf8').trim().split('\n').at(-1)));
	const window = steps_of(numbers);
	for (const name of new Set([...whole.keys(), ...window.keys()])) {
		const [theirs, ours] = [window, whole].map((all) => (all.get(name) ?? [{ ts: begin, value: 0 }])
			.map((step) => `${step.value} from ${step.ts}`));
		const at = theirs.findIndex((step, index) => step !== ours[index]);
		differ(`${name}: step ${at}`, theirs[at], ours[at]);
		differ(`${name}: steps`, theirs.length, ours.length);
	}
}

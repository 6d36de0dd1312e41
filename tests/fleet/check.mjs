// SPDX-License-Identifier: GPL-2.0-or-later
// check.mjs FOLDER README: FOLDER has contrib/fleet and the engine. Each query is asked as people ask it,
// by ask.mjs, and what it finds is compared with what is computed here from the rows, and with what
// record.sh says of the boards. The last line counts.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const folder = resolve(process.argv[2]), readme = process.argv[3];
const scratch = mkdtempSync(join(tmpdir(), 'ftwait-fleet.'));
let passed = 0, failed = 0;

process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

function expect(what, holds, told = '') {
	if (holds) {
		passed++;
		return;
	}
	failed++;
	console.log(`FAIL fleet ${what}${told === '' ? '' : `: ${typeof told === 'string' ? told : JSON.stringify(told)}`}`);
}

function run(args) {
	return spawnSync(process.execPath, [join(folder, 'ask.mjs'), ...args], { cwd: folder, encoding: 'utf8' });
}

// What the query finds, as objects.
function ask(database, query, ...variables) {
	const told = run(['--json', join(scratch, database), query, ...variables]);
	if (told.status !== 0) {
		expect(`${query} ${variables.join(' ')}`, false, told.stderr);
		return [];
	}
	return told.stdout.split('\n').filter(line => line).map(line => JSON.parse(line));
}

function askText(database, text) {
	const file = join(scratch, 'query.sql');
	writeFileSync(file, text);
	return ask(database, file);
}

// Its only row, or its first one.
function askOne(...query) {
	return ask(...query)[0] ?? {};
}

function askTextOne(...query) {
	return askText(...query)[0] ?? {};
}

function near(a, b, within) {
	return Math.abs(a - b) <= within;
}

function rowsOf(files) {
	return files.flatMap(file => readFileSync(file, 'utf8').trimEnd().split('\n').map(line => JSON.parse(line)));
}

const examples = readdirSync(join(folder, 'example')).map(name => join(folder, 'example', name));
const rows = rowsOf(examples);
const whatOf = row => row.kind === null ? row.state : [row.kind, row.name].filter(part => part !== null).join(' ');
const mean = numbers => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

// The growth of each cause, by another way than that of grew.sql.
function growth(of, old, now) {
	const boards = [...new Set(of.map(row => row.labels.board))];
	const each = (board, firmware, take) => {
		const part = of.filter(row => row.labels.board === board && row.labels.firmware === firmware);
		return part.reduce((sum, row) => sum + take(row), 0) / new Set(part.map(row => row.recording)).size;
	};
	return new Map([...new Set(of.map(whatOf))].map(what => {
		const ms = row => whatOf(row) === what ? row.total_ns / 1e6 : 0;
		const pairs = boards.map(board => [each(board, old, ms), each(board, now, ms)]);
		const grew = pairs.map(([a, b]) => b - a), center = mean(grew);
		return [what, {
			old_ms: mean(pairs.map(pair => pair[0])), new_ms: mean(pairs.map(pair => pair[1])), grew_ms: center,
			worse: grew.filter(number => number > 0).length, boards: boards.length,
			error: Math.sqrt(mean(grew.map(number => (number - center) ** 2)) / (boards.length - 1)),
		}];
	}));
}

function checkGrowth(name, found, truth) {
	expect(`${name}: each cause once`, found.length === truth.size, found.map(row => row.what));
	for (const row of found) {
		const want = truth.get(row.what);
		expect(`${name}: ${row.what}`, want && near(row.old_ms, want.old_ms, 0.006) && near(row.new_ms, want.new_ms, 0.006) &&
			near(row.grew_ms, want.grew_ms, 0.006) && row.worse === want.worse && row.boards === want.boards, row);
	}
	expect(`${name}: largest first`, found.every((row, i) => i === 0 || found[i - 1].grew_ms >= row.grew_ms), found);
}

// The part of Student's distribution with 5 degrees of freedom above t.
function tail5(t) {
	const angle = Math.atan(t / Math.sqrt(5));
	return 0.5 - (angle + Math.sin(angle) * Math.cos(angle) * (1 + 2 / 3 * Math.cos(angle) ** 2)) / Math.PI;
}

function checkLoad() {
	const first = askOne('a', 'load.sql', 'rows=example/*.ndjson');
	expect('twelve recordings of six boards', examples.length === 12 && new Set(rows.map(row => row.host)).size === 6);
	expect('all rows are loaded', first.recordings === 12 && first.rows === rows.length && first.recordings_left_out === 0, first);
	const again = askOne('a', 'load.sql', 'rows=example/*.ndjson');
	expect('none is loaded twice', again.rows === rows.length, again);
	expect('rows sum to the time of their recording', askText('a',
		'SELECT recording FROM costs GROUP BY recording, wall_ns HAVING sum(total_ns) <> wall_ns').length === 0);
	expect('a machine has a hash', askText('a', `SELECT board FROM (SELECT labels['board'] AS board, machine FROM costs)
		GROUP BY board HAVING count(DISTINCT machine) <> 1 OR bool_or(machine NOT SIMILAR TO '[0-9a-f]{32}')`).length === 0);
}

// The program of today writes what is loaded here.
function checkProgram() {
	const written = rowsOf([join(folder, 'fixtures.ndjson')]);
	const told = askOne('fixtures', 'load.sql', 'rows=fixtures.ndjson');
	expect('rows of the fixtures', told.recordings > 2 && told.rows === written.length &&
		told.recordings === new Set(written.map(row => row.recording)).size, told);
	const known = new Set(askText('fixtures', 'DESCRIBE costs').map(row => row.column_name));
	expect('every member is a column', written.every(row => Object.keys(row).every(key =>
		known.has(key) || ['schema', 'share'].includes(key))), Object.keys(written[0]));
	expect('every column is a member', [...known].every(name => name in written[0]), [...known]);
	const tables = { 'clickhouse.sql': readFileSync(join(folder, 'clickhouse.sql'), 'utf8'),
		'the schema for Spark': readFileSync(readme, 'utf8').match(/schema\("([^)]*)\)/)[1] };
	for (const [name, text] of Object.entries(tables))
		expect(`every column is in ${name}`, [...known].every(column => new RegExp(`\\b${column} [A-Z]`).test(text)), text);
}

// A table that an older program filled takes rows of today's.
function checkOlderTable() {
	askText('older', readFileSync(join(folder, 'load.sql'), 'utf8').match(/CREATE TABLE[^;]*;/)[0]);
	expect('a table without aims', askOne('older', 'load.sql', 'rows=fixtures.ndjson').recordings > 2);
	const aims = askTextOne('older', "SELECT count(*) AS disks FROM costs WHERE aim.kind = 'disk'");
	expect('an aim is asked for', aims.disks > 0, aims);
}

function checkGrew() {
	const found = ask('a', 'grew.sql', 'old=1.1', 'new=1.2'), truth = growth(rows, '1.1', '1.2');
	const first = found[0] ?? {};
	checkGrowth('grew', found, truth);
	expect('grew: the syncs grew most', first.what === 'disk vda' && first.root === 'logger', first);
	expect('grew: on all boards', first.worse === 6 && first.boards === 6, first);
	expect('grew: they came twice as often', near(first.new_count / first.old_count, 2, 0.1), first);
	expect('grew: that is sure', first.low_ms > 0 && first.low_ms < first.grew_ms && first.grew_ms < first.high_ms, first);
	for (const row of found) {
		const t = (row.high_ms - row.grew_ms) / truth.get(row.what).error;
		if (row.high_ms - row.grew_ms > 1)
			expect(`grew: 95 % for all rows, ${row.what}`, near(tail5(t) / (0.025 / found.length), 1, 0.03), tail5(t));
	}
	const walls = firmware => mean([...new Map(rows.filter(row => row.labels.firmware === firmware)
		.map(row => [row.recording, row.wall_ns / 1e6])).values()]);
	expect('grew: sums to the growth of the whole', near(found.reduce((sum, row) => sum + row.grew_ms, 0),
		walls('1.2') - walls('1.1'), 0.005 * found.length + 0.001));
	const back = ask('a', 'grew.sql', 'old=1.2', 'new=1.1');
	expect('grew: backwards it shrank', back.at(-1)?.what === 'disk vda' && back.at(-1).high_ms < 0, back.at(-1));
	const other = ask('a', 'grew.sql', 'label=board', 'old=b01', 'new=b02');
	expect('grew: no board has two names', other.length === 0, other);

	ask('five', 'load.sql', 'rows=example/b0[1-5]-*.ndjson');
	const few = ask('five', 'grew.sql', 'old=1.1', 'new=1.2');
	expect('grew: five boards are not sure', few[0]?.what === 'disk vda' && few[0].boards === 5 &&
		few.every(row => row.low_ms === null && row.high_ms === null), few);
}

function checkNew() {
	const found = ask('a', 'new.sql', 'old=1.1', 'new=1.2');
	expect('new: the lock that rotate has, and no other', found.length === 1 && found[0].what === 'timer sleep' &&
		found[0].tasks === 'rotate', found);
	expect('new: on two boards', found[0]?.boards === 2 && found[0].of_boards === 6 && found[0].recordings === 2, found);
	expect('new: 5 ms a recording', near(found[0]?.per_recording_ms, 5, 0.5), found);
	const first = Math.min(...rows.filter(row => row.task === 'rotate').map(row => row.realtime_ns));
	expect('new: the time of day', found[0]?.first_seen_utc ===
		new Date(first / 1e6).toISOString().slice(0, 19).replace('T', ' '), found[0]?.first_seen_utc);
	expect('new: nothing is in the old one', ask('a', 'new.sql', 'old=1.2', 'new=1.1').length === 0);
}

function median(numbers) {
	const sorted = numbers.toSorted?.((a, b) => a - b) ?? [...numbers].sort((a, b) => a - b), half = sorted.length >> 1;
	return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// Boards beside the middle one, by another way than that of worst.sql.
function besideMiddle(of, firmware) {
	const mine = of.filter(row => row.labels.firmware === firmware);
	const boards = [...new Set(mine.map(row => row.labels.board))].map(board => {
		const part = mine.filter(row => row.labels.board === board), runs = new Set(part.map(row => row.recording)).size;
		const ms = what => part.reduce((sum, row) => sum + (what === undefined || whatOf(row) === what ? row.total_ns : 0), 0) / 1e6 / runs;
		return { board, wall: ms(), ms };
	});
	const fleet = median(boards.map(board => board.wall));
	const middle = new Map([...new Set(mine.map(whatOf))].map(what => [what, median(boards.map(board => board.ms(what)))]));
	for (const board of boards) {
		const more = [...middle].map(([what, ms]) => [what, board.ms(what) - ms]).sort((a, b) => b[1] - a[1])[0];
		Object.assign(board, { fleet, mostly: more[0], more: more[1] });
	}
	return boards.filter(board => board.wall > fleet).sort((a, b) => b.wall - a.wall);
}

function checkBeside(name, found, of) {
	for (const firmware of ['1.1', '1.2']) {
		const mine = found.filter(row => row.value === firmware), truth = besideMiddle(of, firmware);
		expect(`${name}: boards above the middle with ${firmware}`, mine.length === truth.length && truth.length > 0, mine);
		const other = mine.find((row, i) => row.board !== truth[i].board || row.mostly !== truth[i].mostly ||
			!near(row.wall_ms, truth[i].wall, 0.006) || !near(row.fleet_ms, truth[i].fleet, 0.006) ||
			!near(row.ratio, truth[i].wall / truth[i].fleet, 0.006) || !near(row.more_ms, truth[i].more, 0.006));
		expect(`${name}: each as it is, with ${firmware}`, other === undefined, other);
	}
}

function checkWorst() {
	const found = ask('a', 'worst.sql');
	checkBeside('worst', found, rows);
	expect('worst: the board that does most', found[0]?.board === 'b04' && found[0].mostly === 'running', found[0]);
}

function checkSame() {
	const found = ask('a', 'same.sql'), disk = found.find(row => row.what === 'disk vda');
	expect('same: each cause once', new Set(found.map(row => row.what)).size === found.length &&
		found.length === new Set(rows.map(whatOf)).size, found.map(row => row.what));
	expect('same: shares sum to all', near(found.reduce((sum, row) => sum + row.share, 0), 100, 0.005 * found.length + 0.001));
	const of = rows.filter(row => whatOf(row) === 'disk vda');
	expect('same: the disk of all boards', disk?.boards === 6 && disk.of_boards === 6 && disk.recordings === 12 &&
		disk.count === of.reduce((sum, row) => sum + row.count, 0) &&
		near(disk.longest_ms, Math.max(...of.map(row => row.max_ns)) / 1e6, 0.006), disk);
	expect('same: the rarest is not lost', found.find(row => row.what === 'timer sleep')?.boards === 2, found);
}

function checkParquet() {
	ask('a', 'parquet.sql');
	const both = askTextOne('a', `SELECT (SELECT count(*) FROM 'costs.parquet') AS rows,
		(SELECT count(*) FROM (FROM costs EXCEPT ALL FROM 'costs.parquet')) AS others`);
	expect('parquet: the same rows', both.rows === rows.length && both.others === 0, both);
	expect('parquet: packed', statSync(join(folder, 'costs.parquet')).size < 20000);
}

function checkQuantiles() {
	const table = [[0.025, 5, 2.571], [0.005, 5, 4.032], [0.0005, 5, 6.869], [0.025, 10, 2.228], [0.0005, 10, 4.587],
		[0.025, 30, 2.042], [0.0005, 120, 3.373], [0.025, 100000, 1.96], [0.005, 100000, 2.576]];
	const row = askTextOne('a', `SELECT ${table.map(([tail, degrees], i) => `student_quantile(${tail}, ${degrees}) AS q${i}`)}`);
	for (const [i, [tail, degrees, quantile]] of table.entries())
		expect(`Student's t, ${tail} of ${degrees}`, near(row[`q${i}`] / quantile, 1, 0.03), row);
}

// What a database must take as data, and what it must refuse.
function checkOdd() {
	const odd = { ...rows[0], recording: "x'); DROP TABLE costs; --", labels: { "it's": '"\u{1f600}\n' }, root: null,
		realtime_ns: null, machine: null, kind: 'lock', name: "a'b;\\", host: null, state: 'waiting', more: [1] };
	const low = { ...rows[0], recording: 'low', explained: 0.5 };
	const lossy = { ...rows[0], recording: 'lossy', lost: 3 };
	const wait = { schema: 'ftwait.waits/1', recording: 'w', labels: {}, begin_ns: 1 };
	const file = join(scratch, 'odd.ndjson');
	writeFileSync(file, [odd, low, lossy, wait].map(row => JSON.stringify(row)).join('\n') + '\n');
	const told = askOne('odd', 'load.sql', `rows=${file}`);
	expect('odd: loaded, but for rows of waits', told.recordings === 3 && told.rows === 3, told);
	expect('odd: one is not explained, one lost events', told.recordings_left_out === 2, told);
	const same = ask('odd', 'same.sql');
	expect('odd: its cause', same.length === 1 && same[0].what === "lock a'b;\\" && same[0].longest_on === '', same);
	expect('odd: the board of an older file', ask('odd', 'worst.sql').length === 0);

	// what one board alone waits for is all more than the others do
	const board = (name, state, kind, total, wall) => ({ ...rows[0], recording: name, labels: { board: name }, state, kind,
		name: null, total_ns: total, wall_ns: wall });
	writeFileSync(file, [board('p', 'running', null, 1e7, 1e7), board('q', 'running', null, 1e7, 1e7),
		board('r', 'running', null, 1.1e7, 6.1e7), board('r', 'waiting', 'lock', 5e7, 6.1e7)].map(row => JSON.stringify(row)).join('\n'));
	ask('alone', 'load.sql', `rows=${file}`);
	const alone = ask('alone', 'worst.sql');
	expect('odd: what one board alone waits for', alone.length === 1 && alone[0].board === 'r' && alone[0].mostly === 'lock' &&
		alone[0].more_ms === 50, alone);

	writeFileSync(file, `${JSON.stringify(odd)}\n${JSON.stringify(low).slice(0, 100)}\n`);
	const cut = run([join(scratch, 'cut'), 'load.sql', `rows=${file}`]);
	expect('a file that is cut is named', cut.status === 1 && cut.stderr.includes('odd.ndjson'), cut.stderr);
	for (const [query, variables, said] of [['load.sql', [], 'SET VARIABLE rows'], ['load.sql', ['rows=none/*'], 'none/*'],
		['grew.sql', [], 'SET VARIABLE old'], ['new.sql', ['old=1'], 'SET VARIABLE new'], ['nothing.sql', [], 'nothing.sql']]) {
		const told = run([join(scratch, 'a'), query, ...variables]);
		expect(`${query} ${variables}: says what it lacks`, told.status === 1 && told.stderr.includes(said), told.stderr);
	}
	expect('ask.mjs says how it is used', run(['a']).status === 2 && run(['a', 'grew.sql', 'old']).status === 2);
}

// More boards than were recorded, and several recordings of each.
function checkGenerated() {
	const file = join(scratch, 'made.ndjson');
	const made = [1, 2].map(seed => execFileSync(process.execPath, [join(import.meta.dirname ?? new URL('.', import.meta.url).pathname,
		'generate.mjs'), join(folder, 'example'), '60', String(seed)], { encoding: 'utf8' }));
	writeFileSync(file, made.join(''));
	const told = askOne('made', 'load.sql', `rows=${file}`);
	expect('generated: all are loaded', told.recordings === 120, told);
	expect('generated: rows sum to the time', askText('made',
		'SELECT recording FROM costs GROUP BY recording, wall_ns HAVING sum(total_ns) <> wall_ns').length === 0);
	const found = ask('made', 'grew.sql', 'old=1.1', 'new=1.2');
	checkGrowth('generated', found, growth(rowsOf([file]), '1.1', '1.2'));
	checkBeside('generated', ask('made', 'worst.sql'), rowsOf([file]));
	expect('generated: the syncs grew most', found[0]?.what === 'disk vda' && found[0].boards === 30 && found[0].low_ms > 0, found[0]);
}

// README shows what was printed.
function checkReadme() {
	const lines = readFileSync(readme, 'utf8').split('\n');
	const shown = lines.map((line, i) => [line.match(/^ {4}\$ node ask\.mjs fleet\.duckdb (.*)$/)?.[1], i]).filter(([command]) => command);
	let compared = 0;
	for (const [command, at] of shown) {
		const args = command.split(' ').map(word => word.replace(/^(\w+=)?'(.*)'$/, '$1$2'));
		const printed = run([join(scratch, 'readme'), ...args]);
		expect(`README: ${command}`, printed.status === 0, printed.stderr);
		const end = lines.findIndex((line, i) => i > at && !/^ {4}[^$]/.test(line));
		const wanted = lines.slice(at + 1, end).map(line => line.slice(4));
		if (wanted.length === 0)
			continue;
		compared++;
		expect(`README: what ${command} prints`, printed.stdout === wanted.join('\n') + '\n', printed.stdout);
	}
	expect('README: shows the queries', compared >= 4, String(compared));
}

checkLoad();
checkProgram();
checkOlderTable();
checkGrew();
checkNew();
checkWorst();
checkSame();
checkParquet();
checkQuantiles();
checkOdd();
checkGenerated();
checkReadme();
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed === 0 ? 0 : 1;

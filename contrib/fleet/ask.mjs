#!/usr/bin/env node
// SPDX-License-Identifier: GPL-2.0-or-later
// ask.mjs [--json] DATABASE FILE.sql [NAME=VALUE...]: runs the statements of the file, with these
// variables, and prints what the last one found: a table of at most 20 rows (rows shown: ROWS=N), or
// all as JSON, a row a line. DATABASE is a file, or :memory:.
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

function quoted(text) {
	return `'${text.replaceAll("'", "''")}'`;
}

// Counts are bigint.
function text(value) {
	return value === null ? '' : typeof value === 'number' ? value.toFixed(2) : String(value);
}

function printTable(names, rows) {
	const shown = rows.slice(0, Number(process.env.ROWS ?? 20));
	const texts = shown.map(row => row.map(text));
	const widths = names.map((name, i) => Math.max(name.length, ...texts.map(row => row[i].length)));
	const isNumber = names.map((_, i) => shown.every(row => row[i] === null || typeof row[i] !== 'string'));
	const line = cells => cells.map((cell, i) =>
		isNumber[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])).join('  ').trimEnd();

	console.log(line(names));
	for (const row of texts)
		console.log(line(row));
	if (rows.length > shown.length)
		console.log(`... ${rows.length - shown.length} more`);
}

const isJson = process.argv[2] === '--json';
const [database, file, ...variables] = process.argv.slice(isJson ? 3 : 2);
if (!file || variables.some(variable => !/^\w+=/.test(variable))) {
	console.error('usage: ask.mjs [--json] DATABASE FILE.sql [NAME=VALUE...]');
	process.exit(2);
}
try {
	const connection = await (await DuckDBInstance.create(database)).connect();
	for (const variable of variables) {
		const at = variable.indexOf('=');
		await connection.run(`SET VARIABLE ${variable.slice(0, at)} = ${quoted(variable.slice(at + 1))}`);
	}
	const reader = await connection.runAndReadAll(readFileSync(file, 'utf8'));
	const names = reader.columnNames(), rows = reader.getRowsJS();
	if (isJson)
		for (const row of rows)
			console.log(JSON.stringify(Object.fromEntries(names.map((name, i) =>
				[name, typeof row[i] === 'bigint' ? Number(row[i]) : row[i]]))));
	else
		printTable(names, rows);
} catch (error) {
	console.error(`${file}: ${error.message}`);
	process.exit(1);
}

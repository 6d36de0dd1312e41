// SPDX-License-Identifier: GPL-2.0-or-later
// A page of `report --format html` against the JSON of --summary --all --top 0, of --waits and of
// --critical-path of the same recording.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { checks, reading_checks } from './page_checks.mjs';
import { page_read } from './page_data.mjs';

const json_read = (place) => place ? JSON.parse(fs.readFileSync(place, 'utf8')) : null;

// As pages.mjs wants them.
export function page_checks(name, file, summary, waits, critical_path, chosen) {
	const facts = { name, file, url: pathToFileURL(path.resolve(file)).href, data: page_read(file),
		summary: json_read(summary), waits: json_read(waits), critical_path: json_read(critical_path) };
	const wanted = (chosen || process.env.CHECKS)?.split(' ') ?? Object.keys(checks);
	return Object.entries(checks).filter(([what]) => wanted.includes(what)).map(([what, check]) => ({
		what: `${name}: ${what}`, url: facts.url, is_read: what in reading_checks,
		check: (page, expect) => check(page, facts, expect) }));
}

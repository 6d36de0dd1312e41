// SPDX-License-Identifier: GPL-2.0-or-later
// node page.mjs NAME PAGE [SUMMARY [WAITS [CRITICAL_PATH]]]: a page of `report --format html` in
// Chromium, against the JSON of --summary --all --top 0, of --waits and of --critical-path of the same
// recording. Prints what is not as it should be, a line each, and in the end "N checks, M failed".
// CHECKS="NAME ..." are those alone, SCREENSHOTS=FOLDER keeps pictures.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { Browser } from './chromium.mjs';
import { checks } from './page_checks.mjs';
import { page_read } from './page_data.mjs';

const [name, file, summary, waits, critical_path] = process.argv.slice(2);
const json_read = (place) => place ? JSON.parse(fs.readFileSync(place, 'utf8')) : null;
const facts = { name, file, url: pathToFileURL(path.resolve(file)).href, data: page_read(file),
	summary: json_read(summary), waits: json_read(waits), critical_path: json_read(critical_path) };
const wanted = process.env.CHECKS?.split(' ') ?? Object.keys(checks);

let failed = 0, done = 0;
const tell = (what, text) => {
	failed++;
	console.log(`FAIL page ${name}: ${what}: ${text}`);
};

async function check_run(browser, what, check) {
	const page = await browser.page(facts.url);
	const before = failed;
	try {
		if (!await page.load())
			tell(what, 'never ready');
		else
			await check(page, facts, (is_true, text) => is_true || tell(what, text));
	} catch (error) {
		tell(what, error.message);
	}
	for (const error of page.errors)
		tell(what, error);
	for (const request of page.requests)
		tell(what, `asks for ${request}`);
	if (process.env.SCREENSHOTS && failed > before)
		await page.screenshot(path.join(process.env.SCREENSHOTS, `failed ${name} ${what}.png`));
	await page.close();
	done++;
}

const browser = await Browser.start();
for (const [what, check] of Object.entries(checks))
	if (wanted.includes(what))
		await check_run(browser, what, check);
await browser.stop();
console.log(`${done} checks, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

// SPDX-License-Identifier: GPL-2.0-or-later
// node damage.mjs PAGE: what a page does when its data are cut, are of something else or are not
// there: it says so in one line, and its tables stay. The last line counts.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { Browser } from './chromium.mjs';

const text = fs.readFileSync(process.argv[2], 'utf8');
const block = (name) => new RegExp(`(<script type="text/plain" id="data-${name}">)([^<]*)`);
const with_block = (name, change) => text.replace(block(name), (_, head, data) => head + change(data));
const cut = (data) => data.slice(0, Math.floor(data.length / 2));

const damaged = {
	'states are cut': with_block('states', cut),
	'lengths are those of nothing': with_block('lengths', () => 'eJwDAAAAAAE='),
	'causes are no base64': with_block('causes', () => '!?!'),
	'meta are cut': with_block('meta', cut),
	'meta are not there': text.replace(block('meta'), '<script type="text/plain" id="nothing">'),
	'the icicle is cut': with_block('icicle', cut),
	'the icicle is of another page': with_block('icicle', () =>
		'eJyrVirJLMlJLVayUohWqlCK1VFQSitKzIUIRCslKgEFShKLs5ViQVIFiSUZEBkDHQVTHQVDMJlXmpOjoxBtHhsbWwsAtBoWyw=='),
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ftwait-damage.'));
const browser = await Browser.start();
let passed = 0, failed = 0;
const tables_of = (page) => page.evaluate("document.querySelectorAll('.table tbody tr').length");

async function check(what, page_text) {
	const file = path.join(folder, 'page.html');
	fs.writeFileSync(file, page_text);
	const page = await browser.page(pathToFileURL(file).href);
	await page.ask('Page.navigate', { url: page.url });
	const is_told = await page.until("document.querySelectorAll('.error').length > 0", 10000);
	const rows = await tables_of(page);
	const at_least = (page_text.match(/<tr><td/g) ?? []).length;
	const wrong = [...page.errors, ...page.requests];
	if (!is_told)
		wrong.push('says nothing');
	if (rows < at_least)
		wrong.push(`has ${rows} of ${at_least} rows`);
	if (wrong.length)
		console.log(`FAIL page where ${what}: ${wrong.join('; ')}`);
	wrong.length ? failed++ : passed++;
	await page.close();
}

for (const [what, page_text] of Object.entries(damaged))
	await check(what, page_text);
await browser.stop();
fs.rmSync(folder, { recursive: true });
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exitCode = failed ? 1 : 0;

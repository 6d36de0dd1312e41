// SPDX-License-Identifier: GPL-2.0-or-later
// What a page does when its data are cut, are of something else or are not there: it says so in one line,
// and its tables stay.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const block = (name) => new RegExp(`(<script type="text/plain" id="data-${name}">)([^<]*)`);
const with_block = (text, name, change) => text.replace(block(name), (_, head, data) => head + change(data));
const cut = (data) => data.slice(0, Math.floor(data.length / 2));

const damages = (text) => ({
	'states are cut': with_block(text, 'states', cut),
	'lengths are those of nothing': with_block(text, 'lengths', () => 'eJwDAAAAAAE='),
	'causes are no base64': with_block(text, 'causes', () => '!?!'),
	'meta are cut': with_block(text, 'meta', cut),
	'meta are not there': text.replace(block('meta'), '<script type="text/plain" id="nothing">'),
	'the icicle is cut': with_block(text, 'icicle', cut),
	'the icicle is of another page': with_block(text, 'icicle', () =>
		'eJyrVirJLMlJLVayUohWqlCK1VFQSitKzIUIRCslKgEFShKLs5ViQVIFiSUZEBkDHQVTHQVDMJlXmpOjoxBtHhsbWwsAtBoWyw=='),
});

async function check(page, page_text, expect) {
	const is_told = await page.until("document.querySelectorAll('.error').length > 0");
	const rows = await page.evaluate("document.querySelectorAll('.table tbody tr').length");
	const at_least = (page_text.match(/<tr><td/g) ?? []).length;
	expect(is_told, 'says nothing');
	expect(rows >= at_least, `has ${rows} of ${at_least} rows`);
}

// As pages.mjs wants them.
export function damage_checks(file) {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ftwait-damage.'));
	process.on('exit', () => fs.rmSync(folder, { recursive: true }));
	return Object.entries(damages(fs.readFileSync(file, 'utf8'))).map(([what, page_text], at) => {
		const damaged = path.join(folder, `${at}.html`);
		fs.writeFileSync(damaged, page_text);
		return { what, url: pathToFileURL(damaged).href, is_never_ready: true,
			check: (page, expect) => check(page, page_text, expect) };
	});
}

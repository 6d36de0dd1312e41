// SPDX-License-Identifier: GPL-2.0-or-later
// node pages.mjs [KIND ARGUMENT...]: pages in Chromium, one after another in one tab. Without arguments it
// takes them from lines of its input, "OUTPUT KIND ARGUMENT..." with tabs between, writes what it finds
// to the file OUTPUT, and says "ok" or "failed" for each line. What it finds is what is not as it should
// be, a line each, and in the end "N checks, M failed".
//
//	page NAME PAGE [SUMMARY [WAITS [CRITICAL_PATH]]]   page.mjs
//	diff PAGE JSON FOLDED                              diff_page.mjs
//	tail PAGE JSON                                     tail_page.mjs
//	damage PAGE                                        damage.mjs
//
// CHECKS="NAME ..." are those checks alone, SCREENSHOTS=FOLDER keeps pictures of what failed.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';

import { Browser } from './chromium.mjs';
import { damage_checks } from './damage.mjs';
import { diff_checks } from './diff_page.mjs';
import { page_checks } from './page.mjs';
import { tail_checks } from './tail_page.mjs';

// Each gives [{ what, url, check(page, expect), is_read }, ...] for the arguments. A check that `is_read`
// leaves the page as it is, for the next one of the same address.
const kinds = { page: page_checks, diff: diff_checks, tail: tail_checks, damage: damage_checks };

const browser = await Browser.start();
const page = await browser.page();

async function check_run({ what, url, check, is_read, is_never_ready }, before, tell) {
	if (!(is_read && before?.is_read && before.url === url)) {
		await page.renew(url);
		if (is_never_ready)
			await page.ask('Page.navigate', { url });
		else if (!await page.load())
			tell('never ready');
	}
	await check(page, (is_true, text) => is_true || tell(text));
	[...page.errors, ...page.requests].forEach(tell);
}

async function run(kind, args, say) {
	let failed = 0, done = 0, before;
	for (const each of kinds[kind](...args)) {
		const failed_before = failed;
		const tell = (text) => {
			failed++;
			say(`FAIL ${kind}: ${each.what}: ${text}`);
		};
		await check_run(each, before, tell).catch((error) => tell(error.message));
		if (process.env.SCREENSHOTS && failed > failed_before)
			await page.screenshot(path.join(process.env.SCREENSHOTS, `failed ${kind} ${each.what}.png`));
		before = failed > failed_before ? undefined : each;
		done++;
	}
	say(`${done} checks, ${failed} failed`);
	return failed === 0;
}

async function answer(line) {
	const [output, kind, ...args] = line.split('\t');
	const lines = [];
	const is_good = await run(kind, args, (text) => lines.push(text)).catch((error) => {
		lines.push(error.stack);
		return false;
	});
	fs.writeFileSync(output, lines.map((each) => `${each}\n`).join(''));
	return is_good;
}

const [kind, ...args] = process.argv.slice(2);
if (kind)
	process.exitCode = await run(kind, args, console.log) ? 0 : 1;
else
	for await (const line of readline.createInterface({ input: process.stdin }))
		console.log(await answer(line) ? 'ok' : 'failed');
await browser.stop();

// SPDX-License-Identifier: GPL-2.0-or-later
// node measure.mjs PAGE: when a page is ready, and how long its frames take.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { Browser } from './chromium.mjs';

const browser = await Browser.start();
const page = await browser.page(pathToFileURL(path.resolve(process.argv[2])).href);
const begin = Date.now();
const is_ready = await page.load();
const ready = Date.now() - begin;
const { segments, tasks } = await page.evaluate('({ ...document.documentElement.dataset })');
console.log(is_ready ? `  ready after ${ready} ms: ${segments} segments of ${tasks} tasks` : '  never ready');
const heap = await page.evaluate('performance.memory?.usedJSHeapSize ?? 0');
console.log(`  heap ${(heap / 1e6).toFixed(1)} MB`);
for (const [zoom, times] of Object.entries(await page.evaluate('ftwait.flow.measure()'))) {
	times.sort((a, b) => a - b);
	const [least, median, most] = [0, times.length >> 1, times.length - 1].map((at) => times[at].toFixed(1));
	console.log(`  ${zoom.padEnd(9)}  ${least} ${median} ${most} ms a frame`);
}
await browser.stop();

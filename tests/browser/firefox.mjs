// SPDX-License-Identifier: GPL-2.0-or-later
// node firefox.mjs PAGE: a page of `report --format html` in Firefox, without a window and driven by
// its Marionette: messages of JSON over a socket, the length in front. Is it drawn, whole, without a
// complaint, and has it sent for nothing? Does its history lead back to the row of a table that a link
// was followed from? FIREFOX is the program. Prints what is wrong, a line each; the last line counts.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { page_read } from './page_data.mjs';

const within = 60000; // ms
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ftwait-firefox.'));
fs.writeFileSync(path.join(folder, 'user.js'), 'user_pref("marionette.port", 0);\n' +
	'user_pref("browser.shell.checkDefaultBrowser", false);\n' +
	'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n');
const firefox = spawn(process.env.FIREFOX ?? 'firefox-esr',
	['--headless', '--marionette', '--no-remote', '--profile', folder], { stdio: 'ignore' });

async function port_get() {
	const file = path.join(folder, 'MarionetteActivePort');
	for (const end = Date.now() + within; Date.now() < end; await pause(100))
		if (fs.existsSync(file) && fs.readFileSync(file, 'utf8'))
			return Number(fs.readFileSync(file, 'utf8'));
	throw new Error('Firefox does not start');
}

class Marionette {
	#waiting = new Map();
	#rest = Buffer.alloc(0);
	#next = 1;

	constructor(port) {
		this.socket = net.connect(port, '127.0.0.1');
		this.socket.on('data', (chunk) => this.#take(Buffer.concat([this.#rest, chunk])));
		this.socket.on('error', () => {});
	}

	#take(bytes) {
		for (let colon; (colon = bytes.indexOf(':')) > 0;) {
			const end = colon + 1 + Number(bytes.subarray(0, colon));
			if (bytes.length < end)
				break;
			const message = JSON.parse(bytes.subarray(colon + 1, end));
			bytes = bytes.subarray(end);
			if (!Array.isArray(message))
				continue; // its greeting
			const [type, id, error, result] = message;
			if (type === 1)
				this.#waiting.get(id)(error ? Promise.reject(new Error(error.message)) : result);
		}
		this.#rest = bytes;
	}

	ask(name, parameters = {}) {
		const id = this.#next++;
		const text = JSON.stringify([0, id, name, parameters]);
		this.socket.write(`${Buffer.byteLength(text)}:${text}`);
		return Promise.race([new Promise((resolve) => this.#waiting.set(id, resolve)),
			pause(within).then(() => Promise.reject(new Error(`${name}: no answer`)))]);
	}

	async evaluate(expression) {
		return (await this.ask('WebDriver:ExecuteScript',
			{ script: `return ${expression};`, args: [] })).value;
	}
}

// What a click on a table's row does, and the browser's Back and Forward.
async function history_check(browser) {
	const view = 'ftwait.flow.view';
	const until = async (expression) => {
		for (const end = Date.now() + 60000; Date.now() < end; await pause(50))
			if (await browser.evaluate(expression))
				return true;
		return false;
	};
	const row = "document.querySelector('.table tr.leads button.link')";
	if (!await browser.evaluate(`!!${row}`))
		return [];
	const wrong = [];
	await browser.evaluate(`(${row}.id = 'leading', ${row}.click())`);
	if (!await browser.evaluate(`${view}.selected !== null && history.state.step === 1`))
		wrong.push('a row of a table leads nowhere');
	await browser.evaluate('history.back()');
	if (!await until(`${view}.selected === null && document.activeElement.id === 'leading'`))
		wrong.push("the browser's Back does not lead back to the row");
	await browser.evaluate('history.forward()');
	if (!await until(`${view}.selected !== null && ${view}.trail.at === 1`))
		wrong.push('Forward does not lead to where the row led');
	await browser.evaluate(`${view}.trail.back()`);
	if (!await until(`history.state.step === 0 && ${view}.trail.at === 0`))
		wrong.push('the history does not follow');
	return wrong;
}

async function check(file) {
	const browser = new Marionette(await port_get());
	const { segments, meta } = page_read(file);
	const wrong = [];
	await browser.ask('WebDriver:NewSession', {});
	await browser.ask('WebDriver:Navigate', { url: pathToFileURL(path.resolve(file)).href });
	const end = Date.now() + 20000;
	while (await browser.evaluate('document.documentElement.dataset.ready') !== '1' && Date.now() < end)
		await pause(50);
	const told = await browser.evaluate(`({ ...document.documentElement.dataset,
		errors: [...document.querySelectorAll('.error')].map((line) => line.textContent),
		requests: performance.getEntriesByType('resource').map((entry) => entry.name) })`);
	if (told.ready !== '1' || +told.segments !== segments || +told.tasks !== meta.tasks.length)
		wrong.push(`ready ${told.ready}, ${told.segments} of ${segments} segments, ` +
			`${told.tasks} of ${meta.tasks.length} tasks`);
	wrong.push(...told.errors, ...told.requests.map((name) => `asks for ${name}`));
	wrong.push(...await history_check(browser));
	await browser.ask('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => {});
	return wrong;
}

const ended = new Promise((resolve) => firefox.on('exit', resolve));
const wrong = await check(process.argv[2]).catch((error) => [error.message]);
const killer = setTimeout(() => firefox.kill('SIGKILL'), 5000);
await ended;
clearTimeout(killer);
fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
for (const text of wrong)
	console.log(`FAIL page in Firefox: ${text}`);
console.log(`${wrong.length ? 0 : 1} passed, ${wrong.length ? 1 : 0} failed, 0 skipped`);
process.exit(wrong.length ? 1 : 0);

// SPDX-License-Identifier: GPL-2.0-or-later
// Chromium without a window, driven by the DevTools protocol over two pipes: messages of JSON with
// a NUL behind each, written to its file descriptor 3 and read from its 4. No package is needed.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const answer_within = 60000; // ms: machines that test are slow

class Connection {
	#input;
	#waiting = new Map();
	#listeners = [];
	#next = 1;

	constructor(input, output) {
		let rest = [];
		this.#input = input;
		output.on('data', (chunk) => {
			for (let end; (end = chunk.indexOf(0)) >= 0; chunk = chunk.subarray(end + 1)) {
				this.#take(Buffer.concat([...rest, chunk.subarray(0, end)]).toString());
				rest = [];
			}
			rest.push(chunk);
		});
		output.on('close', () => {
			for (const { reject } of this.#waiting.values())
				reject(new Error('the browser is gone'));
		});
		input.on('error', () => {}); // said by the output's end
	}

	#take(text) {
		const { id, result, error, method, params, sessionId } = JSON.parse(text);
		if (!id) {
			for (const listener of this.#listeners)
				listener(method, params, sessionId);
			return;
		}
		const { resolve, reject, asked } = this.#waiting.get(id);
		this.#waiting.delete(id);
		if (error)
			reject(new Error(`${asked}: ${error.message}`));
		else
			resolve(result);
	}

	listen(listener) {
		this.#listeners.push(listener);
	}

	ask(method, params = {}, sessionId = undefined) {
		const id = this.#next++;
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), answer_within);
			const done = (call) => (value) => {
				clearTimeout(timer);
				call(value);
			};
			this.#waiting.set(id, { resolve: done(resolve), reject: done(reject), asked: method });
			this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
		});
	}
}

const keys = { Enter: 13, Escape: 27, Tab: 9, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40,
	Home: 36, End: 35, ' ': 32 };

// One page. `errors` has each exception, console error and violation of its policy, `requests`
// each address that was asked for but its own.
class Page {
	constructor(connection, target, session, url) {
		Object.assign(this, { connection, target, session, url, errors: [], requests: [] });
		connection.listen((method, params, sessionId) => {
			if (sessionId === session)
				this.#heard(method, params);
		});
	}

	#heard(method, params) {
		if (method === 'Runtime.exceptionThrown')
			this.errors.push(params.exceptionDetails.exception?.description ??
				params.exceptionDetails.text);
		else if (method === 'Runtime.consoleAPICalled' && ['error', 'assert'].includes(params.type))
			this.errors.push(params.args.map((arg) => arg.value ?? arg.description).join(' '));
		else if (method === 'Log.entryAdded' && params.entry.level === 'error')
			this.errors.push(params.entry.text);
		else if (method === 'Network.requestWillBeSent' &&
			params.request.url.split('#')[0] !== this.url.split('#')[0])
			this.requests.push(params.request.url);
	}

	ask(method, params) {
		return this.connection.ask(method, params, this.session);
	}

	// The value of an expression, of what a promise gives too.
	async evaluate(expression) {
		const { result, exceptionDetails } = await this.ask('Runtime.evaluate',
			{ expression, awaitPromise: true, returnByValue: true });
		if (exceptionDetails)
			throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
		return result.value;
	}

	// Until the expression is true; false if it never is. On a busy machine it may take long.
	async until(expression) {
		for (const end = Date.now() + 60000; ;) {
			if (await this.evaluate(expression))
				return true;
			if (Date.now() > end)
				return false;
			await new Promise((resolve) => setTimeout(resolve, 30));
		}
	}

	// Two frames later all that a click or key has asked for is drawn.
	settle() {
		return this.evaluate('new Promise((resolve) => requestAnimationFrame(() =>' +
			' requestAnimationFrame(() => resolve(true))))');
	}

	async click(x, y) {
		const at = { x, y, button: 'left', clickCount: 1 };
		await this.ask('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
		await this.ask('Input.dispatchMouseEvent', { type: 'mousePressed', buttons: 1, ...at });
		await this.ask('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at });
		await this.settle();
	}

	async drag(from, to) {
		const at = ([x, y]) => ({ x, y, button: 'left', buttons: 1, clickCount: 1 });
		await this.ask('Input.dispatchMouseEvent', { type: 'mousePressed', ...at(from) });
		await this.ask('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at(to) });
		await this.ask('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at(to), buttons: 0 });
		await this.settle();
	}

	async move(x, y) {
		await this.ask('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
		await this.settle();
	}

	async wheel(x, y, down, modifiers = 0) {
		await this.ask('Input.dispatchMouseEvent',
			{ type: 'mouseWheel', x, y, deltaX: 0, deltaY: down, modifiers });
		await this.settle();
	}

	async key(key) {
		// of signs the codes are those of other keys
		const code = keys[key] ?? (/^[a-z0-9]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : 0);
		const text = key.length === 1 ? key : key === 'Enter' ? '\r' : undefined;
		const pressed = { key, windowsVirtualKeyCode: code, text };
		await this.ask('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...pressed });
		await this.ask('Input.dispatchKeyEvent', { type: 'keyUp', ...pressed, text: undefined });
		await this.settle();
	}

	async type(text) {
		for (const letter of text)
			await this.key(letter);
	}

	// The middle of an element, moved into sight, or null.
	async place(selector) {
		return this.evaluate(`(() => {
			const element = document.querySelector(${JSON.stringify(selector)});
			if (!element)
				return null;
			element.scrollIntoView({ block: 'center', behavior: 'instant' });
			const { left, top, width, height } = element.getBoundingClientRect();
			return { left, top, width, height, x: left + width / 2, y: top + height / 2 };
		})()`);
	}

	async click_on(selector) {
		const place = await this.place(selector);
		if (!place)
			throw new Error(`nothing is ${selector}`);
		await this.click(place.x, place.y);
	}

	media(scheme, type = '') {
		return this.ask('Emulation.setEmulatedMedia',
			{ media: type, features: [{ name: 'prefers-color-scheme', value: scheme }] });
	}

	async screenshot(file, is_whole = false) {
		const { data } = await this.ask('Page.captureScreenshot',
			{ format: 'png', captureBeyondViewport: is_whole });
		fs.writeFileSync(file, Buffer.from(data, 'base64'));
	}

	close() {
		return this.connection.ask('Target.closeTarget', { targetId: this.target });
	}

	// Nothing is left of what was shown and set before. A tab of its own would have a process of its own,
	// in which a page takes three times as long to load.
	async renew(url) {
		await this.ask('Page.navigate', { url: 'about:blank' });
		await this.ask('Emulation.setEmulatedMedia', { media: '', features: [] });
		await this.ask('Emulation.clearDeviceMetricsOverride');
		await this.ask('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 0, y: 0 });
		Object.assign(this, { url, errors: [], requests: [] });
	}

	// Loads it, and waits for the root's data-ready; also again, by the same address.
	async load(url = this.url) {
		this.url = url;
		await this.ask('Page.navigate', { url: 'about:blank' });
		await this.ask('Page.navigate', { url });
		return this.until("document.readyState === 'complete' && " +
			"location.protocol !== 'about:' && document.documentElement.dataset.ready === '1'");
	}
}

export class Browser {
	#process;
	#folder;
	#connection;

	// The first program found, or null.
	static program() {
		const folders = (process.env.PATH ?? '').split(':');
		const names = ['chromium', 'chromium-browser', 'google-chrome'];
		return names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
			.find((file) => fs.existsSync(file)) ?? null;
	}

	static async start(width = 1400, height = 900) {
		const browser = new Browser();
		browser.#folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ftwait-chromium.'));
		browser.#process = spawn(Browser.program(), ['--headless', '--no-sandbox', '--disable-gpu',
			'--remote-debugging-pipe', '--no-first-run', '--disable-background-networking',
			'--hide-scrollbars', '--lang=en-US', `--window-size=${width},${height}`,
			`--user-data-dir=${browser.#folder}`, 'about:blank'],
			{ stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
		browser.#connection = new Connection(browser.#process.stdio[3], browser.#process.stdio[4]);
		await browser.#connection.ask('Browser.getVersion');
		return browser;
	}

	async page(url = 'about:blank') {
		const { targetId } = await this.#connection.ask('Target.createTarget', { url: 'about:blank' });
		const { sessionId } = await this.#connection.ask('Target.attachToTarget',
			{ targetId, flatten: true });
		const page = new Page(this.#connection, targetId, sessionId, url);
		for (const domain of ['Page', 'Runtime', 'Log', 'Network'])
			await page.ask(`${domain}.enable`);
		return page;
	}

	async stop() {
		const ended = new Promise((resolve) => this.#process.on('exit', resolve));
		const killer = setTimeout(() => this.#process.kill('SIGKILL'), 5000);
		await this.#connection.ask('Browser.close').catch(() => {});
		await ended;
		clearTimeout(killer);
		fs.rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

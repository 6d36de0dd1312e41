// SPDX-License-Identifier: GPL-2.0-or-later
// node trace_processor.mjs FOLDER: Perfetto's trace processor, the wasm of FOLDER, for many traces in one
// process, because to start it takes longer than most queries. A line of input is "TRACE SQL ANSWERS",
// three files with tabs between them. ANSWERS gets the rows that the queries of SQL give on TRACE, as JSON:
// one line each query, an array of objects. Queries are separated by a line of ";;". A line of output is
// "ok", or what went wrong.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

// The glue is made for a worker of a browser: it gets its binary, and which of the two it is to take,
// from here, and we get hold of the bridge.
function replaced(text, from, to) {
	if (!text.includes(from))
		throw new Error(`the glue has no "${from}"`);
	return text.replace(from, to);
}
function bridge_of(folder) {
	let glue = fs.readFileSync(path.join(folder, 'engine_bundle.node.js'), 'utf8');
	glue = replaced(glue, 'this.useMemory64 = hasMemory64Support()', 'this.useMemory64 = false');
	glue = replaced(glue, 'locateFile: (s) => s,', 'wasmBinary: self.wasm, locateFile: (s) => s,');
	glue = replaced(glue, 'const wasmBridge = new', 'const wasmBridge = self.bridge = new');
	const worker = {
		location: { href: 'file:///' },
		wasm: fs.readFileSync(path.join(folder, 'trace_processor.wasm')),
	};
	// what it sees is a worker, and no process of node
	new Function('self', 'process', 'WorkerGlobalScope', glue)(worker, undefined, Object);
	return worker.bridge;
}

function row_of(iter, columns) {
	const row = {};
	for (const column of columns) {
		const value = iter.get(column);
		row[column] = typeof value === 'bigint' ? Number(value) : value;
	}
	return row;
}

export class TraceProcessor {
	#engine;

	static async start(folder) {
		console.log = console.warn = console.error; // what the glue says
		const processor = new TraceProcessor();
		const { EngineBase } = await import(pathToFileURL(path.join(path.resolve(folder), 'engine.mjs')));
		const bridge = bridge_of(folder);
		class Engine extends EngineBase {
			id = 'wasm';
			rpcSendRequestBytes(data) {
				bridge.onMessage({ data });
			}
		}
		processor.#engine = new Engine();
		await new Promise((resolve) => setTimeout(resolve, 0));
		bridge.initialize({ postMessage: (data) => processor.#engine.onRpcResponseBytes(data) });
		return processor;
	}

	// Nothing of an earlier trace is left.
	async load(trace) {
		await this.#engine.resetTraceProcessor({ cropTrackEvents: false, ingestFtraceInRawTable: true,
			analyzeTraceProtoContent: false, ftraceDropUntilAllCpusValid: false });
		await this.#engine.parse(new Uint8Array(fs.readFileSync(trace)));
		await this.#engine.notifyEof();
	}

	// The rows of each query of the text.
	async ask(text) {
		const answers = [];
		for (const sql of text.split('\n;;\n').filter((each) => each.trim() !== '')) {
			const result = await this.#engine.query(sql), rows = [];
			for (const iter = result.iter({}); iter.valid(); iter.next())
				rows.push(row_of(iter, result.columns()));
			answers.push(rows);
		}
		return answers;
	}
}

async function answer(processor, trace, sql, answers) {
	await processor.load(trace);
	const rows = await processor.ask(fs.readFileSync(sql, 'utf8'));
	fs.writeFileSync(answers, rows.map((each) => `${JSON.stringify(each)}\n`).join(''));
}

if (import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
	const processor = await TraceProcessor.start(process.argv[2]);
	for await (const line of readline.createInterface({ input: process.stdin })) {
		const said = await answer(processor, ...line.split('\t')).then(() => 'ok', (error) => error.message);
		process.stdout.write(`${said.replaceAll('\n', ' ')}\n`);
	}
	process.exit(0);
}

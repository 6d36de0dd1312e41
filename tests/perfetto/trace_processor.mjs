// SPDX-License-Identifier: GPL-2.0-or-later
// node trace_processor.mjs FOLDER TRACE < SQL: loads the trace into Perfetto's trace processor, the
// wasm of FOLDER, and prints the rows that the queries give, as JSON: one line each query, an array
// of objects. Queries are separated by a line of ";;".
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, trace] = process.argv.slice(2);
console.log = console.warn = console.error; // what the glue says
const { EngineBase } = await import(pathToFileURL(path.join(folder, 'engine.mjs')));

// The glue is made for a worker of a browser: it is told where its binary is, and which of the two
// it is to take, and we get hold of the bridge.
function replaced(text, from, to) {
	if (!text.includes(from))
		throw new Error(`the glue has no "${from}"`);
	return text.replace(from, to);
}
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

class Engine extends EngineBase {
	id = 'wasm';
	rpcSendRequestBytes(data) {
		worker.bridge.onMessage({ data });
	}
}
const engine = new Engine();
await new Promise((resolve) => setTimeout(resolve, 0));
worker.bridge.initialize({ postMessage: (data) => engine.onRpcResponseBytes(data) });
await engine.parse(new Uint8Array(fs.readFileSync(trace)));
await engine.notifyEof();

function row_of(iter, columns) {
	const row = {};
	for (const column of columns) {
		const value = iter.get(column);
		row[column] = typeof value === 'bigint' ? Number(value) : value;
	}
	return row;
}
let answers = '';
for (const sql of fs.readFileSync(0, 'utf8').split('\n;;\n')) {
	if (sql.trim() === '')
		continue;
	const result = await engine.query(sql);
	const rows = [];
	for (const iter = result.iter({}); iter.valid(); iter.next())
		rows.push(row_of(iter, result.columns()));
	answers += JSON.stringify(rows) + '\n';
}
// in one piece: what the wasm says goes elsewhere
fs.writeFileSync(1, answers);
process.exit(0);

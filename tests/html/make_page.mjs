// SPDX-License-Identifier: GPL-2.0-or-later
// Puts a page together from src/html and a trace that never was, to look at it:
// node make_page.mjs server|machines|crowd:TASKS:SEGMENTS|build:TASKS|hostile|merged|quiet|empty OUTPUT.html
// [SCRIPT]
import {createHash} from 'node:crypto';
import {existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {encode, pack} from './encode.mjs';
import {build, crowd, hostile, merged, server, two_machines} from './synthetic.mjs';

const source = fileURLToPath(new URL('../../src/html/', import.meta.url));
const read = name => existsSync(source + name) ? readFileSync(source + name, 'utf8') : '';
const hash = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const escape = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);

// `after`: a script that runs behind those of the page.
export function page(trace, {blocks = encode(trace), after = ''} = {}) {
  const scripts = readdirSync(source).filter(name => name.endsWith('.js')).sort();
  const script = scripts.map(read).join('\n');
  const style = ['page.css', 'tables.css'].map(read).join('\n');
  const data = Object.entries(blocks).map(([name, block]) =>
    `<script type="text/plain" id="data-${name}">${pack(block)}</script>`).join('\n');
  const file = escape(trace.file ?? 'run.dat');
  const policy = `default-src 'none'; style-src ${hash(style)}; ` +
    `script-src ${hash(script)} ${hash(after)}`;
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${file} - ftwait</title><style>${style}</style></head>
<body><header><h1>${file}</h1>
<p class="trace">6.18.5 x86_64, 2 CPUs, 10.0 s, clock mono</p></header>
<main><section id="flow">${read('flow.html')}</section>
<section id="icicle" hidden>${read('icicle.html')}</section>
<section class="view" id="summary"><h2>Summary</h2><p>Nothing but a picture.</p></section></main>
${data}
<script>${script}</script>
<script>${after}</script>
</body></html>
`;
}

// By the words of the command line.
export function trace_of(words) {
  const [name, ...figures] = words.split(':');
  if (name === 'crowd')
    return crowd(+figures[0], +figures[1]);
  if (name === 'build')
    return build(+(figures[0] ?? 150));
  if (name === 'quiet')
    return crowd(4, 400, {waits: false});
  if (name === 'merged')
    return merged();
  if (name === 'machines')
    return two_machines();
  if (name === 'empty')
    return {begin: 0, end: 1e9, rows: []};
  return name === 'hostile' ? hostile() : server(+(figures[0] ?? 10));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , words = 'server', output = 'page.html', script] = process.argv;
  const after = script ? readFileSync(script, 'utf8') : '';
  writeFileSync(output, page(trace_of(words), {after}));
}

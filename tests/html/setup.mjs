// SPDX-License-Identifier: GPL-2.0-or-later
// The scripts of the page without a page: what touches no document can be called from here.
import {readFileSync, readdirSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {runInThisContext} from 'node:vm';

const source = fileURLToPath(new URL('../../src/html/', import.meta.url));

export function load(names = readdirSync(source).filter(name => name.endsWith('.js'))
  .sort()) {
  for (const name of names)
    runInThisContext(readFileSync(source + name, 'utf8'), {filename: source + name});
  return globalThis.ftwait;
}

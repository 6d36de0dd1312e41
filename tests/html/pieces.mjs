// SPDX-License-Identifier: GPL-2.0-or-later
// Files of src/html/ loaded without a page: what they put into the namespace `ftwait`.
import fs from 'node:fs';
import vm from 'node:vm';

export function pieces_load(...names) {
	const context = vm.createContext({ TextEncoder, TextDecoder, Intl, console });
	for (const name of names) {
		const file = new URL(`../../src/html/${name}`, import.meta.url);
		vm.runInContext(fs.readFileSync(file, 'utf8'), context, { filename: file.pathname });
	}
	return context.ftwait;
}

// Things made in there have other prototypes, which deepStrictEqual would mind.
export const plain = (value) => JSON.parse(JSON.stringify(value));

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What runs in a browser, and what tests that: one way to write it, nothing that could make markup of
# a name or ask for anything, and no end of the element that it will stand in.
set -u

bad=0
ban() { # WHY PATTERN FILE...
	why=$1 pattern=$2
	shift 2
	if grep -nHE "$pattern" "$@"; then
		echo "  $why"
		bad=1
	fi
}

ban 'names of the trace are text, never markup' \
	'innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment' src/html/*.js
ban 'nothing is run that is not written here' '\beval\(|new Function|import\(|\bimport ' src/html/*.js
ban 'a page asks nothing of anywhere' \
	'fetch\(|XMLHttpRequest|WebSocket|sendBeacon|new Worker|https?:|url\(|@import' src/html/*.js src/html/*.css
ban 'it would end the element that it stands in' '</(script|style)|<!--' src/html/*.js src/html/*.css
ban 'the policy of a page allows no such attribute' ' (style|on[a-z]+)=' src/html/*.html
ban 'blanks at the end' '[[:space:]]+$' src/html/* tests/html/* tests/browser/*
for file in src/html/*.js src/html/*.css tests/html/*.mjs tests/browser/*.mjs; do
	head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' || {
		echo "$file: no licence in its first lines"
		bad=1
	}
	columns=100
	case $file in # what is looked for in a page stays whole
	tests/*) columns=120 ;;
	esac
	expand "$file" | awk -v file="$file" -v most=$columns '
		length($0) > most { printf "%s:%d: %d columns\n", file, NR, length($0); bad = 1 }
		NR == 601 { printf "%s: over 600 lines\n", file; bad = 1 }
		END { exit bad }' || bad=1
done
if command -v node > /dev/null; then
	for file in src/html/*.js tests/html/*.mjs tests/browser/*.mjs tests/perfetto/*.mjs; do
		node --check "$file" || bad=1
	done
fi
exit $bad

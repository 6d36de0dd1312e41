#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# embed_topics.sh PAGE...: what "ftwait help NAME" prints, as C, for help_topics.h.
set -eu

here=$(dirname "$0")
text=$(mktemp)
trap 'rm -f "$text"' EXIT
awk -f "$here/help_topics.awk" "$@" > "$text"
[ -s "$text" ]

# A stream of zlib (RFC 1950) is the data that gzip packs between its head of 10 bytes and its tail of
# 8, behind two bytes and before a sum of the bytes that are packed (Adler-32).
echo '/* made by src/cmd/embed_topics.sh */'
echo '#include "cmd/help_topics.h"'
echo 'const unsigned char help_text_packed[] = {120,218,'
gzip -9n < "$text" | od -An -v -tu1 | tr -s ' ' '\n' | grep . |
	awk '{ byte[NR] = $1 } END { for (i = 11; i <= NR - 8; i++) printf "%s%s", byte[i], i % 20 ? "," : ",\n" }'
od -An -v -tu1 "$text" | tr -s ' ' '\n' | grep . | awk '
	BEGIN { low = 1 }
	{ low = (low + $1) % 65521; high = (high + low) % 65521 }
	END {
		printf "%d,%d,%d,%d};\n", int(high / 256), high % 256, int(low / 256), low % 256
		printf "const size_t help_text_size = %d;\n", NR
	}'
echo 'const size_t help_text_packed_size = sizeof(help_text_packed);'

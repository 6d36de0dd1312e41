#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# embed.sh STYLE SCRIPT FLOW ICICLE: what every page is made of as C, for present/html/html_assets.h.
set -eu

# Bytes of a file as an array that ends with NUL.
array() { # NAME FILE
	printf 'const unsigned char %s[] = {\n' "$1"
	od -An -v -tu1 "$2" | sed 's/ *\([0-9][0-9]*\)/\1,/g'
	printf '0};\n'
}

# Hexadecimal digits as base64.
base64_of() {
	awk '{
		digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
		for (at = 1; at <= length($1); at += 6) {
			group = substr($1, at, 6)
			bytes = length(group) / 2
			number = 0
			for (i = 1; i <= 6; i++)
				number = number * 16 + (i <= length(group) ? index("0123456789abcdef", substr(group, i, 1)) - 1 : 0)
			for (i = 0; i < 4; i++)
				text = text (i <= bytes ? substr(digits, int(number / 64 ^ (3 - i)) % 64 + 1, 1) : "=")
		}
		print text
	}'
}

hash() { # NAME FILE
	printf 'const char %s[] = "%s";\n' "$1" "$(sha256sum < "$2" | cut -d ' ' -f 1 | base64_of)"
}

echo '/* made by src/html/embed.sh */'
echo '#include "present/html/html_assets.h"'
array html_style "$1"
array html_script "$2"
array html_flow_shell "$3"
array html_icicle_shell "$4"
hash html_style_hash "$1"
hash html_script_hash "$2"

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions above 80 lines, and files that do too much, where to look again. A file is judged by how
# many functions it offers to others; one of more than 1,000 lines is too long to be read.
set -u

# shellcheck disable=SC2046 # a list of files
awk '
	FNR == 1 { start = 0; public[FILENAME] = 0 }
	FNR > 1000 && !(FILENAME in long) {
		print FILENAME ": more than 1000 lines"
		long[FILENAME] = bad = 1
	}
	# a function is what has its brace alone at the beginning of a line, and so its end
	/^\{/ { start = FNR; name = previous }
	/^\}/ && start {
		if (FNR - start > 81) {
			printf "%s:%d: %d lines: %s\n", FILENAME, start, FNR - start - 1, name
			bad = 1
		}
		start = 0
	}
	!/^[[:space:]]/ { previous = $0 }
	# a prototype in a header of src/: a name, its "(", no "=" and no "typedef" before
	FILENAME ~ /^src.*\.h$/ && /^[a-z].*[a-z_0-9]\(/ && !/^(typedef|static|extern|#|struct [a-z_]+ \{)/ {
		public[FILENAME]++
	}
	END {
		for (file in public)
			if (public[file] > 40) {
				print file ": offers " public[file] " functions"
				bad = 1
			}
		exit bad
	}' $(find src include tests -name '*.[ch]' | sort)

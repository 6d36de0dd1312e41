#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# No files of src/ and include/ include each other in a circle, a .c and its .h being one: what one
# of them is can be read, and tested, without the others. None is tolerated.
set -u

# "folder/unit folder/unit", a line for each include of another unit. As the compiler does, looks in
# the file's own folder first.
edges=$(find src include -name '*.[ch]' | LC_ALL=C sort | awk '
	function unit(path) {
		sub(/\.[ch]$/, "", path)
		sub(/^(src|include)\//, "", path)
		return path
	}
	{ files[$0] = 1 }
	END {
		for (file in files) {
			folder = file
			sub(/[^\/]*$/, "", folder)
			while ((getline line < file) > 0) {
				if (line !~ /^#include "/)
					continue
				split(line, part, "\"")
				path = part[2]
				path = (folder path) in files ? folder path \
				     : ("src/" path) in files ? "src/" path : "include/" path
				if (path in files && unit(path) != unit(file))
					print unit(file), unit(path)
			}
			close(file)
		}
	}' | LC_ALL=C sort -u)

count=$(echo "$edges" | wc -l)
[ "$count" -ge 1000 ] || {
	echo "only $count includes are found in src and include"
	exit 1
}
# tsort says "input contains a loop:" of each circle and names its units, a line each
echo "$edges" | tsort 2>&1 > /dev/null | awk '
	/loop:$/ {
		if (NR > 1)
			print ""
		printf "files that include each other:"
		next
	}
	{ printf " %s", $NF }
	END {
		if (NR)
			print ""
		exit NR > 0
	}'

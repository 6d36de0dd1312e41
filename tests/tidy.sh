#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tidy.sh [all|PART/PARTS]: clang-tidy over the source, in parallel; see .clang-tidy. Over all of it, or one of
# several parts, such as 2/4; otherwise over files that changed, by themselves or by their header, in the
# 24 hours before the last commit. A file that it had no complaint about is not read again until what it includes, or .clang-tidy, changes: TIDY_CACHE
# (default: a folder in ~/.cache) has a hash for each. Ends with a line of counts.
set -u

command -v clang-tidy > /dev/null || {
	echo "SKIP tidy: clang-tidy is not installed"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
flags="-std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DFTWAIT_VERSION=__FILE__ -Iinclude -Isrc
	$(pkg-config --cflags libtracefs libtraceevent libtracecmd libzstd zlib)"
cache=${TIDY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ftwait-tidy}

check_file() { # FILE
	# shellcheck disable=SC2086 # words
	hash=$({ cat .clang-tidy && clang-tidy --version && clang -E $flags "$1"; } 2> /dev/null | sha256sum | cut -d ' ' -f 1)
	[ ! -e "$cache/$hash" ] || return 0
	# shellcheck disable=SC2046,SC2086 # words
	said=$(clang-tidy --quiet "$1" $(printf -- '--extra-arg=%s ' $flags) 2> /dev/null)
	[ -z "$said" ] || {
		printf '%s\n' "$said"
		return 0
	}
	mkdir -p "$cache" && : > "$cache/$hash"
}

if [ "${1:-}" = --file ]; then
	check_file "$2"
	exit
fi

changed_files() { # FILES
	newest=$(git log -1 --format=%ct 2> /dev/null) || {
		printf '%s\n' "$1"
		return
	}
	before=$(git rev-list -1 --before=$((newest - 86400)) HEAD)
	changed=$(git diff --name-only "${before:-$(git hash-object -t tree /dev/null)}" -- src | sed -n 's/\.[ch]$/.c/p' | sort -u)
	printf '%s\n%s\n' "$1" "$changed" | sort | uniq -d
}

files=$(find src -name "*.c" | sort)
case ${1:-} in
all) ;;
*/*) files=$(printf '%s\n' "$files" | awk -v part="${1%/*}" -v parts="${1#*/}" 'NR % parts == part % parts') ;;
*) files=$(changed_files "$files") ;;
esac
said=$(printf '%s\n' "$files" | xargs -r -P "$(nproc)" -n 1 sh "$0" --file)
if [ -n "$said" ]; then
	echo "$said"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
echo "1 passed, 0 failed, 0 skipped"

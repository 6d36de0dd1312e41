#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sizes.sh: builds the programs whose sizes INSTALL gives for amd64, prints the sizes of the stripped ones, and
# compares INSTALL's figures with them (install_size.sh). recorder.sh does so for armhf. Builds are kept in
# build/sizes. The last line counts.
set -u

cd "$(dirname "$0")/../.." || exit 1
. tests/reduced/install_size.sh
[ "$(uname -m)" = x86_64 ] || {
	echo "SKIP sizes: INSTALL has those of amd64 alone"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
passed=0 failed=0
without_libraries='WITHOUT_LIBELF=1 WITHOUT_LIBLZMA=1 WITHOUT_LIBIBERTY=1'

size() { # NAME VARIABLE...: the program that make builds with these; its size in KB
	program=build/sizes/$1
	shift
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -j"$(nproc)" "$@" B="$program" "$program/ftwait.stripped" >&2 &&
		echo $(($(wc -c < "$program/ftwait.stripped") / 1000))
}

compare() { # WHAT KB PATTERN
	printf '  %-44s %5s KB\n' "$1" "$2"
	if why=$(install_size_fits "$2" "$3"); then
		passed=$((passed + 1))
	else
		echo "FAIL sizes: $1: $why"
		failed=$((failed + 1))
	fi
}

whole=$(size whole LTO=)
compare "make" "$whole" 'has ([0-9,]+) KB, stripped \(amd64\)'
# shellcheck disable=SC2086 # words
compare "less by $without_libraries" $((whole - $(size without-libraries LTO= $without_libraries))) \
	'They make the program larger by ([0-9,]+) KB'
compare "less by WITHOUT_LIBTRACEEVENT=1" $((whole - $(size without-libtraceevent LTO= WITHOUT_LIBTRACEEVENT=1))) \
	'Texts of events take ([0-9,]+) KB'
static=$(size static STATIC=1)
compare "STATIC=1" "$static" 'ftwait\.stripped \(amd64 ([0-9,]+) KB'
# shellcheck disable=SC2086 # words
compare "less by them with STATIC=1" $((static - $(size static-without-libraries STATIC=1 $without_libraries))) \
	'\(amd64; STATIC=1: ([0-9,]+)\)'
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]

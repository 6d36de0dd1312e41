#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh [syntax]: another C library. Compiles all of src/ with the headers of musl; warnings are errors.
# What wants libelf and liblzma is demanded, or it would be left out without a word where they are missing.
# The headers of libraries and of the kernel are this machine's. With `syntax` that is all. Otherwise it
# builds two programs: a static recorder, which needs no libraries, and the whole program, static, for which
# zlib and zstd are built from Debian's sources, as Debian's libraries need glibc. libtracefs is not needed
# (WITHOUT_LIBTRACEFS=1).
set -u

cd "$(dirname "$0")/../.." || exit 1
command -v musl-gcc > /dev/null || {
	echo "SKIP musl: no musl-gcc; on Debian: apt-get install musl-tools"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
include=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-musl.XXXXXX") || exit 1
trap 'rm -rf "$include"' EXIT
trap 'exit 130' INT TERM
multiarch=$(gcc -print-multiarch)
for header in linux asm-generic "$multiarch/asm" zlib.h zconf.h "$multiarch/zconf.h" zstd.h zstd_errors.h lzma.h lzma \
	libelf.h gelf.h libiberty; do
	[ ! -e "/usr/include/$header" ] || ln -sfn "/usr/include/$header" "$include/$(basename "$header")"
done
passed=0 failed=0 skipped=0
run() { # WHAT COMMAND...
	what=$1
	shift
	if env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u CFLAGS "$@"; then
		passed=$((passed + 1))
		return 0
	fi
	echo "FAIL musl: $what"
	failed=$((failed + 1))
	return 1
}
run syntax make -s -k -j"$(nproc)" CC=musl-gcc CPPFLAGS="-isystem $include" DEVELOPER=1 LTO= \
	WITHOUT_LIBELF= WITHOUT_LIBLZMA= syntax
programs() {
	mkdir "$include/kernel"
	for header in linux asm-generic "$multiarch/asm"; do
		ln -sfn "/usr/include/$header" "$include/kernel/$(basename "$header")"
	done
	variables="CC=musl-gcc DEVELOPER=1 STATIC=1 LTO= WITHOUT_LIBTRACEFS=1 WITHOUT_LIBELF=1 WITHOUT_LIBLZMA=1 WITHOUT_LIBIBERTY=1"
	# shellcheck disable=SC2086 # words
	run "a recorder" make -s -j"$(nproc)" $variables RECORDER=1 CPPFLAGS="-idirafter $include/kernel" \
		B=build/musl-recorder all &&
		run "the recorder's help" build/musl-recorder/ftwait help > /dev/null
	if why=$(tests/musl/libraries.sh build/musl/libraries); then
		# shellcheck disable=SC2086 # words
		run "a static program" make -s -j"$(nproc)" $variables CPPFLAGS="-idirafter $include/kernel" \
			PKG_CONFIG_LIBDIR="$PWD/build/musl/libraries/lib/pkgconfig" B=build/musl-static all &&
			run "its version" build/musl-static/ftwait --version > /dev/null &&
			run "its report" build/musl-static/ftwait report fixtures/demo.dat > /dev/null
	else
		echo "SKIP musl: a static program: no sources of its libraries: $why"
		skipped=$((skipped + 1))
	fi
}
[ "${1:-}" = syntax ] || programs
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]

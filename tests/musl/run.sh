#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Another C library: compiles all of src/ with the headers of musl, as far as compilers complain;
# warnings are errors. What wants libelf and liblzma is demanded, or it would be left out without a
# word where they are missing. The headers of libraries and of the kernel are this machine's. Nothing is
# linked, as Debian's libraries want glibc.
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
if env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u CFLAGS \
	make -s -k -j"$(nproc)" CC=musl-gcc CPPFLAGS="-isystem $include" DEVELOPER=1 LTO= \
	WITHOUT_LIBELF= WITHOUT_LIBLZMA= syntax; then
	echo "1 passed, 0 failed, 0 skipped"
else
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi

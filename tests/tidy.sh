#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# clang-tidy over the source, in parallel; see .clang-tidy. Ends with a line of counts.
set -u

command -v clang-tidy > /dev/null || {
	echo "SKIP tidy: clang-tidy is not installed"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
# shellcheck disable=SC2046 # a list of flags
said=$(find src -name "*.c" -print0 | xargs -0 -P "$(nproc)" -n 6 sh -c 'clang-tidy --quiet "$@" 2> /dev/null' sh \
	$(printf -- '--extra-arg=%s ' -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
		-DFTWAIT_VERSION='""' -Iinclude -Isrc \
		$(pkg-config --cflags libtracefs libtraceevent libtracecmd libzstd zlib)))
if [ -n "$said" ]; then
	echo "$said"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
echo "1 passed, 0 failed, 0 skipped"

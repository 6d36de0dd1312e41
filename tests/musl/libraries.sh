#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# libraries.sh FOLDER: builds zlib and zstd for musl into FOLDER, static and small, from Debian's sources,
# which contrib/private-apt finds. A FOLDER that has them is left as it is.
set -eu

folder=$1
[ -e "$folder/lib/libzstd.a" ] && exit 0
private=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-musl-libraries.XXXXXX")
trap 'rm -rf "$private"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
# of sources, the architecture does not matter
APT_CONFIG=$("$(dirname "$0")/../../contrib/private-apt" "$private/apt" amd64 "$release" deb-src)
export APT_CONFIG
cd "$private"
{
	apt-get -q update && apt-get -q --download-only source zlib libzstd
	dpkg-source --no-check -x zlib_*.dsc zlib && dpkg-source --no-check -x libzstd_*.dsc zstd
	export CFLAGS='-Os -ffunction-sections -fdata-sections'
	(cd zlib && env CC=musl-gcc ./configure --static --prefix="$folder" && make libz.a && make install)
	make -C zstd/lib CC=musl-gcc libzstd.a &&
		make -C zstd/lib CC=musl-gcc PREFIX="$folder" install-static install-includes install-pc
} > "$private/log" 2>&1 < /dev/null || {
	grep -m 1 '^E: ' "$private/log" || tail -n 1 "$private/log"
	exit 1
}

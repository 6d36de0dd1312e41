#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# libraries.sh FOLDER [TOOLS]: builds zlib and zstd for musl into FOLDER, static and small, from Debian's
# sources, which contrib/private-apt finds. A FOLDER that has them is left as it is. TOOLS: for another
# machine, the prefix of its compiler, which contrib/musl-cross makes: FOLDER/bin/musl-.
set -eu

folder=$1
case ${2:-} in
'') tools='CC=musl-gcc' ;;
*) tools="CC=$2gcc AR=$2ar RANLIB=$2ranlib" ;;
esac
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
	# shellcheck disable=SC2086 # words
	(cd zlib && env $tools ./configure --static --prefix="$folder" && make libz.a && make install)
	# shellcheck disable=SC2086 # words
	make -C zstd/lib $tools libzstd.a &&
		make -C zstd/lib $tools PREFIX="$folder" install-static install-includes install-pc
} > "$private/log" 2>&1 < /dev/null || {
	grep -m 1 '^E: ' "$private/log" || tail -n 1 "$private/log"
	exit 1
}

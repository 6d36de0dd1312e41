#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# libraries.sh FOLDER [TOOLS]: zlib and zstd for musl in FOLDER, static and small, of Debian's sources; a
# FOLDER that has them is left as it is. TOOLS: the prefix of another machine's, as contrib/musl-cross
# makes them: FOLDER/bin/musl-. Its own state of apt: the machine's learns nothing.
set -eu

folder=$1
case ${2:-} in
'') tools='CC=musl-gcc' ;;
*) tools="CC=$2gcc AR=$2ar RANLIB=$2ranlib" ;;
esac
[ -e "$folder/lib/libzstd.a" ] && exit 0
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
private=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-musl-libraries.XXXXXX")
trap 'rm -rf "$private"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$private/parts" "$private/lists/partial" "$private/cache/archives/partial" "$folder"
folder=$(cd "$folder" && pwd)
: > "$private/status"
# shellcheck disable=SC2016 # apt's own variables
apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' | sort -u |
	sed -n "s|^\([^ ]*\) $release main\$|deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \1 $release main|p" > "$private/sources"
apt() {
	apt-get -q -o Dir::Etc::sourcelist="$private/sources" -o Dir::Etc::sourceparts="$private/parts" \
		-o Dir::State="$private" -o Dir::State::lists="$private/lists" -o Dir::State::status="$private/status" \
		-o Dir::Cache="$private/cache" -o APT::Sandbox::User=root "$@"
}
cd "$private"
{
	apt update && apt --download-only source zlib libzstd
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

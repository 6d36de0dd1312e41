#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fetch.sh CACHE SUITE ARCHITECTURE FOLDER PATTERN...: the newest package of each name that PATTERN
# (an extended regular expression of all of the name) matches, and the parts into which Debian splits
# a kernel, unpacked into FOLDER; their names and versions go to standard output. Nothing is installed:
# apt has a state of its own below CACHE, with the machine's sources, but of release SUITE (-: its own).
set -eu

cache=$1 suite=$2 arch=$3 folder=$4
shift 4

fail() {
	echo "$*" >&2
	exit 1
}

for tool in apt-get apt-cache apt-config dpkg-deb; do
	command -v $tool > /dev/null || fail "no $tool: not a Debian system"
done
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[ -n "$release" ] || fail "/etc/os-release names no release of Debian"
[ "$suite" != - ] || suite=$release
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
private=$cache/apt/$suite-$arch
mkdir -p "$private/parts" "$private/lists/partial" "$private/cache/archives/partial" "$folder"
: > "$private/status"
log=$(mktemp)
debs=$(mktemp -d)
trap 'rm -rf "$log" "$debs"' EXIT
trap 'exit 130' INT TERM

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$keyring" ] && signed=" signed-by=$keyring" || signed=
# shellcheck disable=SC2016 # apt's own variables
apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
	sort -u | sed -n "s|^\([^ ]*\) $release\([^ ]*\) main\$|deb [arch=$arch$signed] \1 $suite\2 main|p" > "$private/sources"
# unstable has neither security nor updates
[ "$suite" != sid ] || sed -i '/ sid-[a-z]* main$/d' "$private/sources"
[ -s "$private/sources" ] || fail "apt has no source of packages for $release"
{
	apt-config dump | grep '^Acquire::' | grep -v '^Acquire::IndexTargets' || :
	cat <<- END
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; };
		APT::Sandbox::User "root";
		Acquire::GzipIndexes "true";
		Acquire::Languages "none";
		Dir::Cache "$private/cache";
		Dir::Cache::pkgcache "";
		Dir::Cache::srcpkgcache "";
		Dir::Etc::main "/dev/null";
		Dir::Etc::parts "$private/parts";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::preferencesparts "$private/parts";
		Dir::Etc::sourcelist "$private/sources";
		Dir::Etc::sourceparts "$private/parts";
		Dir::State "$private";
		Dir::State::status "$private/status";
	END
} > "$private/apt.conf"
APT_CONFIG=$private/apt.conf
export APT_CONFIG

complaint() { # the first of apt's own
	sed -n 's/^[EW]: *//p' "$log" | head -n 1
}

names() { # PATTERN: names that it matches, oldest first
	apt-cache pkgnames | grep -xE "$1" | sort -V || :
}

# A list that cannot be had is no reason to stop: what matters is whether the packages are there.
update() {
	rm -f "$private/updated"
	apt-get -q update > "$log" 2>&1 < /dev/null || :
	[ -n "$(complaint)" ] || : > "$private/updated"
}

get() { # PATTERN
	package=$(names "$1" | tail -n 1)
	[ -n "$package" ] || {
		first=$(complaint)
		echo "E: $suite has no package $1 for $arch${first:+; $first}" > "$log"
		return 1
	}
	parts=$(apt-cache depends "$package" | sed -n 's/^ *Depends: \(linux-\(binary\|modules\|base\)-[0-9].*\)$/\1/p')
	# shellcheck disable=SC2086 # a list of packages
	(cd "$debs" && apt-get -q download "$package" $parts) > "$log" 2>&1 < /dev/null
}

# Lists of today's may name what was replaced since.
fresh=
[ -n "$(find "$private/updated" -mtime -1 2> /dev/null)" ] || {
	update
	fresh=yes
}
for pattern; do
	get "$pattern" || { [ -z "$fresh" ] && update && get "$pattern"; } || fail "$(complaint)"
done
for package in "$debs"/*.deb; do
	dpkg-deb -x "$package" "$folder" || fail "$(basename "$package") cannot be unpacked"
	# shellcheck disable=SC2016 # dpkg-deb's own variables
	dpkg-deb -W --showformat '${Package} ${Version}\n' "$package"
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What `make install` puts below DESTDIR and PREFIX, and that `make uninstall` takes that away again,
# nothing more. The program is a stand-in.
set -u

bad=0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR PREFIX CROSS STATIC RECORDER BINDIR DATADIR MANDIR DOCDIR
unset BASHCOMPDIR ZSHCOMPDIR FISHCOMPDIR INSTALL WITHOUT_MAN WITHOUT_COMPLETION
mkdir "$folder/build"
: > "$folder/build/ftwait"

complain() {
	echo "$*"
	bad=1
}

ask() { # GOAL VARIABLE...
	make -s -o all B="$folder/build" "$@" > "$folder/said" 2>&1 || complain "make $*: $(cat "$folder/said")"
}

below() { # FOLDER: the files there, with their modes
	(cd "$1" && find . -type f -printf '%P %m\n' | sort)
}

{
	echo "bin/ftwait 755"
	for page in man/*.[1-8]; do
		echo "share/man/man${page##*.}/${page#man/} 644"
	done
	for example in fixtures/demo.dat fixtures/tutorial_*.dat fixtures/three/*.dat.zst; do
		echo "share/doc/ftwait/examples/${example#fixtures/} 644"
	done
	echo "share/bash-completion/completions/ftwait 644"
	echo "share/zsh/site-functions/_ftwait 644"
	echo "share/fish/vendor_completions.d/ftwait.fish 644"
} | sort > "$folder/expected"

ask install DESTDIR="$folder/a place" PREFIX=/usr
below "$folder/a place/usr" | diff "$folder/expected" - || complain "install: not what is expected"
# the commands of pages name recordings that are there
shown=$(cat man/ftwait-tutorial.7 man/ftwait-views.7 | sed -n 's|^\$ ftwait report fixtures/\([^ ]*\).*|\1|p' | sort -u)
[ "$(echo "$shown" | wc -w)" -ge 6 ] || complain "ftwait-tutorial(7) and ftwait-views(7) show fewer than 6 recordings"
for name in $shown; do
	cmp -s "fixtures/$name" "$folder/a place/usr/share/doc/ftwait/examples/$name" ||
		complain "install: a page reports $name, which is not there"
done
ask uninstall DESTDIR="$folder/a place" PREFIX=/usr
left=$(find "$folder/a place" -mindepth 1)
[ -z "$left" ] || complain "uninstall with a DESTDIR leaves: $left"

# folders of its own for each, and what is left out
ask install DESTDIR="$folder/own" BINDIR=/b ZSHCOMPDIR=/z WITHOUT_MAN=1
below "$folder/own" > "$folder/is"
grep -qx 'b/ftwait 755' "$folder/is" && grep -qx 'z/_ftwait 644' "$folder/is" &&
	[ "$(wc -l < "$folder/is")" = 4 ] || complain "install with folders of its own: $(cat "$folder/is")"
ask uninstall DESTDIR="$folder/own" BINDIR=/b ZSHCOMPDIR=/z WITHOUT_MAN=1
[ -z "$(find "$folder/own" -mindepth 1)" ] || complain "uninstall does not follow them: $(below "$folder/own")"
ask install DESTDIR="$folder/own" PREFIX=/ WITHOUT_MAN=1 WITHOUT_COMPLETION=1
[ "$(below "$folder/own")" = 'bin/ftwait 755' ] ||
	complain "install of the program alone: $(below "$folder/own")"

# where others have put something
mkdir -p "$folder/prefix/share/fish/vendor_completions.d" "$folder/prefix/bin"
echo > "$folder/prefix/share/fish/vendor_completions.d/other.fish"
ask install PREFIX="$folder/prefix"
ask uninstall PREFIX="$folder/prefix"
[ "$(below "$folder/prefix")" = "share/fish/vendor_completions.d/other.fish 644" ] ||
	complain "uninstall leaves or takes: $(below "$folder/prefix")"
[ -d "$folder/prefix/bin" ] || complain "uninstall takes a folder of others"

# the packages of INSTALL's first lines, without those that a part of the program is optional for
packages=$(sed -n '/^    # apt-get install /,/[^\\]$/{s/.*apt-get install//; s/\\$//; p}' INSTALL | tr -s '\n ' '  ')
[ -n "$packages" ] || complain "INSTALL names no packages"
known=$(sed -n "/^build='/,/'$/p" contrib/bootstrap | tr -d "'" | sed 's/^build=//' | tr -s '\t\n' '  ')
for package in $packages; do
	case " $known " in
	*" $package "*) ;;
	*) complain "INSTALL: contrib/bootstrap does not know $package" ;;
	esac
done
for package in $known; do
	case " $packages libtracecmd-dev libelf-dev liblzma-dev libiberty-dev " in
	*" $package "*) ;;
	*) complain "INSTALL lacks the package $package" ;;
	esac
done
exit $bad

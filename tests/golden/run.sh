#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Golden files: tests/golden/COMMAND/CASE.cmd is a line of shell; what it prints and its status must
# be CASE.stdout, CASE.stderr (missing: nothing) and CASE.exit (missing: 0).
# run.sh BUILD_DIRECTORY [--rewrite] [CASE...]: all cases, or those that are named as a failure names
# them; a pattern names several: report/gzip 'report/advice-*'. --rewrite makes what is printed the
# expected output.
# In a case `ftwait` and `mktrace` are those of the build, `terminal 80 ftwait ...` shows what a
# terminal of 80 columns would (tests/tools/terminal.c), $SCHEDULES holds timelines, $FIXTURES
# recordings, and the directory is an empty one of its own. A case whose name ends in -libtracecmd is
# skipped in a build without that library. VERSION replaces the version of the build in the output.
set -u

build=$(cd "$1" && pwd) || exit 1
shift
rewrite=
if [ "${1:-}" = --rewrite ]; then
	rewrite=$1
	shift
fi
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-golden.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
for program in ftwait mktrace terminal; do
	[ -x "$build/$program" ] || {
		echo "golden: $build/$program is not built"
		exit 1
	}
done
mkdir "$scratch/bin"
ln -s "$build/ftwait" "$build/mktrace" "$build/terminal" "$scratch/bin"
PATH=$scratch/bin:$PATH SCHEDULES=$here/schedules FIXTURES=$here/../../fixtures
export PATH SCHEDULES FIXTURES
unset COLUMNS NO_COLOR
version=$("$build/ftwait" --version) || exit 1
version=$(echo "${version#ftwait }" | sed 's/[.]/\\./g')
passed=0 failed=0 skipped=0
if "$build/ftwait" report --reader libtracecmd "$here/../../fixtures/demo.dat" 2>&1 < /dev/null |
	grep -q 'this build is without it'; then
	without_libtracecmd=1
fi

same() { # EXPECTED GOT
	if [ -e "$1" ]; then
		diff -u "$1" "$2"
	else
		diff -u /dev/null "$2"
	fi
}

keep() { # EXPECTED GOT: an empty file is not kept
	if [ -s "$2" ]; then
		cp "$2" "$1"
	else
		rm -f "$1"
	fi
}

run_case() { # FILE: CASE.cmd
	case_path=${1%.cmd}
	name=${case_path#"$here"/}
	case $name in
	*-libtracecmd)
		if [ -n "${without_libtracecmd:-}" ]; then
			echo "SKIP golden $name: the program was built without libtracecmd"
			skipped=$((skipped + 1))
			return
		fi
		;;
	esac
	rm -rf "$scratch/work"
	mkdir "$scratch/work"
	(cd "$scratch/work" && LC_ALL=C.UTF-8 TERM=dumb sh "$1") \
		> "$scratch/printed" 2> "$scratch/stderr" < /dev/null
	echo $? > "$scratch/exit"
	LC_ALL=C sed "s/ftwait $version/ftwait VERSION/g" "$scratch/printed" > "$scratch/stdout"
	grep -qx 0 "$scratch/exit" && : > "$scratch/exit"
	bad=0
	for part in stdout stderr exit; do
		if [ "$rewrite" = --rewrite ]; then
			keep "$case_path.$part" "$scratch/$part"
		elif ! same "$case_path.$part" "$scratch/$part" > "$scratch/diff"; then
			echo "FAIL golden $name: $part"
			head -n 40 "$scratch/diff"
			bad=1
		fi
	done
	if [ $bad -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
}

[ $# -gt 0 ] || set -- '*/*'
for wanted in "$@"; do
	# shellcheck disable=SC2231 # a pattern
	for file in "$here"/${wanted%.cmd}.cmd; do
		if [ -e "$file" ]; then
			run_case "$file"
		else
			echo "FAIL golden $wanted: there is no such case"
			failed=$((failed + 1))
		fi
	done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Other machines: run.sh BUILD_DIRECTORY [TRIPLET...] builds a static ftwait for each and runs it under
# qemu's user emulation. Of every trace it must print, in every view, the bytes that the native
# program prints. Traces: fixtures/, schedules in foreign byte order and word length, and of the
# folders in FTWAIT_TRACES some recordings, one of them big-endian, and one of an old kernel. One machine of 32 bits and one
# big-endian one also run the unit tests and the vectors. Machines of 32 bits compile what is not in
# the static program, too: there sizes of 64 bits may be cut. Ends with the sizes of those programs that
# are built as a release is.
set -u

build=$(cd "$1" && pwd) || exit 1
shift
here=$(cd "$(dirname "$0")/../.." && pwd)
cd "$here" || exit 1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-cross.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
mkdir "$scratch/traces" "$scratch/native"
passed=0 failed=0 skipped=0
jobs=$(nproc)
# Check's own time limits are for the machine itself, and so are the locales of its C library, which
# a program of the other byte order cannot read.
CK_TIMEOUT_MULTIPLIER=20 LC_ALL=C
export CK_TIMEOUT_MULTIPLIER LC_ALL

# Triplet, qemu's name, whether the tests run there too, and the release of Debian that has its
# libraries where this machine's own lacks them.
machines='
aarch64-linux-gnu aarch64 - -
arm-linux-gnueabihf arm tests -
arm-linux-gnueabi arm - -
i686-linux-gnu i386 - -
mipsel-linux-gnu mipsel - -
powerpc64le-linux-gnu ppc64le - -
riscv64-linux-gnu riscv64 - trixie
s390x-linux-gnu s390x tests -'

pass() {
	passed=$((passed + 1))
}

fail() { # NAME [LOG]
	echo "FAIL cross $1"
	# what make builds is no complaint
	[ $# -lt 2 ] || grep -vE '^  [A-Z]+ ' "$2" | tail -n 10
	failed=$((failed + 1))
}

skip() { # NAME WHY
	echo "SKIP cross $1: $2"
	skipped=$((skipped + 1))
}

# Nothing of a make that runs this: neither its variables nor its CC. Sets $out to the build's folder.
# Where the tests run, the program is the one that a release has. The others must print the same bytes,
# which they do as well if they are compiled in a third of the time.
make_for() { # TRIPLET TESTS GOAL
	out=build/$1-static
	if [ "$2" = - ]; then
		out=$out-without-lto
		set -- "$1" "$2" "$3" LTO= CFLAGS='-O1 -g'
	fi
	triplet=$1 goal=$3
	shift 3
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -j"$jobs" CROSS="$triplet" STATIC=1 DEVELOPER=1 "$@" \
		"$out/$goal"
}

# With the libraries demanded: what wants them would be left out without a word where they are missing.
make_syntax() { # TRIPLET
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -k -j"$jobs" CROSS="$1" DEVELOPER=1 LTO= \
		WITHOUT_LIBELF= WITHOUT_LIBLZMA= syntax
}

views() {
	printf '%s\n' --summary '--waits --json' --chains '--chains --folded' --graph --critical-path --timeline \
		'--format svg'
}

reports() { # FOLDER PROGRAM...: what it tells of every trace, a file a trace; all at once
	folder=$1
	shift
	for trace in "$scratch"/traces/*; do
		views | while read -r view; do
			# shellcheck disable=SC2086 # words
			"$@" report "$trace" $view 2>&1
			echo "$view: status $?"
		done > "$folder/$(basename "$trace")" &
	done
	wait
}

gather_traces() {
	schedules=tests/golden/schedules
	cp fixtures/demo.dat "$scratch/traces"
	"$build/mktrace" -B -7 -o "$scratch/traces/big-endian-64-v7.dat" $schedules/database.txt
	"$build/mktrace" -B -4 -o "$scratch/traces/big-endian-32-v6.dat" $schedules/knots.txt
	"$build/mktrace" -4 -o "$scratch/traces/little-endian-32-v6.dat" $schedules/lossy.txt
	named=$(tests/tools/recordings.sh "$scratch") || exit 1
	for recording in 6.1-s390x-disk.dat 6.1-armhf-all-v7-zstd.dat 4.4.155-arm-run.dat; do
		found=
		for folder in $(echo "$named" | tr : ' '); do
			[ -e "$folder/$recording" ] && found=$folder/$recording
		done
		if [ -n "$found" ]; then
			cp "$found" "$scratch/traces"
		else
			skip "$recording" "no folder of FTWAIT_TRACES has it"
		fi
	done
}

# A report that fails in the same way everywhere would be no test.
check_native() {
	for told in "$scratch"/native/*; do
		if grep -q '^--summary: status 0$' "$told" && [ "$(wc -l < "$told")" -gt 40 ]; then
			pass
		else
			fail "native $(basename "$told")" "$told"
		fi
	done
}

# The unit tests, and meanwhile the vectors by a program that looks like a native one.
run_tests() { # TRIPLET QEMU
	if make_for "$1" tests unit > "$scratch/log" 2>&1; then
		CK_EXCLUDE_TAGS=kernel "$2" "$out/unit" --apart > "$scratch/log" 2>&1 &
	else
		false &
	fi
	printf '#!/bin/sh\nexec %s %s/%s/ftwait "$@"\n' "$2" "$here" "$out" > "$scratch/ftwait"
	chmod +x "$scratch/ftwait"
	if FTWAIT=$scratch/ftwait "$build/vectors" tests/vectors/*.vec > "$scratch/vectors" 2>&1; then
		pass
	else
		fail "$1 vectors" "$scratch/vectors"
	fi
	if wait $!; then
		pass
	else
		fail "$1 unit tests" "$scratch/log"
	fi
}

run_machine() { # TRIPLET QEMU TESTS SUITE
	triplet=$1 qemu=qemu-$2-static sysroot=build/sysroot/$1
	command -v "$triplet-gcc" > /dev/null || {
		skip "$triplet" "no $triplet-gcc; contrib/bootstrap cross installs it"
		return
	}
	command -v "$qemu" > /dev/null || {
		skip "$triplet" "no $qemu; contrib/bootstrap cross installs it"
		return
	}
	mkdir -p build/sysroot
	contrib/cross-sysroot "$triplet" "$sysroot" > "$scratch/why" 2>&1 ||
		{ [ "$4" != - ] && contrib/cross-sysroot "$triplet" "$sysroot" "$4" > "$scratch/why" 2>&1; } || {
		skip "$triplet" "$(cat "$scratch/why")"
		return
	}
	case $triplet in
	i686-* | arm-linux-gnueabihf)
		if make_syntax "$triplet" > "$scratch/log" 2>&1; then
			pass
		else
			fail "$triplet: what compilers complain of" "$scratch/log"
		fi
		;;
	esac
	make_for "$triplet" "$3" ftwait.stripped > "$scratch/log" 2>&1 || {
		fail "$triplet does not build" "$scratch/log"
		return
	}
	pass
	program=$out/ftwait.stripped
	[ "$3" = - ] ||
		wc -c < "$program" | awk -v name="$triplet" '{ printf "  %-20s %.2f MB\n", name, $1 / 1e6 }' >> "$scratch/sizes"
	rm -rf "$scratch/foreign"
	mkdir "$scratch/foreign"
	reports "$scratch/foreign" "$qemu" "$program"
	for told in "$scratch"/native/*; do
		name=$(basename "$told")
		if diff -u "$told" "$scratch/foreign/$name" > "$scratch/diff"; then
			pass
		else
			fail "$triplet tells otherwise of $name" "$scratch/diff"
		fi
	done
	[ "$3" = - ] || run_tests "$triplet" "$qemu"
}

gather_traces
reports "$scratch/native" "$build/ftwait"
check_native
: > "$scratch/sizes"
echo "$machines" > "$scratch/machines"
while read -r triplet qemu tests suite; do
	[ -n "$triplet" ] || continue
	case " ${*:-$triplet} " in
	*" $triplet "*)
		began=$(date +%s)
		run_machine "$triplet" "$qemu" "$tests" "$suite" < /dev/null
		echo "$triplet: $(($(date +%s) - began)) s"
		;;
	esac
done < "$scratch/machines"
echo 'static, stripped:'
cat "$scratch/sizes"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]

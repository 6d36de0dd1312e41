#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# recorder.sh WHOLE RECORDER: tests a recorder alone (make RECORDER=1). WHOLE must be able to report its
# recordings, and it must say that it was built without the commands and options that it lacks. Static
# stripped programs for armhf must have the sizes that INSTALL gives. The last line counts.
set -u

. tests/reduced/install_size.sh

whole=$1/ftwait recorder=$2/ftwait
passed=0 failed=0 skipped=0
folder=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-recorder.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

expect() { # WHAT TEST...
	what=$1
	shift
	if "$@" > "$folder/said" 2>&1; then
		passed=$((passed + 1))
	else
		echo "FAIL recorder: $what"
		tail -n 20 "$folder/said"
		failed=$((failed + 1))
	fi
}

skip() { # WHAT WHY
	echo "SKIP recorder: $1: $2"
	skipped=$((skipped + 1))
}

says() { # STATUS PATTERN ARGUMENT...
	wanted=$1 pattern=$2
	shift 2
	"$recorder" "$@" > "$folder/out" 2>&1
	status=$?
	cat "$folder/out"
	[ $status -eq "$wanted" ] && grep -q -e "$pattern" "$folder/out"
}

for command in report why top shot diff check; do
	expect "$command" says 2 "^ftwait: $command: this program was built to record alone" $command
	expect "help $command" says 2 "^ftwait: help: $command: this program was built to record" help $command
done
for option in --trigger=hung --after=1s --max-size=1M --compress; do
	expect "$option" says 2 "option ${option%%=*}: this program was built without it" record $option
done
expect "--ring=1s" says 2 'built without the flight recorder' record --ring=1s
expect "a wrong command" says 2 'did you mean "record"' recrd
expect "help names its commands" [ "$("$recorder" help | sed -n 's/^  \([a-z]*\)  .*/\1/p' | tr '\n' ' ')" = \
	'record list doctor cleanup help ' ]
if "$recorder" record -o "$folder/run.dat" -- sleep 0.1 > "$folder/said" 2>&1; then
	expect "a file is reported" sh -c "'$whole' report --strict '$folder/run.dat' --json > /dev/null"
	"$recorder" record -q -o - -d 0.2 > "$folder/stream" 2> "$folder/said"
	expect "a stream is reported" sh -c "'$whole' report --json - < '$folder/stream' > /dev/null"
	expect "a ring is reported" sh -c "'$recorder' record -q --ring -d 0.2 -o '$folder/ring.dat' &&
		'$whole' report --json '$folder/ring.dat' > /dev/null"
else
	skip "recording" "$(tail -n 1 "$folder/said")"
fi

make_for() { # WHAT VARIABLE...: builds it in $folder/build
	what=$1
	shift
	rm -rf "$folder/build"
	expect "$what builds" env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -j"$(nproc)" DEVELOPER=1 STATIC=1 \
		B="$folder/build" "$@" all
}

fits() { # WHAT PATTERN
	size=$(($(wc -c < "$folder/build/ftwait.stripped") / 1000))
	printf '  %-40s %4d KB\n' "$1" "$size"
	expect "$1: $size KB" install_size_fits "$size" "$2"
}

tools=$PWD/build/musl/armhf/bin/musl-
if why=$(contrib/musl-cross armhf build/musl/armhf 2>&1); then
	make_for "a recorder for armhf, with musl" CC="${tools}gcc" RECORDER=1
	fits "armhf, RECORDER=1, musl" 'static and stripped: ([0-9,]+) KB with musl'
else
	skip "armhf, musl" "$why"
fi
if why=$(contrib/cross-sysroot armhf build/sysroot/arm-linux-gnueabihf 2>&1 &&
	command -v arm-linux-gnueabihf-gcc 2>&1); then
	make_for "a recorder for armhf" CROSS=arm-linux-gnueabihf RECORDER=1
	fits "armhf, RECORDER=1, glibc" 'musl-cross\), ([0-9,]+) KB with glibc'
else
	skip "armhf, RECORDER=1, glibc" "$why"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]

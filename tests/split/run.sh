#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY: split-hosts on the vectors. One machine that has all devices and the clock of
# the recording must give the same report, byte for byte, and a clock that is shifted there and back the
# same file. A machine has no packets of devices that are not its own. The last line counts.
set -u

build=$1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-split.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0

# check WHAT TEST...: the test must hold
check() {
	what=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
	else
		echo "FAIL split $what"
		failed=$((failed + 1))
	fi
}

split() { # FROM TO ARGUMENT...
	from=$1 to=$2
	shift 2
	"$build/split-hosts" "$scratch/$from" "$scratch/$to" "$@" > "$scratch/truth" 2> "$scratch/errors"
}

# report FILE ARGUMENT...: under one name for all files
report() {
	file=$1
	shift
	cp "$scratch/$file" "$scratch/trace.dat"
	"$build/ftwait" report --json "$@" "$scratch/trace.dat" 2>&1
}

same_report() { # FILE FILE
	report "$1" --waits --net --sched > "$scratch/one" || return 1
	report "$2" --waits --net --sched > "$scratch/two" || return 1
	cmp -s "$scratch/one" "$scratch/two"
}

there_and_back() {
	split in.dat there.dat --devices '*' --offset 5000000123 &&
		split there.dat back.dat --devices '*' --offset -5000000123 &&
		! cmp -s "$scratch/there.dat" "$scratch/all.dat" &&
		cmp -s "$scratch/back.dat" "$scratch/all.dat"
}

# wants LETTERS [SHIFT [SLOPE [STEP]]]: want.dat of the lines of machines.txt that begin with one of these.
# Its times are in ms; they are later by SHIFT ns, SLOPE ns each ms since the first event, and STEP ns
# from 1030 ms on
wants() {
	sed -n "s/^[$1]|//p" tests/split/machines.txt |
		SHIFT=${2:-0} SLOPE=${3:-0} STEP=${4:-0} perl -pe 's/@(\d+)@/$1 * 1000000 + $ENV{SHIFT} +
			$ENV{SLOPE} * ($1 - 1000) + ($1 >= 1030 ? $ENV{STEP} : 0)/ge' |
		"$build/mktrace" > "$scratch/want.dat" || exit 1
}

# same_split FROM ARGUMENT...: gives the bytes of want.dat
same_split() {
	from=$1
	shift
	split "$from" out.dat "$@" && cmp -s "$scratch/out.dat" "$scratch/want.dat"
}

wants ' abx'
cp "$scratch/want.dat" "$scratch/all.dat"
wants ' a'
check "the machine with eth0" same_split all.dat --devices eth0 --addresses 10.0.0.1
wants ' b'
check "the machine with veth0" same_split all.dat --devices 'veth*' --addresses 10.0.0.2,127.0.0.1
wants ' abx' 86400000000000
check "an offset" same_split all.dat --devices '*' --offset 86400000000000
wants ' b' 5000000000
check "the other machine, with an offset" same_split all.dat --devices 'veth?' \
	--addresses 10.0.0.2 --offset 5000000000
wants ' abx' 0 40
check "a slope" same_split all.dat --devices '*' --slope 40
wants ' abx' -3 -500
check "a slope down, and an offset" same_split all.dat --devices '*' --slope -500 --offset -3
wants ' abx' 0 0 7777
check "a step" same_split all.dat --devices '*' --step 30ms:7777
wants ' abx'
LC_ALL=C sed -i 's/ 1700000000000000000 20/ 1700000000007000000 20/' "$scratch/want.dat"
check "the time of day" same_split all.dat --devices '*' --realtime 7000000

for vector in tests/vectors/*.vec; do
	name=$(basename "$vector" .vec)
	sed '/^---$/,$d' "$vector" | "$build/mktrace" > "$scratch/in.dat" || exit 1
	check "$name: is split" split in.dat all.dat --devices '*'
	check "$name: the same report" same_report in.dat all.dat
	if [ "$name" = F44-long-times ]; then
		echo "SKIP split $name: there are no later times"
		skipped=$((skipped + 1))
	else
		check "$name: there and back" there_and_back
	fi
done
echo "split: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]

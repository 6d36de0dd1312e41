#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/ci/ftwait-gate as CI runs it: green, red by the budget, red against its base branch, unfit to
# judge. The program starts as many children as it is given, and waits for each: a shell with one wait a
# child.
gate=$(cd "$(dirname "$0")/../../../contrib/ci" && pwd)/ftwait-gate
# In a mount namespace of its own /proc/stat says what the case wants of the host: recordings as short as
# these are unfit by a single tick that it takes.
if [ -z "${GATE_NAMESPACE:-}" ]; then
	unshare -m true 2> /dev/null || { echo "cannot make a mount namespace"; exit 77; }
	GATE_NAMESPACE=1 exec unshare -m sh "$0"
fi
. "$(dirname "$0")/prelude.sh"
export FTWAIT

# host_took TICKS: since boot, of each CPU
host_took() {
	awk -v ticks="$1" '/^cpu/ { $9 = ticks } { print }' stat > stat.new
	cat stat.new > stat
}
cat /proc/stat > stat
host_took 0
mount --bind stat /proc/stat || { echo "cannot mount over /proc/stat"; exit 77; }

cat > load << 'END'
#!/bin/sh
i=0
while [ $i -lt "$1" ]; do
	sleep 0.002
	i=$((i + 1))
done
END
chmod +x load
printf '%s\n' 'count task of load < 30' 'longest wait of load < 10s' 'hung = 0' > budget

# gate ARGUMENT...: sets $status
gate() {
	"$gate" "$@" > out 2> errors
	status=$?
}

# gate_fit ARGUMENT...: again, if recordings are not fit to judge: events may be lost, and the kernel may
# leave out switches
gate_fit() {
	for try in 1 2 3; do
		gate "$@"
		[ $status -ne 3 ] && return
		grep -a '^Cannot judge' out >> errors
		sed "s/^/    try $try: /" errors
	done
}

gate_fit -n 6 -o base budget ./load 8
expect "green: status 0, not $status" [ $status -eq 0 ]
expect "six recordings" [ "$(ls base/run*.dat | wc -l)" -eq 6 ]
expect "three rules are kept" grep -q '^6 recordings, 3 rules: all are kept\.$' out
expect "JUnit has no failure" grep -q 'tests="4" failures="0" errors="0"' base/check.xml

gate_fit -n 6 -o red budget ./load 40
expect "red: status 1, not $status" [ $status -eq 1 ]
expect "the broken rule is named" grep -q '^Broken: count task of load < 30: it is [4-9][0-9]' out
expect "JUnit has the failure" grep -q '<failure message="it is [4-9][0-9]' red/check.xml

printf 'hung = 0\n' > loose
gate_fit -n 6 -o new -b base loose ./load 40
expect "slower than the base: status 1, not $status" [ $status -eq 1 ]
expect "the budget is kept" grep -q '1 rule: it is kept\.$' new/check.txt
expect "what grew is named" grep -q 'that is sure\.$' new/diff.txt

# a program during which the host takes a second of each CPU
cat > robbed << 'END'
#!/bin/sh
awk '/^cpu/ { $9 += 100 } { print }' stat > stat.new && cat stat.new > stat
END
chmod +x robbed
gate -n 2 -o robbed.1 loose ./robbed
expect "the host took too much: status 3, not $status" [ $status -eq 3 ]
expect "that is said of both" [ "$(grep -c '^Cannot judge: .*: [0-9]* % of its CPU time were stolen by the host' out)" -eq 2 ]

gate -n 1 -b base -o base loose ./load 8
expect "its own base: status 2, not $status" [ $status -eq 2 ]
expect "the base is left as it was" [ "$(ls base/run*.dat | wc -l)" -eq 6 ]
gate -n 1 -b base/../base -o ./base loose ./load 8
expect "its own base by another name: status 2, not $status" [ $status -eq 2 ]
gate -n 1 -b none -o alone loose ./load 8
expect "a base without recordings: status 3, not $status" [ $status -eq 3 ]
expect "nothing was compared" grep -q 'none: no recordings are there' errors
gate_fit -n 1 -o alone loose ./load 8
expect "no base: status 0, not $status" [ $status -eq 0 ]
expect "it says so" grep -q 'not compared with a base branch' out

gate -n 1 budget false
expect "a program that fails: status 2, not $status" [ $status -eq 2 ]
gate budget
expect "wrong use: status 2, not $status" [ $status -eq 2 ]

# events of disks are not recorded
cat > only-sched << END
#!/bin/sh
[ "\$1" = record ] && { shift; set -- record -e sched "\$@"; }
exec "$FTWAIT" "\$@"
END
chmod +x only-sched
echo 'count disk of load < 20' >> budget
FTWAIT=./only-sched gate -n 2 -o unfit budget ./load 8
expect "unfit: status 3, not $status" [ $status -eq 3 ]
expect "why it is unfit" grep -q 'has no events of block, which can show it' unfit/check.txt

# futexes are system calls
echo 'count lock of load < 20' > locks
gate_fit -n 1 -o locks.1 locks ./load 8
expect "locks of the kernel: status 0, not $status" [ $status -eq 0 ]
expect "futexes would not be seen" grep -q '^Careful: .* has no events of syscalls' locks.1/check.txt
gate_fit -n 1 -o locks.2 -e +syscalls locks ./load 8
expect "locks with system calls: status 0, not $status" [ $status -eq 0 ]
expect "futexes would be seen" test "$(grep -c '^Careful: .* has no events' locks.2/check.txt)" -eq 0

# what surely took longer is red, also where a rule cannot be judged
echo 'path of nobody < 1s' > typo
gate -n 6 -o typo.1 -b base typo ./load 120
cat typo.1/diff.txt >> errors
expect "slower beside an unfit rule: status 1, not $status" [ $status -eq 1 ]

finish

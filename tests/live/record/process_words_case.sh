#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process by its number, its name, its program's file and its script, in all commands that take one;
# doctor and list as programs read them.
. "$(dirname "$0")/prelude.sh"

cp "$(command -v sleep)" own-sleeper
printf '#!/bin/sh\nsleep 60\nexit 1\n' > own-script.sh
chmod +x own-script.sh
ln -s own-sleeper other-name
./own-sleeper 60 &
task=$!
./own-script.sh &
script=$!
sleep 0.2

# watches WORD PID WORDS...: why says that it watched that process
watches() {
	expected="$1\[$2\]: "
	shift 2
	"$FTWAIT" why -d 300ms "$@" > out 2> errors
	expect "why $*: status 0" [ $? -eq 0 ]
	expect "why $*" grep -q "^$expected" out
}

watches own-sleeper $task -p $task
watches own-sleeper $task --comm own-sleeper
watches own-sleeper $task ./own-sleeper
watches own-sleeper $task "$PWD/other-name"
watches own-script.sh $script ./own-script.sh
ksoftirqd=$(pgrep -x ksoftirqd/0)
[ -z "$ksoftirqd" ] || watches ksoftirqd/0 "$ksoftirqd" ksoftirqd/0
for word in $task own-sleeper ./own-sleeper; do
	"$FTWAIT" top -b -n 1 -i 300ms $word > out 2> errors
	expect "top $word: status 0" [ $? -eq 0 ]
	expect "top $word" grep -q 'events/s' out
done
record -o a.dat -p ./own-sleeper -d 300ms
ended
expect "record -p PATH: status 0" [ $status -eq 0 ]
expect "record -p PATH: the pid is in the file" grep -q -a "^pids $task\$" a.dat
pkill -P $script
kill $task
wait $script $task 2> /dev/null

"$FTWAIT" list sched block > out 2> errors
expect "list GROUP...: those" [ "$(grep -c '^[a-z]' out)" -eq 2 ]
expect "list GROUP...: by an alias" sh -c '"$FTWAIT" list disk | grep -q "^block, disk"'
need jq
"$FTWAIT" doctor --json > out 2> errors
expect "doctor --json: status 0" [ $? -eq 0 ]
expect "doctor --json" [ "$(jq -r '.schema, .can_record' out | tr '\n' ' ')" = "ftwait.doctor/1 true " ]
expect "doctor --json: the checks of the text" \
	[ "$(jq -r '.checks[].name' out)" = "$("$FTWAIT" doctor | sed -n 's/^[a-zA-Z][a-zA-Z]* *//p' | sed 's/  .*//')" ]
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
cp "$FTWAIT" ./ftwait
chmod 755 . ./ftwait
setpriv --reuid=65534 --regid=65534 --clear-groups ./ftwait doctor --json > out 2> errors
expect "doctor --json without rights: status 1" [ $? -eq 1 ]
expect "doctor --json without rights: what, errno, mend" [ "$(jq -c \
	'.can_record, (.checks[] | select(.fatal) | .name, .errno, (.mend | test("as root")))' out | tr '\n' ' ')" = \
	'false "tracefs" 13 true ' ]
finish

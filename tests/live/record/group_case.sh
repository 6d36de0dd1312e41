#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -p NAME means all processes of that name and the children that they have; --unit and --cgroup mean
# the tasks of a control group, also those that come into it; the report knows each task's group.
. "$(dirname "$0")/prelude.sh"

hierarchy=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=$hierarchy/ftwait-test-$$.service
if [ -z "$hierarchy" ] || ! mkdir "$group" 2> /dev/null; then
	echo "no control group can be made here"
	exit 77
fi
task=
leave() {
	[ -n "$task" ] && kill "$task" $children 2> /dev/null
	task=
	await 20 rmdir "$group" 2> /dev/null
}
trap 'leave; scratch_remove' EXIT

# a server with a child that lives before recording begins, and that does the work
cp "$(command -v sleep)" ftw-backend
cat > ftw-server << 'END'
#!/bin/sh
./ftw-backend 60 &
wait
END
chmod +x ftw-server
./ftw-server &
task=$!
has_backend() {
	children=$(cat "/proc/$task/task/$task/children")
	[ -n "$children" ] && [ "$(cat "/proc/${children% *}/comm")" = ftw-backend ]
}
await 20 has_backend
record -o name.dat -p ftw-server -e default,syscalls -d 500ms
ended
expect "-p NAME: status 0" [ $status -eq 0 ]
expect "the process is in the file" grep -q -a "^pids $task\$" name.dat
"$FTWAIT" report name.dat --json > name.json
expect "the child that lived before is one of the tasks" grep -q "\"task\": {\"tid\": ${children% *}, " name.json
expect "only these two are" [ "$(grep -c '^ *{"task": {"tid"' name.json)" = 2 ]
record -o none.dat -p no-such-name -d 100ms
ended
expect "no such name: status 1" [ $status -eq 1 ]
expect "no such name: one line" said 'no process is called no-such-name;'

for pid in $task $children; do
	echo "$pid" > "$group/cgroup.procs"
done
name=$(basename "$group" .service)
record -o unit.dat --unit "$name"
begun
sh -c 'echo $$ > "$0/cgroup.procs"; sleep 0.1 # a new one' "$group" &
newcomer=$!
wait $newcomer
sleep 0.2
kill -INT "$recorder"
ended
expect "--unit: status 0" [ $status -eq 0 ]
"$FTWAIT" report unit.dat --json > unit.json
expect "its tasks" grep -q "\"task\": {\"tid\": $task, " unit.json
expect "and who came into it" grep -q "\"task\": {\"tid\": $newcomer, " unit.json
"$FTWAIT" report unit.dat --all --cgroup "$name.service" --json > group.json
expect "the group of a task that was in it" grep -q \
	"\"task\": {\"tid\": $task, .*\"cgroup\": \"/$name.service\"" group.json
expect "the group of a task that came into it" grep -q \
	"\"task\": {\"tid\": $newcomer, .*\"cgroup\": \"/$name.service\"" group.json
expect "no other task" [ "$(grep '^ *{"task": {"tid"' group.json | grep -vc "$name.service")" = 0 ]
record -o folder.dat --cgroup "$group" -d 200ms
ended
expect "--cgroup FOLDER: status 0" [ $status -eq 0 ]
expect "its path is in the file" grep -q -a "^target-cgroup /$name.service\$" folder.dat
record -o none.dat --cgroup /no/such/group -d 100ms
ended
expect "no such group: status 1" [ $status -eq 1 ]
expect "no such group: one line" said 'cgroup /no/such/group: no process is in such a control group'
finish

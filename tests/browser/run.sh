#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY: what is drawn, in Chromium, where that is installed: a flame graph (zooming,
# going back, searching), pages of `report --format html` against the JSON of the same recording, and pages
# of `diff --format html` against what diff prints of the same recordings (their scripts without a browser:
# tests/html). No request, no error. SCREENSHOTS=FOLDER keeps pictures of pages that fail. The last line
# counts.
set -u

build=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-browser.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$here/../.." || exit 1
passed=0 failed=0 skipped=0

pass() {
	passed=$((passed + 1))
}

fail() { # WHAT FILE
	echo "FAIL browser $1"
	tail -n 20 "$2" | sed 's/^/     /'
	failed=$((failed + 1))
}

skip() { # WHAT REASON
	echo "SKIP browser $1: $2"
	skipped=$((skipped + 1))
}

# What the page of that address has become when its scripts have run
page() {
	timeout 60 "$browser" --headless --no-sandbox --user-data-dir="$folder/profile" --dump-dom \
		"$1" 2> "$folder/errors"
}

# One Chromium has all the pages: to start it takes as long as some checks.
pages_start() {
	mkfifo "$folder/requests" "$folder/replies" || exit 1
	node "$here/pages.mjs" < "$folder/requests" > "$folder/replies" 2> "$folder/pages.log" &
	exec 3> "$folder/requests" 4< "$folder/replies"
}

# What is wrong is in $folder/told then.
check_in_browser() { # KIND ARGUMENT...
	reply='the browser is gone'
	{
		printf '%s' "$folder/told"
		printf '\t%s' "$@"
		echo
	} >&3 && read -r reply <&4
	[ "$reply" != 'the browser is gone' ] || tail -n 5 "$folder/pages.log" > "$folder/told"
	[ "$reply" = ok ]
}

check_svg() {
	"$build/mktrace" -o "$folder/run.dat" tests/golden/schedules/database.txt &&
		"$build/ftwait" report "$folder/run.dat" --format svg -o "$folder/run.svg" || exit 1
	{
		sed '$d' "$folder/run.svg"
		echo '<script><![CDATA['
		cat "$here/check_svg.js"
		echo ']]></script></svg>'
	} > "$folder/checked.svg"
	page "file://$folder/checked.svg" > "$folder/dom"
	if grep -q 'data-failed="nothing"' "$folder/dom"; then
		pass
	else
		grep -o 'data-failed="[^"]*"' "$folder/dom" >> "$folder/errors"
		fail 'flame graph' "$folder/errors"
	fi
}

check_page() { # NAME RECORDING OPTION...
	name=$1 recording=$2
	shift 2
	"$build/ftwait" report "$recording" --format html --critical-path -q -o "$folder/page.html" "$@" \
		2> "$folder/told" &&
		"$build/ftwait" report "$recording" --summary --top 0 --json "$@" > "$folder/summary" &&
		"$build/ftwait" report "$recording" --waits --json "$@" > "$folder/waits" &&
		"$build/ftwait" report "$recording" --critical-path --top 0 --json "$@" \
			> "$folder/path" || {
		fail "page of $name: report" "$folder/told"
		return
	}
	if check_in_browser page "$name" "$folder/page.html" "$folder/summary" "$folder/waits" \
		"$folder/path" && grep -q ' 0 failed' "$folder/told"; then
		pass
	else
		fail "page of $name" "$folder/told"
	fi
}

# A comparison that cannot say no is none: the figures of another recording.
check_comparison() {
	"$build/ftwait" report fixtures/demo.dat --format html -q -o "$folder/page.html" &&
		"$build/ftwait" report fixtures/pipe_chain.dat --summary --top 0 --json --all \
			> "$folder/summary" &&
		"$build/ftwait" report fixtures/pipe_chain.dat --waits --json --all > "$folder/waits"
	check_in_browser page other "$folder/page.html" "$folder/summary" "$folder/waits"
	if grep -q 'FAIL page: other: summary:' "$folder/told" &&
		grep -q 'FAIL page: other: waits:' "$folder/told"; then
		pass
	else
		fail 'page: agrees with another recording' "$folder/told"
	fi
	if check_in_browser damage "$folder/page.html"; then
		pass
	else
		fail 'pages that are damaged' "$folder/told"
	fi
}

# A path of more parts than a page tells: they are merged, and their sums are not touched.
check_long_path() {
	awk 'BEGIN {
		print "unit us\ncpus 1\nkernel 6.1.0-18-amd64\ntasks ping=101 pong=102"
		for (i = t = 0; i < 360000; i++) {
			print t "/0 ping sched_waking pong\n" t + 1 "/0 ping sched_switch ping:S > pong"
			print t + 3 "/0 pong sched_waking ping\n" t + 5 "/0 pong sched_switch pong:S > ping"
			t += 7 + (i % 50000 ? 0 : 400)
		}
	}' > "$folder/schedule"
	"$build/mktrace" -o "$folder/run.dat" "$folder/schedule" &&
		"$build/ftwait" report "$folder/run.dat" --format html --critical-path -q --all -o "$folder/page.html" &&
		"$build/ftwait" report "$folder/run.dat" --critical-path --all --json > "$folder/path"
	if check_in_browser page long "$folder/page.html" '' '' "$folder/path" 'counts path' &&
		grep -q '^2 checks, 0 failed' "$folder/told"; then
		pass
	else
		fail 'page of a long path' "$folder/told"
	fi
}

# Most of a build's tasks live for a moment.
check_build() {
	if node "$here/../html/make_page.mjs" build:150 "$folder/page.html" &&
		check_in_browser page build "$folder/page.html" '' '' '' 'counts hidden' &&
		grep -q '^2 checks, 0 failed' "$folder/told"; then
		pass
	else
		fail 'page of a build' "$folder/told"
	fi
}

# check_diff NAME: recordings $folder/old*.dat against $folder/new*.dat
check_diff() {
	name=$1
	set -- "$folder"/old*.dat -- "$folder"/new*.dat
	"$build/ftwait" diff --format html -o "$folder/page.html" "$@" 2> "$folder/told" &&
		"$build/ftwait" diff --json "$@" > "$folder/json" &&
		"$build/ftwait" diff --format folded "$@" > "$folder/folded" || {
		fail "page of a difference, $name: diff" "$folder/told"
		return
	}
	if check_in_browser diff "$folder/page.html" "$folder/json" "$folder/folded" &&
		grep -q ' 0 failed' "$folder/told"; then
		pass
	else
		fail "page of a difference, $name" "$folder/told"
	fi
}

check_diffs() {
	for run in 1 2 3 4 5 6 7 8; do
		"$build/mktrace" -o "$folder/old$run.dat" tests/golden/schedules/disks.txt &&
			"$build/mktrace" -o "$folder/new$run.dat" tests/golden/schedules/database.txt || exit 1
	done
	check_diff 'other programs'
	for run in 1 2 3 4 5 6 7 8; do
		cp "$folder/names.dat" "$folder/new$run.dat"
	done
	check_diff 'hostile names'
}

check_tail() { # NAME OPTION...: of $folder/run.dat
	name=$1
	shift
	"$build/ftwait" report "$folder/run.dat" --tail --format html -q -o "$folder/page.html" "$@" \
		2> "$folder/told" &&
		"$build/ftwait" report "$folder/run.dat" --tail --json "$@" > "$folder/json" || {
		fail "page of a tail, $name: report" "$folder/told"
		return
	}
	if check_in_browser tail "$folder/page.html" "$folder/json" && grep -q ' 0 failed' "$folder/told"; then
		pass
	else
		fail "page of a tail, $name" "$folder/told"
	fi
}

# A server with so many tasks that have its CPU, each once.
many_rivals() {
	awk -v rivals="$1" 'function tell(after, what) {
		t += after
		print t "/0 " what
	}
	BEGIN {
		print "unit us\ncpus 1\ntasks srv=99/server"
		for (i = 0; i < rivals; i++)
			printf "tasks r%d=%d/%c%c%c\n", i, 1000 + i, 97 + i / 676, 97 + i / 26 % 26, 97 + i % 26
		tell(0, "0 sched_switch 0:R > srv")
		for (n = 0; n < 10 * rivals; n++) {
			rival = "r" int(n / 10)
			tell(5, "srv print B|99|turn")
			if (n % 10 == 5) {
				tell(5, "srv sched_waking " rival)
				tell(0, "srv sched_switch srv:R > " rival)
				tell(500 + n, rival " sched_switch " rival ":S > srv")
			}
			tell(20 + n % 7, "srv print E|99")
		}
	}'
}

check_tails() {
	schedule=tests/golden/schedules/requests-tail.awk
	awk -v requests=400 -v busy=1 -f $schedule | "$build/mktrace" -o "$folder/run.dat" && check_tail requests
	check_tail 'the slowest third' --tail=33%
	awk -v requests=400 -f $schedule | sed 's,/keeper,/<b>"&'"$(printf '\342\200\256')"',' |
		"$build/mktrace" -o "$folder/run.dat" && check_tail 'hostile names'
	many_rivals 300 | "$build/mktrace" -o "$folder/run.dat" && check_tail 'many rows' --per slice:turn
	cp fixtures/tutorial_tail.dat "$folder/run.dat" && check_tail tutorial_tail
}

check_pages() {
	check_comparison
	check_long_path
	check_build
	check_page demo fixtures/demo.dat
	check_page 'demo, all tasks' fixtures/demo.dat --all
	check_page tutorial_lock fixtures/tutorial_lock.dat
	for machine in web db; do
		awk -v machine=$machine -f tests/golden/schedules/machines.awk > "$folder/schedule" &&
			"$build/mktrace" -o "$folder/$machine.dat" "$folder/schedule"
	done
	check_page 'two machines' "$folder/web.dat" "$folder/db.dat" --name web,db --all
	check_page 'three machines' fixtures/three/client.dat.zst fixtures/three/server.dat.zst \
		fixtures/three/db.dat.zst --name client,server,db
	for schedule in database hostile lossy stopped trigger; do
		"$build/mktrace" -o "$folder/$schedule.dat" "tests/golden/schedules/$schedule.txt" &&
			check_page "$schedule" "$folder/$schedule.dat" --all
	done
	perl -pe 's/%([0-9a-f]{2})/chr hex $1/ge' tests/hostile/schedule.txt | "$build/mktrace" -o "$folder/names.dat" &&
		check_page 'hostile names' "$folder/names.dat" --all
	check_diffs
	check_tails
	named=$(tests/tools/recordings.sh "$folder") || exit 1
	IFS=:
	for place in $named; do
		for recording in "$place"/lisa-arm64-rtapp.dat "$place"/6.1-amd64-disk.dat \
			"$place"/6.1-amd64-stack-v6.dat "$place"/6.1-s390x-mem.dat "$place"/6.12-amd64-lost.dat \
			"$place"/3.10.108-arm-run.dat "$place"/4.4.155-arm-run.dat; do
			[ -f "$recording" ] && check_page "$(basename "$recording" .dat)" "$recording" --all
		done
	done
	unset IFS
}

check_firefox() {
	firefox=$(command -v firefox-esr || command -v firefox) || {
		skip 'page in Firefox' 'Firefox is not installed'
		return
	}
	"$build/ftwait" report fixtures/demo.dat --format html -q --all -o "$folder/page.html"
	if FIREFOX=$firefox timeout 180 node "$here/firefox.mjs" "$folder/page.html" \
		> "$folder/told" 2>&1; then
		pass
	else
		fail 'page in Firefox' "$folder/told"
	fi
}

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
	skip 'all pictures' 'Chromium is not installed'
elif ! page 'data:text/html,<p>drawn</p>' | grep -q drawn; then
	skip 'all pictures' "$browser does not run here"
else
	check_svg
	if ! command -v node > /dev/null; then
		skip pages 'node is not installed'
	elif ! "$build/ftwait" report fixtures/demo.dat --format html -q -o "$folder/page.html" \
		2> "$folder/told"; then
		skip pages "$(tail -n 1 "$folder/told")"
	else
		pages_start
		check_pages
		exec 3>&- 4<&-
		check_firefox
	fi
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]

# SPDX-License-Identifier: GPL-2.0-or-later
# Counts and pairs events of a text as trace-cmd report -R -t prints it, for count.sh: of each thing to count
# a line for each key, "SPEC KEY COUNT SUM", and of each pair "SPEC COUNT TOTAL UNPAIRED UNOPENED".
# -v counts="event,by=FIELD,sum=FIELD ..." -v pairs="a/b,by=FIELD ..."; by=task has numbers of tasks as keys.

function field(name,   at, rest) {
	at = index(" " text, " " name "=")
	if (!at)
		return ""
	rest = substr(text, at + length(name) + 1)
	sub(/ .*/, "", rest)
	return rest ~ /^0*[0-9]+$/ && rest !~ /^0x/ ? rest + 0 : rest
}

function key(by) {
	return by == "task" ? task : by == "cpu" ? cpu + 0 : by == "event" ? event : field(by)
}

function begin_pair(spec, k) {
	unpaired[spec] += (spec, k) in open
	open[spec, k] = time
}

function end_pair(spec, k) {
	if (!((spec, k) in open)) {
		unopened[spec]++
		return
	}
	paired[spec]++
	total[spec] += minus(time, open[spec, k])
	delete open[spec, k]
}

# in ns, as a number of the whole would have too many digits
function minus(a, b,   x, y) {
	split(a, x, ".")
	split(b, y, ".")
	return (x[1] - y[1]) * 1000000000 + x[2] - y[2]
}

function spec_by(spec) {
	sub(/.*by=/, "", spec)
	sub(/,.*/, "", spec)
	return spec
}

BEGIN {
	count_of = split(counts, count)
	pair_of = split(pairs, pair)
	for (i = 1; i <= count_of; i++) {
		count_event[i] = count[i]
		sub(/,.*/, "", count_event[i])
		count_by[i] = spec_by(count[i])
		if (sub(/.*sum=/, "", count[i]))
			count_sum[i] = count[i]
	}
	split(counts, count)
	for (i = 1; i <= pair_of; i++) {
		split(pair[i], part, /[\/,]/)
		a[i] = part[1]
		b[i] = part[2]
		pair_by[i] = spec_by(pair[i])
	}
}

match($0, /-[0-9]+ +\[[0-9]+\] +[0-9]+\.[0-9]+: +[A-Za-z0-9_]+:/) {
	text = substr($0, RSTART + RLENGTH)
	split(substr($0, RSTART + 1, RLENGTH - 1), head, /[^0-9A-Za-z_.]+/)
	task = head[1]
	cpu = head[2]
	time = head[3]
	event = head[4]
	for (i = 1; i <= count_of; i++) {
		if (count_event[i] != "*" && count_event[i] != event)
			continue
		k = count[i] "\t" key(count_by[i])
		n[k]++
		sum[k] += count_sum[i] ? field(count_sum[i]) : 0
	}
	for (i = 1; i <= pair_of; i++) {
		if (event != a[i] && event != b[i])
			continue
		# each idle CPU has a task of its own
		k = key(pair_by[i]) (pair_by[i] == "task" && task == 0 ? "/" cpu : "")
		if (event == b[i])
			end_pair(pair[i], k)
		if (event == a[i])
			begin_pair(pair[i], k)
	}
}

END {
	for (k in n)
		printf "%s\t%d\t%.0f\n", k, n[k], sum[k]
	for (k in open) {
		split(k, part, SUBSEP)
		unpaired[part[1]]++
	}
	for (i = 1; i <= pair_of; i++)
		printf "%s\t%d\t%.0f\t%d\t%d\n", pair[i], paired[pair[i]], total[pair[i]], unpaired[pair[i]],
			unopened[pair[i]]
}

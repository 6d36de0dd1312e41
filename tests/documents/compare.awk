# SPDX-License-Identifier: GPL-2.0-or-later
# compare.awk SHOWN PRINTED: whether a document shows what is printed. Lines that are "..." alone
# stand for lines that were left out; all others must be there, in that order, next to each other.
# Says which line is not, status 1.

FNR == NR { shown[++asked] = $0; told += $0 != "..."; next }
{ printed[++there] = $0 }

# Whether the piece of shown lines from first to last is printed from this line on.
function is_here(first, last, line,    i) {
	for (i = first; i <= last; i++)
		if (printed[line + i - first] != shown[i] || line + i - first > there)
			return 0
	return 1
}

function place(first, last, from, to,    line) {
	for (line = from; line <= to; line++)
		if (is_here(first, last, line))
			return line
	print "not printed" (from == to ? " there" : "") ":"
	for (line = first; line <= last; line++)
		print "  " shown[line]
	exit bad = 1
}

END {
	if (bad)
		exit 1
	if (!told) {
		print "nothing is shown"
		exit 1
	}
	line = 1
	is_gap = 0
	for (first = 1; first <= asked; first = last + 1) {
		if (shown[first] == "...") {
			is_gap = 1
			last = first
			continue
		}
		for (last = first; last < asked && shown[last + 1] != "..."; last++)
			;
		from = line
		to = is_gap ? there - (last - first) : line
		if (last == asked) # nothing is left out at the end
			from = is_gap ? to : line
		if (is_gap && from < line)
			from = line
		line = place(first, last, from, to) + last - first + 1
		is_gap = 0
	}
	if (!is_gap && line <= there) {
		print "printed, but not shown:\n  " printed[line]
		exit 1
	}
}

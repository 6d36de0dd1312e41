#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual pages as mandoc reads them; style hints are not errors.
set -u

command -v mandoc > /dev/null || {
	echo "mandoc is not installed"
	exit 77
}
ls man/*.[1-8] > /dev/null 2>&1 || {
	echo "no manual pages"
	exit 1
}
status=0
mandoc -T lint -W warning man/*.[1-8] | grep . && status=1

# Who looks for an option reads this page, so it stays short.
lines=$(mandoc -T ascii -O width=80 man/ftwait-report.1 | wc -l)
[ "$lines" -le 600 ] || {
	echo "man/ftwait-report.1 has $lines lines when it is printed, more than 600"
	status=1
}

# A macro's name with its dot is text wherever else than at the begin of a line it stands.
awk '/^\.\\"/ { next }
	{
		for (i = 2; i <= NF; i++)
			if ($i ~ /^[^[:alnum:]\/]*\.[A-Z][a-z]$/ || $i ~ /\.(It|Bl|El|Sh|Ss|Pp|Xr|Fl|Ar)$/) {
				print FILENAME ":" FNR ": " $i " in the middle of a line"
				bad = 1
			}
	}
	END { exit bad }' man/*.[1-8] || status=1

# What may stand at the top of a report is listed in ftwait-json(5): each view, by its name.
listed=$(sed -n '/^\.Ss Top level/,/^\.El/s/^\.It//p' man/ftwait-json.5)
for view in $(sed -n 's/^\t\.name = "\([a-z-]*\)",.*/\1/p' src/views/*_analysis.c src/views/*/*_analysis.c | tr - _); do
	echo "$listed" | grep -qw "$view" || {
		echo "man/ftwait-json.5: the view $view is not in the list of the top level"
		status=1
	}
done
exit $status

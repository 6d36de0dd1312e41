#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The date of each manual page (.Dd) is not before the last commit that changed another line of it, and is
# today's while such a change is not committed. The author's date counts: cherry-pick and rebase keep it.
set -u

{ [ -e .git ] && [ "$(git rev-parse --is-shallow-repository 2> /dev/null)" = false ]; } || {
	echo "no full history in git"
	exit 77
}
status=0
# a line that is not .Dd
text='^([^.]|\.[^D]|\.D[^d])'
for page in man/*.[1-8]; do
	changed=$(git log -1 --format=%as -G "$text" -- "$page")
	[ -z "$(git diff HEAD -G "$text" --name-only -- "$page")" ] || changed=$(date +%F)
	# a page that is not in git yet
	[ -n "$changed" ] || continue
	dated=$(LC_ALL=C date -d "$(sed -n 's/^\.Dd //p' "$page")" +%F)
	# ISO dates sort as text does
	[ "$(printf '%s\n%s\n' "$changed" "$dated" | sort | tail -n 1)" = "$dated" ] || {
		echo "$page: .Dd is $dated, but the page was changed on $changed"
		status=1
	}
done
exit $status

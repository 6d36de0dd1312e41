#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Which layer may include which: a layer is a folder of src/ with all below it. include/ftwait is
# open to all; a layer may include itself. Of the views in views/ none includes another; only the
# summary, which draws on what they know, may. In some folders no files include each other in a
# circle, a .c and its .h being one.
set -u

allowed() {
	case $1 in
	base) echo "" ;;
	words | merge | symbolize) echo "base" ;;
	catalog | source | graph | present) echo "base words" ;;
	decode) echo "base words catalog" ;;
	state | analysis | export) echo "base words graph" ;;
	views) echo "base words graph analysis" ;;
	reference) echo "base source" ;;
	capture) echo "base words catalog source" ;;
	record) echo "base words catalog source capture" ;;
	engine) echo "base words source decode merge state graph analysis symbolize" ;;
	cmd)
		echo "base words catalog source decode merge state graph analysis views present capture record" \
			"reference engine symbolize export"
		;;
	*) return 1 ;;
	esac
}

bad=0
for folder in src/*/; do
	layer=$(basename "$folder")
	[ "$layer" = html ] && continue # what runs in a browser
	if ! may=$(allowed "$layer"); then
		echo "$folder: no layer of the rule"
		bad=1
		continue
	fi
	for other in src/*/; do
		other=$(basename "$other")
		case " $layer $may " in
		*" $other "*) ;;
		*)
			if grep -rn "^#include \"$other/" "$folder"; then
				echo "  layer $layer must not include layer $other"
				bad=1
			fi
			;;
		esac
	done
	if grep -rn '^#include "\.\.' "$folder"; then
		echo "  include by layer, not by .."
		bad=1
	fi
done
for folder in src/views/*/; do
	view=$(basename "$folder")
	[ "$view" = summary ] && continue
	if grep -n '^#include "views/' "$folder"* | grep -v "\"views/$view/"; then
		echo "  view $view must not include another view; what views share is in src/analysis"
		bad=1
	fi
done
if grep -n '^#include "views/' src/views/*.c; then
	echo "  a view must not include another view"
	bad=1
fi
for folder in src/source src/reference src/engine src/symbolize src/state src/capture/machine src/capture/drain src/views/disk src/views/lock src/views/net src/views/sched; do
	loop=$(grep -H '^#include "[a-z_]*\.h"' "$folder"/*.[ch] |
		sed -e 's|.*/\([a-z_]*\)\.[ch]:#include "\([a-z_]*\)\.h"|\1 \2|' | tsort 2>&1 > /dev/null)
	if [ -n "$loop" ]; then
		echo "$folder: files that include each other: $(echo "$loop" | tr '\n' ' ')"
		bad=1
	fi
done
exit $bad

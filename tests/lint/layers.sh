#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Which layer may include which: a layer is a folder of src/ with all below it. include/ftwait is
# open to all; a layer may include itself. Of the views in views/ none includes another; only the
# summary and the blame matrix, which draw on what they know, may.
set -u

allowed() {
	case $1 in
	base) echo "" ;;
	words | merge | symbolize | stats) echo "base" ;;
	catalog | source | graph | present | clocks) echo "base words" ;;
	decode) echo "base words catalog" ;;
	state | analysis | export) echo "base words graph" ;;
	views) echo "base words graph analysis" ;;
	compare) echo "base words graph analysis views stats" ;;
	reference) echo "base source" ;;
	machines) echo "base words clocks decode merge" ;;
	capture) echo "base words catalog source" ;;
	record) echo "base words catalog source capture" ;;
	flight)
		echo "base words catalog source decode merge state graph analysis engine present capture record"
		;;
	live) echo "base words source decode merge state graph analysis engine present" ;;
	engine) echo "base words source decode merge state graph analysis symbolize" ;;
	cmd)
		echo "base words catalog source decode merge state graph analysis views present capture record" \
			"reference engine symbolize export compare stats live flight machines"
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
	[ "$view" = summary ] || [ "$view" = blame ] && continue
	if grep -n '^#include "views/' "$folder"* | grep -v "\"views/$view/"; then
		echo "  view $view must not include another view; what views share is in src/analysis"
		bad=1
	fi
done
if grep -n '^#include "views/' src/views/*.c; then
	echo "  a view must not include another view"
	bad=1
fi
exit $bad

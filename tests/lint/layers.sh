#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Which layer may include which: a layer is a folder of src/ with all below it. include/ftwait is
# open to all; a layer may include itself. Of the views in views/ none includes another; only the
# summary and the blame matrix, which draw on what they know, may.
set -u

allowed() {
	case $1 in
	base) echo "" ;;
	words | tally | merge | symbolize | stats) echo "base" ;;
	catalog | source | present | clocks) echo "base words" ;;
	graph) echo "base words tally" ;;
	decode) echo "base words catalog" ;;
	raw) echo "base words decode merge" ;;
	state | sentences | export) echo "base words tally graph" ;;
	analysis) echo "base words tally graph sentences raw" ;;
	views) echo "base words tally graph sentences analysis stats raw" ;;
	compare) echo "base words tally graph sentences analysis views stats" ;;
	reference) echo "base source" ;;
	machines) echo "base words clocks decode merge" ;;
	recorder) echo "base words catalog source" ;;
	flight)
		echo "base words tally catalog source decode merge state graph sentences analysis engine present recorder"
		;;
	live) echo "base words tally source decode merge state graph sentences analysis engine present" ;;
	engine) echo "base words tally source decode merge state graph sentences analysis symbolize" ;;
	cmd)
		echo "base words tally catalog source decode merge state graph sentences analysis views present recorder" \
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
# views/costs.h is no view: it has what views pass to those who compare runs
for folder in src/views/*/; do
	view=$(basename "$folder")
	[ "$view" = summary ] || [ "$view" = blame ] && continue
	if grep -n '^#include "views/' "$folder"* | grep -vE "\"views/($view/|costs\.h\")"; then
		echo "  view $view must not include another view; what views share is in src/analysis"
		bad=1
	fi
done
if grep -n '^#include "views/' src/views/*.c; then
	echo "  a view must not include another view"
	bad=1
fi
exit $bad

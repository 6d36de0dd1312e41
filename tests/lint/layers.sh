#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Which layer may include which. include/ftwait is open to all; a layer may include itself, and in
# some no circle of files, a .c and its .h being one.
set -u

allowed() {
	case $1 in
	base) echo "" ;;
	catalog | source | merge | graph | present | symbolize) echo "base" ;;
	decode) echo "base catalog" ;;
	state | analysis | export) echo "base graph" ;;
	reference) echo "base source" ;;
	capture) echo "base catalog source" ;;
	engine) echo "base source decode merge state graph analysis symbolize" ;;
	cmd)
		echo "base catalog source decode merge state graph analysis present capture" \
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
			if grep -n "^#include \"$other/" "$folder"*.[ch] 2> /dev/null; then
				echo "  layer $layer must not include layer $other"
				bad=1
			fi
			;;
		esac
	done
	if grep -n '^#include "\.\.' "$folder"*.[ch] 2> /dev/null; then
		echo "  include by layer, not by .."
		bad=1
	fi
done
for folder in src/source src/reference src/engine src/symbolize; do
	loop=$(grep -H '^#include "[a-z_]*\.h"' "$folder"/*.[ch] |
		sed -e 's|.*/\([a-z_]*\)\.[ch]:#include "\([a-z_]*\)\.h"|\1 \2|' | tsort 2>&1 > /dev/null)
	if [ -n "$loop" ]; then
		echo "$folder: files that include each other: $(echo "$loop" | tr '\n' ' ')"
		bad=1
	fi
done
exit $bad

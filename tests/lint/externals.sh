#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Who may know the tracing libraries: from merge upwards ftwait is plain C.
set -u

bad=0

only() { # HEADER LAYER...
	header=$1
	shift
	for folder in src/*/; do
		layer=$(basename "$folder")
		case " $* " in
		*" $layer "*) continue ;;
		esac
		if grep -n "^#include <\([a-z]*/\)*$header>" "$folder"*.[ch] 2> /dev/null; then
			echo "  ${*:-nobody} may include $header"
			bad=1
		fi
	done
}

only 'tracefs\.h' capture
only 'trace-cmd\.h' reference
only 'kbuffer\.h'
only 'event-parse\.h'
only 'zlib\.h' source capture
only 'zstd\.h' source capture
exit $bad

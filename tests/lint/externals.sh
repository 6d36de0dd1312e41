#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Who may know the libraries of others: from merge upwards ftwait is plain C, but for symbolize.
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
		if grep -rn "^#include <\([a-z]*/\)*$header>" "$folder"; then
			echo "  ${*:-nobody} may include $header"
			bad=1
		fi
	done
}

only 'tracefs\.h' recorder
only 'trace-cmd\.h' reference
only 'kbuffer\.h'
only 'event-parse\.h' raw
only 'zlib\.h' source recorder symbolize export present
only 'zstd\.h' source recorder
only 'gelf\.h' symbolize
only 'libelf\.h' symbolize
only 'lzma\.h' symbolize
only 'demangle\.h' symbolize
# its MiniDebugInfo is unpacked without a bound, its files are mapped
only 'libdw[a-z]*\.h'
exit $bad

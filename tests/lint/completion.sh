#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/ftwait.bash is what "ftwait help --completion" prints, and bash can read it.
set -u

ftwait=${FTWAIT:-build/ftwait}
[ -x "$ftwait" ] || {
	echo "$ftwait is not built"
	exit 77
}
"$ftwait" help --completion | diff contrib/ftwait.bash - || {
	echo "mend: $ftwait help --completion > contrib/ftwait.bash"
	exit 1
}
bash -n contrib/ftwait.bash

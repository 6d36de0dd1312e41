#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# views.sh FTWAIT [--options]: the names of all views that this program has, a line each, in the order of its
# help; or the options that show them, with a value for any recording where a view needs one.
"$1" help report | sed -n '/^Views/,/^$/s/^      --\([a-z-]*\).*/\1/p' | grep . |
	if [ "${2:-}" = --options ]; then
		sed 's/^/--/; s/^--what-if$/&=task:*=0.5/; s/^--count$/&=*/; s/^--pair$/&=*\/*,by=cpu/'
	else
		cat
	fi

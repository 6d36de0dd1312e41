#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# views.sh FTWAIT: the names of all views that this program has, a line each, in the order of its help.
"$1" help report | sed -n '/^Views/,/^$/s/^      --\([a-z-]*\).*/\1/p' | grep .

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every script of the project through shellcheck.
set -u

command -v shellcheck > /dev/null || {
	echo "shellcheck is not installed"
	exit 77
}
scripts=$(grep -lE '^#!/bin/(sh|bash)' .ci/run contrib/* contrib/*/* fixtures/* tests/*.sh tests/*/*.sh tests/*/*/*.sh 2> /dev/null)
# shellcheck disable=SC2086 # a list of files
shellcheck -x -P SCRIPTDIR -S warning $scripts

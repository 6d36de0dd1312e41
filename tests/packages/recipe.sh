#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# recipe.sh RECIPE SOURCE D: a stand-in for BitBake: runs do_compile and do_install of a recipe in SOURCE,
# which install into D. Variables that BitBake sets are set here; the caller exports the tools (CC, AR ...),
# as BitBake does, and PACKAGECONFIG_CONFARGS.
# shellcheck disable=SC2034 # the recipe uses them
set -eu

recipe=$1 source=$2 D=$3
prefix=/usr bindir=/usr/bin datadir=/usr/share mandir=/usr/share/man
oe_runmake() {
	# shellcheck disable=SC2086 # words
	make $EXTRA_OEMAKE "$@"
}
eval "$(awk '
	/^EXTRA_OEMAKE = / { sub(/ = /, "="); value = 1 }
	/^do_(compile|install)\(\) \{/ { function_ = 1 }
	value || function_
	value && /"$/ && !/= *"$/ { value = 0 }
	/^\}/ { function_ = 0 }' "$recipe")"
cd "$source"
do_compile
do_install

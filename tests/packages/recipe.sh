#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# recipe.sh RECIPE SOURCE D: runs do_compile and do_install of a recipe for BitBake in SOURCE, with D to
# install into. The recipe's values become the shell's; what BitBake would set is set here, and the
# tools are in the environment, as it exports them.
# shellcheck disable=SC2034 # what recipes name
set -eu

recipe=$1 source=$2 D=$3
prefix=/usr bindir=/usr/bin datadir=/usr/share mandir=/usr/share/man PV=${recipe##*_}
PV=${PV%.bb}
PACKAGECONFIG_CONFARGS="WITHOUT_LIBELF=1 WITHOUT_LIBLZMA=1"
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

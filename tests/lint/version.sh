#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The version stands in VERSION; what must repeat it, the news and the packages, repeats it.
set -u

version=$(cat VERSION)
bad=0
says() { # PLACE WHAT-IT-SAYS
	[ "$2" = "$version" ] && return
	echo "$1 says \"$2\", VERSION says \"$version\""
	bad=1
}

printf '%s\n' "$version" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+' || {
	echo "VERSION is not one line like 1.2.3"
	bad=1
}
says "the first section of NEWS" "$(sed -n 's/^\([0-9][^ ]*\), [0-9-]*$/\1/p' NEWS | head -n 1)"
says "the first entry of debian/changelog" "$(sed -n '1s/^ftwait (\(.*\)-[^-]*) .*/\1/p' debian/changelog)"
says "contrib/ftwait.spec" "$(sed -n 's/^Version: *//p' contrib/ftwait.spec)"
says "the first entry of its %changelog" "$(sed -n '/^%changelog/{n;s/.* - \(.*\)-[^-]*$/\1/p;}' contrib/ftwait.spec)"
says "the name of the recipe in contrib/yocto" "$(cd contrib/yocto && echo *.bb | sed 's/^ftwait_\(.*\)\.bb$/\1/')"
says "contrib/buildroot/ftwait.mk" "$(sed -n 's/^FTWAIT_VERSION = //p' contrib/buildroot/ftwait.mk)"
says "contrib/openwrt/Makefile" "$(sed -n 's/^PKG_VERSION:=//p' contrib/openwrt/Makefile)"
exit $bad

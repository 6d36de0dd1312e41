#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Packages: run.sh [NAME...] of: dist buildroot openwrt yocto rpm debian recorders; all but recorders if none
# is named. The tarball must be the same twice. Each package is built from it, and its program is run. Those for
# boards are built by a cross compiler with what their build systems set (stand-ins beside this file);
# recorders: of these three only a program that records alone, which takes a fifth of the time. rpm and debian
# are built twice, debian in different folders, and must have the same bytes; lintian must find nothing. The
# last line counts.
set -u

cd "$(dirname "$0")/../.." || exit 1
here=$PWD
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-packages.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
# PACKAGES of make packages-check would be those of contrib/cross-sysroot
unset MAKEFLAGS MFLAGS MAKELEVEL PACKAGES
passed=0 failed=0 skipped=0
version=$(cat VERSION)
triplet=arm-linux-gnueabihf

expect() { # WHAT TEST...
	what=$1
	shift
	if "$@" > "$scratch/log" 2>&1; then
		passed=$((passed + 1))
		return 0
	fi
	echo "FAIL packages $what"
	grep -vE '^  [A-Z]+ ' "$scratch/log" | tail -n 20
	failed=$((failed + 1))
	return 1
}

skip() { # WHAT WHY
	echo "SKIP packages $1: $2"
	skipped=$((skipped + 1))
}

unpack() { # FOLDER: the tarball's content
	mkdir -p "$1" && tar -xzf "$scratch/ftwait-$version.tar.gz" -C "$1" --strip-components=1
}

dist() {
	make -s dist && cp "build/ftwait-$version.tar.gz" "$scratch"
}

same_again() {
	rm -f "build/ftwait-$version.tar.gz" && TZ=Asia/Tokyo LC_ALL=C make -s dist &&
		cmp "build/ftwait-$version.tar.gz" "$scratch/ftwait-$version.tar.gz"
}

says_version() { # PROGRAM...
	[ "$("$@" --version)" = "ftwait $version" ]
}

# of the other machine, and it runs
runs() { # FOLDER [LESS]: LESS bytes than the program may have
	program=$1/usr/bin/ftwait
	readelf -h "$program" | grep -q 'Machine: *ARM' || return 1
	"$triplet-strip" -o "$scratch/stripped" "$program"
	wc -c < "$scratch/stripped" | awk -v name="$what" '{ printf "  %-30s %4d KB\n", name, $1 / 1000 }' >&3
	says_version qemu-arm-static -L "/usr/$triplet" -E LD_LIBRARY_PATH="$sysroot/lib/$triplet:$sysroot/usr/lib/$triplet" \
		"$program"
}
exec 3>&1

for_board() { # COMMAND...: with where its libraries are, which a native build must not see
	env TRIPLET=$triplet SYSROOT="$sysroot" \
		PKG_CONFIG_LIBDIR="$sysroot/usr/lib/$triplet/pkgconfig:$sysroot/usr/share/pkgconfig" "$@"
}

package_buildroot() { # [KIND]: full recorder, both if none is named
	for kind in ${1:-full recorder}; do
		rm -rf "$scratch/buildroot"
		unpack "$scratch/buildroot/source"
		[ "$kind" = full ] && only=n || only=y
		expect "buildroot, $kind" for_board make -s -j"$(nproc)" -f tests/packages/buildroot.mk TREE="$scratch/buildroot/source" \
			TARGET_DIR="$scratch/buildroot/target" BR2_PACKAGE_FTWAIT_RECORDER=$only &&
			expect "buildroot's program, $kind" runs "$scratch/buildroot/target"
	done
}

package_openwrt() { # [KIND]
	for kind in ${1:-full recorder}; do
		rm -rf "$scratch/openwrt"
		unpack "$scratch/openwrt/source"
		[ "$kind" = full ] && goal=ftwait || goal=ftwait-recorder
		expect "openwrt, $kind" for_board make -s -j"$(nproc)" -f contrib/openwrt/Makefile TOPDIR="$here/tests/packages/openwrt" \
			BUILD_VARIANT="$kind" PKG_BUILD_DIR="$scratch/openwrt/source" OUT="$scratch/openwrt/out" "$goal" &&
			expect "openwrt's program, $kind" runs "$scratch/openwrt/out"
	done
}

package_yocto() { # [KIND]
	recipe=$here/contrib/yocto/ftwait_$version.bb
	expect "yocto: the hash of the licence" grep -q "md5=$(md5sum < LICENSE | cut -d ' ' -f 1)" "$recipe"
	for kind in ${1:-full recorder}; do
		rm -rf "$scratch/yocto"
		unpack "$scratch/yocto/source"
		config='WITHOUT_LIBELF=1 WITHOUT_LIBLZMA=1'
		[ "$kind" = full ] || config="$config RECORDER=1"
		expect "yocto, $kind" for_board env CC="$triplet-gcc" AR="$triplet-gcc-ar" STRIP="$triplet-strip" CFLAGS=-O2 \
			PKG_CONFIG_SYSROOT_DIR="$sysroot" PACKAGECONFIG_CONFARGS="$config" MAKEFLAGS="-j$(nproc)" \
			sh tests/packages/recipe.sh "$recipe" "$scratch/yocto/source" "$scratch/yocto/image" &&
			expect "yocto's program, $kind" runs "$scratch/yocto/image"
	done
}

package_recorders() {
	for system in buildroot openwrt yocto; do
		"package_$system" recorder
	done
}

# Where debugedit is missing, debug information has the path of the build, so both builds use one folder. The
# times and the host are set as Fedora's macros set them, which Debian's rpm lacks.
build_rpm() { # [OPTION]
	SOURCE_DATE_EPOCH=1795824000 rpmbuild -ta --nodeps --define "_topdir $scratch/rpm" --define "_buildhost localhost" \
		--define "use_source_date_epoch_as_buildtime 1" --define "clamp_mtime_to_source_date_epoch 1" "$@" \
		"$scratch/ftwait-$version.tar.gz"
}

package_rpm() {
	for tool in rpmbuild cpio; do
		command -v $tool > /dev/null || {
			skip rpm "no $tool; on Debian: apt-get install rpm cpio"
			return
		}
	done
	expect "rpm" build_rpm && cp "$scratch"/rpm/RPMS/*/ftwait-$version-*.rpm "$scratch/ftwait.rpm" || return
	expect "rpm has the program and the manual" sh -c "rpm -qlp '$scratch/ftwait.rpm' 2> /dev/null | grep -cE \
		'^/usr/(bin/ftwait|share/man/man1/ftwait.1(.gz)?)$' | grep -qx 2"
	mkdir "$scratch/unpacked"
	expect "rpm can be unpacked" sh -c "rpm2cpio '$scratch/ftwait.rpm' | (cd '$scratch/unpacked' && cpio -idm --quiet)" &&
		expect "rpm's program" says_version "$scratch/unpacked/usr/bin/ftwait" &&
		expect "rpm's recordings" "$scratch/unpacked/usr/bin/ftwait" report \
			"$scratch/unpacked/usr/share/doc/ftwait/examples/demo.dat"
	expect "rpm again" build_rpm --nocheck &&
		expect "two builds of rpm" cmp "$scratch/ftwait.rpm" "$scratch"/rpm/RPMS/*/ftwait-$version-*.rpm
}

build_debian() ( # FOLDER
	unpack "$1/ftwait-$version" && cd "$1/ftwait-$version" &&
		DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" dpkg-buildpackage -us -uc -b
)

package_debian() {
	for tool in dpkg-buildpackage dh lintian; do
		command -v $tool > /dev/null || {
			skip debian "no $tool; on Debian: apt-get install dpkg-dev debhelper lintian"
			return
		}
	done
	expect "debian" build_debian "$scratch/one" &&
		expect "debian in another place" build_debian "$scratch/another/place" || return
	for package in "$scratch"/one/*.deb; do
		expect "two builds of $(basename "$package")" cmp "$package" "$scratch/another/place/$(basename "$package")" &&
			sha256sum "$package" | sed "s|$scratch/||; s/^/  /"
	done
	[ "$(id -u)" -ne 0 ] || root=--allow-root
	expect "lintian" sh -c "lintian ${root:-} --pedantic -I '$scratch'/one/*.changes > '$scratch/said' 2>&1;
		cat '$scratch/said'; ! grep -E '^[EWIP]: ' '$scratch/said'"
}

has_cross() {
	command -v "$triplet-gcc" > /dev/null && command -v qemu-arm-static > /dev/null || {
		echo "no cross compiler or no qemu; contrib/bootstrap cross installs them"
		return 1
	}
	contrib/cross-sysroot "$triplet" "build/sysroot/$triplet"
}

[ $# -gt 0 ] || set -- buildroot openwrt yocto rpm debian
if git rev-parse HEAD > /dev/null 2>&1; then
	expect "dist" dist && expect "the same tarball again" same_again
else
	tar -czf "$scratch/ftwait-$version.tar.gz" --exclude=./build --transform "s|^[.]|ftwait-$version|" .
	skip dist "no git tree"
fi
sysroot=$here/build/sysroot/$triplet
for name in "$@"; do
	case $name in
	buildroot | openwrt | yocto | recorders)
		if why=$(has_cross 2>&1); then
			"package_$name"
		else
			skip "$name" "$why"
		fi
		;;
	rpm | debian) "package_$name" ;;
	dist) ;;
	*) expect "$name: there is no such package" false ;;
	esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What `make` takes from the environment and from its command line, as packagers set it: by what it
# would run.
set -u

bad=0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
# a pkg-config that tells what it was asked with
cat > "$folder/pkg-config" << 'END'
#!/bin/sh
[ "$1" != --cflags ] || echo "-I/asked/$PKG_CONFIG_PATH/$PKG_CONFIG_LIBDIR/$PKG_CONFIG_SYSROOT_DIR"
END
# and a compiler of another machine
printf '#!/bin/sh\necho vax-linux-gnu\n' > "$folder/vax-linux-gnu-gcc"
chmod +x "$folder/pkg-config" "$folder/vax-linux-gnu-gcc"
PATH=$folder:$PATH
# the tools of a compiler that is given by its name alone; a second one has none
for tool in cc-12 ar gcc-ar strip; do
	ln -s vax-linux-gnu-gcc "$folder/pdp-$tool"
done
ln -s vax-linux-gnu-gcc "$folder/lone-gcc"
unset AR CC STRIP RANLIB INSTALL VERSION WITHOUT_MAN WITHOUT_COMPLETION CPPFLAGS CFLAGS LDFLAGS PKG_CONFIG PKG_CONFIG_PATH PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
unset MAKEFLAGS MFLAGS MAKELEVEL CROSS STATIC SYSROOT LTO DEVELOPER WITHOUT_LIBTRACECMD WITHOUT_LIBTRACEEVENT WITHOUT_LIBELF WITHOUT_LIBLZMA WITHOUT_LIBIBERTY SANITIZE COVERAGE

expect() { # PATTERN [GOAL]: of what make would run, with the words that are set in $given
	# shellcheck disable=SC2086 # words
	env $environment make -n -B V=1 $given "${2:-all}" > "$folder/run" 2>&1
	grep -qE -e "$1" "$folder/run" || {
		echo "$environment make $given ${2:-all}: no command like: $1"
		bad=1
	}
}

for way in environment given; do
	environment='' given=''
	eval "$way='AR=some-ar'"
	expect '^some-ar rcs'
	eval "$way='CPPFLAGS=-DHARDENED'"
	expect ' -DHARDENED .*-c -o'
	eval "$way='CFLAGS=-Os'"
	expect ' -Os .*-c -o'
	eval "$way='LDFLAGS=-Wl,-z,now'"
	expect ' -Wl,-z,now .*-o build/gcc/ftwait'
	eval "$way='LTO=-flto'"
	expect ' -flto .* -o build/gcc-lto/ftwait'
	eval "$way='LTO='"
	expect ' -o build/gcc/ftwait' install
	eval "$way='PKG_CONFIG_PATH=path PKG_CONFIG_LIBDIR=lib PKG_CONFIG_SYSROOT_DIR=root'"
	expect ' -isystem /asked/path/lib/root '
	eval "$way='CROSS=vax-linux-gnu PKG_CONFIG_LIBDIR=lib'"
	expect ' -isystem /asked//lib/ '
	eval "$way='CROSS=vax-linux-gnu- SYSROOT=/s'"
	expect '^vax-linux-gnu-ar rcs build/vax-linux-gnu/libftwait.a'
	expect ' -isystem /asked///s/usr/lib/vax-linux-gnu/pkgconfig:/s/usr/share/pkgconfig//s '
	eval "$way='CROSS=vax-linux-gnu STATIC=1'"
	expect '^vax-linux-gnu-gcc .* -static .*-o build/vax-linux-gnu-static/ftwait'
	expect '^vax-linux-gnu-gcc-ar rcs build/vax-linux-gnu-static/libftwait.a'
	expect '^vax-linux-gnu-strip -o build/vax-linux-gnu-static/ftwait.stripped'
	expect 'tracecmd_absent\.o'
	expect 'user_symbols_absent\.o' # no libelf.a of that machine
	eval "$way='WITHOUT_LIBELF=1'"
	expect ' build/gcc-without-libelf/src/symbolize/user_symbols_absent\.o'
	eval "$way='WITHOUT_LIBLZMA=1 WITHOUT_LIBIBERTY=1'"
	expect ' build/gcc-without-liblzma-without-libiberty/src/symbolize/(demangle|unxz)_absent\.o'
	eval "$way='CROSS=vax-linux-gnu STATIC=1'"
	eval "$way='RECORDER=1'"
	expect ' -DFTWAIT_RECORDER .* build/gcc-recorder/src'
	eval "$way='CC=gcc AR=my-ar STRIP=my-strip STATIC=1'"
	expect '^my-strip -o build/gcc-static/'
	eval "$way='CC=pdp-cc-12 STATIC=1'"
	expect '^pdp-gcc-ar rcs build/pdp-cc-12-static/'
	expect '^pdp-strip -o build/pdp-cc-12-static/'
	eval "$way='CC=lone-gcc STATIC=1 LTO='"
	expect '^ar rcs build/lone-gcc-static'
	expect '^strip -o build/lone-gcc-static'
	eval "$way='CROSS=vax-linux-gnu RANLIB=my-ranlib'"
	expect '^my-ranlib build/vax-linux-gnu/libftwait.a'
	eval "$way='VERSION=9.9.9'" # of something else: the version is that of the file
	expect " -DFTWAIT_VERSION='\"$(cat VERSION)\"' .*/base/version.o"
	eval "$way='INSTALL=my-install BINDIR=/b MANDIR=/m DATADIR=/d FISHCOMPDIR=/f'"
	expect '^my-install -D -m 755 build/gcc-lto/ftwait "/b/ftwait"' install
	expect '^my-install -D -m 644 man/ftwait.1 "/m/man1/ftwait.1"' install
	expect '^my-install .* "/d/bash-completion/completions/ftwait"' install
	expect '^my-install .* "/f/ftwait.fish"' install
	eval "$way='STRIP=my-strip'"
	expect '^my-strip -o build/gcc-lto/ftwait.stripped' install-strip
done

# What is optimised at link time, each kind in a folder of its own.
environment='' given=''
for goal in release install bench; do
	expect ' -flto=auto .* -o build/gcc-lto/ftwait' $goal
done
given='STATIC=1'
expect ' -flto=auto .* -o build/gcc-static/ftwait'
given='STATIC=1 LTO='
expect ' -o build/gcc-static-without-lto/ftwait'
given='RECORDER=1'
expect ' -o build/gcc-recorder/ftwait' install
given='SANITIZE=address'
expect ' -o build/gcc-address/ftwait' release
given=''
expect ' -o build/gcc/ftwait'
if grep -e ' -flto' "$folder/run"; then
	echo "make without a word of LTO optimises at link time"
	bad=1
fi

# only the native program is what build/ftwait points to
if make -n -B CROSS=vax-linux-gnu all STATIC=1 | grep -q 'ln -s'; then
	echo "a cross build takes the place of build/ftwait"
	bad=1
fi
exit $bad

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY [GUEST...]: boots kernels in qemu and tests the static program on them. GUEST is
# KERNEL or KERNEL/TEST, rows of kernels.txt and tests.txt; the default test is record. Without GUEST, it
# runs those that CI has time for; with `all`, everything. Guests send their recordings and reports to the
# host, where the native program must print the same reports, byte for byte. Needs neither root nor
# /dev/kvm. Packages are downloaded once, into BOARDS_CACHE (default: a folder in ~/.cache).
# BOARDS_KEEP=FOLDER keeps consoles and recordings. Everything is built before the first guest boots; then
# one guest runs on each CPU of this machine. Ends with a table of guests and results.
set -u

build=$(cd "$1" && pwd) || exit 1
shift
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
cache=${BOARDS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ftwait-boards}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-boards.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
# also ends the guests, which run in the background
trap 'trap "" TERM; kill 0; exit 130' INT TERM
# guests have no locales
LC_ALL=C
export LC_ALL
# seconds that one guest may take
limit=${BOARDS_LIMIT:-400}
passed=0 failed=0 skipped=0

pass() { # NAME
	echo "ok   boards $1"
	passed=$((passed + 1))
}

fail() { # NAME
	echo "FAIL boards $1"
	failed=$((failed + 1))
}

skip() { # NAME WHY
	echo "SKIP boards $1: $2"
	skipped=$((skipped + 1))
}

row() { # TABLE KEY: its other columns
	awk -v key="$2" '$1 == key { $1 = ""; print substr($0, 2) }' "$here/$1"
}

# All that a kernel and its initramfs are made from: when it changes, they are made again.
recipe() { # KERNEL SUITE ARCHITECTURE PATTERN BUSYBOX_SUITE
	local config=$here/$1.config
	shift
	echo "$*"
	cksum < "$here/initramfs.sh"
	[ ! -e "$config" ] || cat "$here/build_kernel.sh" "$config" | cksum
}

# Puts vmlinuz and initramfs into a folder of the cache. Returns 1 if the packages cannot be had, and 2 if
# they are not as expected; $scratch/why says why. A kernel that is older than 30 days is replaced if newer
# packages can be had; one that is built here is kept.
prepare() { # KERNEL SUITE ARCHITECTURE PATTERN BUSYBOX_SUITE TRIPLET
	local board=$cache/$1 config=$here/$1.config triplet=$6 unpacked=$scratch/unpacked new=$scratch/board
	set -- "${@:1:5}"
	if [ "$(cat "$board/recipe" 2> /dev/null)" = "$(recipe "$@")" ]; then
		[ -e "$config" ] || [ -n "$(find "$board/recipe" -mtime -30)" ] && return 0
	else
		rm -rf "$board"
	fi
	rm -rf "$unpacked" "$new"
	mkdir -p "$new"
	"$here/fetch.sh" "$cache" "$2" "$3" "$unpacked/kernel" "$4" > "$new/packages" 2> "$scratch/why" &&
		"$here/fetch.sh" "$cache" "$5" "$3" "$unpacked/busybox" busybox-static >> "$new/packages" 2> "$scratch/why" || {
		[ -e "$board/recipe" ]
		return
	}
	{
		if [ -e "$config" ]; then
			"$here/build_kernel.sh" "$unpacked/kernel" "$config" "$triplet" "$new"
		else
			cp "$(find "$unpacked/kernel" -name 'vmlinu[xz]*' -type f | head -n 1)" "$new/vmlinuz"
		fi && "$here/initramfs.sh" "$unpacked/kernel" "$(find "$unpacked/busybox" -path '*/bin/busybox')" \
			"$new/initramfs"
	} 2> "$scratch/why" || return 2
	recipe "$@" > "$new/recipe"
	rm -rf "$board" "$unpacked"
	mv "$new" "$board"
}

# Does not inherit variables, such as CC, from a make that runs this script.
make_static() { # ARGUMENT...
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -j"$(nproc)" STATIC=1 DEVELOPER=1 "$@" all > "$scratch/log" 2>&1
}

# Builds the static program of an architecture, once a run. Sets $program to its path, or $why to what is
# missing.
static_program() { # TRIPLET LIBRARIES_SUITE
	local sysroot=build/sysroot/$1
	if [ "$1" = - ]; then
		program=build/gcc-static/ftwait.stripped
		[ -n "${built[$1]:-}" ] || make_static CC=gcc || return 1
	else
		program=build/$1-static/ftwait.stripped
		command -v "$1-gcc" > /dev/null || {
			why="no $1-gcc; contrib/bootstrap cross installs it"
			return 0
		}
		mkdir -p build/sysroot
		contrib/cross-sysroot "$1" "$sysroot" > "$scratch/log" 2>&1 ||
			{ [ "$2" != - ] && contrib/cross-sysroot "$1" "$sysroot" "$2" > "$scratch/log" 2>&1; } || {
			why=$(cat "$scratch/log")
			return 0
		}
		[ -n "${built[$1]:-}" ] || make_static CROSS="$1" || return 1
	fi
	built[$1]=yes
}

# Makes an image of flash memory with one empty volume that grows to the size of the memory.
ubi_image() { # OUTPUT
	printf '[data]\nmode=ubi\nvol_id=0\nvol_type=dynamic\nvol_name=data\nvol_size=1MiB\nvol_flags=autoresize\n' > "$scratch/ubi"
	PATH=$PATH:/usr/sbin:/sbin ubinize -o "$1" -p 128KiB -m 1 "$scratch/ubi" > /dev/null 2>&1 || rm -f "$1"
}

boot() { # ARCHITECTURE KERNEL TEST PROGRAM OUTPUT
	local console bus machine script cpus memory parameters root=$scratch/root
	read -r _ _ console bus machine <<< "$(row machines.txt "$1")"
	read -r script cpus memory parameters <<< "$(row tests.txt "$3")"
	rm -rf "$root"
	mkdir -p "$root/guest" "$root/bin"
	cp "$here"/guest/*.sh contrib/prepare-instance "$root/guest"
	install -m 755 "$here/guest/init" "$root/init"
	install -m 755 "$4" "$root/bin/ftwait"
	[ "$script" != odd ] || ubi_image "$root/guest/ubi"
	cp "$cache/$2/initramfs" "$scratch/initramfs"
	(cd "$root" && find . -mindepth 1 | LC_ALL=C sort | cpio -o -H newc -R 0:0 --quiet) >> "$scratch/initramfs"
	truncate -s 0 "$scratch/disk"
	truncate -s 64M "$scratch/disk"
	# shellcheck disable=SC2086 # words
	timeout --foreground -k 5 "$limit" $machine -m "$memory" -smp "$cpus" -display none -nodefaults -no-reboot \
		-serial stdio -net none -kernel "$cache/$2/vmlinuz" -initrd "$scratch/initramfs" \
		-drive "file=$scratch/disk,format=raw,if=none,id=disk" -device "virtio-blk-$bus,drive=disk" \
		-device "virtio-serial-$bus" -chardev "file,id=stream,path=$5/host.dat" \
		-device virtserialport,chardev=stream,name=board.stream -chardev "file,id=out,path=$5.tar" \
		-device virtserialport,chardev=out,name=board.results \
		-append "console=$console panic=-1 quiet rcupdate.rcu_expedited=1 rcupdate.rcu_normal_after_boot=0 board.test=$script $parameters" \
		< /dev/null 2>&1 | tr -d '\r' > "$5.console"
	status=${PIPESTATUS[0]}
	tar -xf "$5.tar" -C "$5" 2> /dev/null
	arrived=$?
	rm -f "$5.tar"
}

# Prints and counts the results that the guest wrote to its console.
guest_checks() { # GUEST CONSOLE
	local line
	while read -r line; do
		case $line in
		'BOARD ok '*) pass "$1: ${line#BOARD ok }" ;;
		'BOARD FAIL '*) fail "$1: ${line#BOARD FAIL }" ;;
		'BOARD SKIP '*) skip "$1" "${line#BOARD SKIP }" ;;
		'BOARD | '*) echo "     ${line#BOARD | }" ;;
		esac
	done < "$2"
	if [ "$(grep -cE '^BOARD (ok|FAIL|SKIP) ' "$2")" != "$(sed -n 's/^BOARD checks //p' "$2")" ]; then
		fail "$1: the guest ended before its test (qemu: status $status)"
		grep -v '^BOARD' "$2" | tail -n 40 | sed 's/^/     /'
	fi
	[ "$arrived" = 0 ] || fail "$1: the files of the guest did not reach the host"
}

# Compares each report of the guest with that of the native program.
compare_reports() { # GUEST OUTPUT
	local said file views
	for said in "$2"/*.reports; do
		[ -e "$said" ] || continue
		file=$(basename "$said" .reports)
		[ "$(grep -c '^== ' "$said")" -gt 5 ] && views=all || views=few
		(cd "$2" && sh "$here/guest/reports.sh" "$build/ftwait" "$file" $views) > "$scratch/reports" 2>&1
		if cmp -s "$said" "$scratch/reports"; then
			pass "$1: $file: the host's reports are the same"
		else
			fail "$1: $file: the host's reports differ"
			diff "$said" "$scratch/reports" | head -n 10 | cut -c 1-160 | sed 's/^/     /'
		fi
	done
	[ ! -s "$2/sent.dat" ] && [ ! -s "$2/host.dat" ] && return
	if cmp "$2/sent.dat" "$2/host.dat" > "$scratch/log" 2>&1; then
		pass "$1: the stream came whole"
	else
		fail "$1: the stream came whole"
		sed 's/^/     /' "$scratch/log"
	fi
}

# The files of a kernel build name the functions in stacks that were recorded without KALLSYMS.
name_stacks() { # GUEST KERNEL OUTPUT
	local symbols
	for symbols in System.map vmlinux; do
		"$build/ftwait" report "$3/stacks.dat" --off-cpu --json --kallsyms "$cache/$2/$symbols" \
			> "$scratch/named" 2>&1
		if grep -q '"stack": \["[a-z_.0-9]*nanosleep' "$scratch/named"; then
			pass "$1: stacks: names from $symbols"
		else
			fail "$1: stacks: names from $symbols"
			head -n 5 "$scratch/named" | cut -c 1-160 | sed 's/^/     /'
		fi
	done
}

# Builds what the guest needs, and adds the guest to those that can run.
ready_guest() { # GUEST
	local kernel=${1%%/*} test=record architecture suite pattern triplet libraries machine tools tool why=
	case $1 in
	*/*) test=${1#*/} ;;
	esac
	read -r architecture suite pattern <<< "$(row kernels.txt "$kernel")"
	if [ -z "$pattern" ] || [ -z "$(row tests.txt "$test")" ]; then
		fail "$1: no such guest: see kernels.txt and tests.txt of tests/boards"
		return
	fi
	read -r triplet libraries _ _ machine <<< "$(row machines.txt "$architecture")"
	tools="${machine%% *} cpio depmod xz"
	[ ! -e "$here/$kernel.config" ] || tools="$tools flex bison bc $triplet-gcc"
	for tool in $tools; do
		PATH=$PATH:/usr/sbin:/sbin command -v "$tool" > /dev/null || {
			skip "$1" "no $tool; contrib/bootstrap boards installs it"
			return
		}
	done
	prepare "$kernel" "$suite" "$architecture" "$pattern" "$libraries" "$triplet"
	case $? in
	0) ;;
	1)
		skip "$1" "$(head -n 1 "$scratch/why")"
		return
		;;
	*)
		fail "$1: no initramfs can be made"
		sed 's/^/     /' "$scratch/why"
		return
		;;
	esac
	static_program "$triplet" "$libraries" || {
		fail "$1: the static program does not build"
		grep -vE '^  [A-Z]+ ' "$scratch/log" | tail -n 10
		return
	}
	[ -z "$why" ] || {
		skip "$1" "$why"
		return
	}
	echo "$1 $architecture $kernel $test $program" >> "$scratch/guests"
}

# Runs in a process of its own. Prints all results when the guest has ended, and leaves a file with the
# counts of checks, the seconds, and the release and machine of the kernel.
run_guest() { # GUEST ARCHITECTURE KERNEL TEST PROGRAM
	local began=$SECONDS all=$scratch name output
	name=$(echo "$1" | tr / -)
	output=${BOARDS_KEEP:-$all}/$name
	scratch=$all/$name.scratch
	rm -rf "$output"
	mkdir -p "$output" "$scratch"
	passed=0 failed=0 skipped=0
	{
		boot "$2" "$3" "$4" "$5" "$output"
		sed -n "s|^.*BOARD begins|$1:|p" "$output.console"
		guest_checks "$1" "$output.console"
		compare_reports "$1" "$output"
		[ ! -e "$cache/$3/System.map" ] || [ ! -e "$output/stacks.dat" ] || name_stacks "$1" "$3" "$output"
	} > "$scratch/said" 2>&1
	echo "$passed $failed $skipped $((SECONDS - began)) $(
		sed -n 's/^BOARD begins \([^ ]*\) \([^ ]*\),.*/\1 \2/p' "$output.console"
	)" > "$all/$name.counts"
	flock "$all" cat "$scratch/said"
}

declare -A built
odd='6.1-amd64/cpus 6.1-amd64/suspend 6.1-amd64/odd 6.1-amd64/isolated 6.1-amd64/nosmp 6.1-armhf/small'
# shellcheck disable=SC2046,SC2086 # words
case ${1:-} in
'') set -- 6.1-armhf 6.1-s390x 5.10-amd64 7.2-amd64 $odd ;;
all) set -- $(awk '!/^#/ { print $1 }' "$here/kernels.txt") $odd ;;
esac
: > "$scratch/guests"
for guest; do
	ready_guest "$guest"
done
echo "all that guests need is made: $SECONDS s"
running=0
while read -r guest architecture kernel test program; do
	[ $running -lt "$(nproc)" ] || wait -n
	[ $running -eq "$(nproc)" ] || running=$((running + 1))
	(run_guest "$guest" "$architecture" "$kernel" "$test" "$program") < /dev/null &
done < "$scratch/guests"
wait
[ ! -s "$scratch/guests" ] || printf '%-22s %-22s %-9s %6s %6s %7s %5s\n' guest kernel machine passed failed skipped time
while read -r guest _; do
	counts=$scratch/$(echo "$guest" | tr / -).counts
	if [ -e "$counts" ] && read -r p f s took release machine < "$counts"; then
		passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
		printf '%-22s %-22s %-9s %6s %6s %7s %3s s\n' "$guest" "$release" "$machine" "$p" "$f" "$s" "$took"
	else
		fail "$guest: its test did not end"
	fi
done < "$scratch/guests"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]

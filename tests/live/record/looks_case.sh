#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The recorder reads the files of a process in /proc once: at its end it opens none of a process that it
# knows. Only tasks that were in state D are looked at again.
. "$(dirname "$0")/prelude.sh"

need strace

strace -f -qq -e trace=open,openat -o calls "$FTWAIT" record -q -o looks.dat -- true 2> errors
expect "status 0" [ $? = 0 ]
sed -En 's#.*"/proc/([0-9]+)/(status|cgroup)".*#\1 \2#p' calls > looks
for file in status cgroup; do
	grep " $file\$" looks | sort > all
	sort -u all > each
	expect "$file: read of each process" [ "$(wc -l < each)" -ge 3 ]
	again=$(($(wc -l < all) - $(wc -l < each)))
	expect "$file: $again of $(wc -l < each) are read again" [ $((again * 5)) -le "$(wc -l < each)" ]
done
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Something of each kind to wait for: timers, a disk, children, pipes.
for _ in 1 2 3 4 5 6 7 8; do
	sleep 0.02
	echo word | cat | cat > /dev/null
done
[ ! -e /proc/sys ] || echo 1 > /proc/sys/vm/drop_caches
dd if=/dev/vda of=/dev/null bs=64k count=32 2> /dev/null
# behind a file system that a test may have made
dd if=/dev/zero of=/dev/vda bs=64k count=8 seek=768 2> /dev/null
sync

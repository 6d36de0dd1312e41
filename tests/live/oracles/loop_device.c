/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loop_device.h"

#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "truth.h"

int loop_device_open(int backing, uint32_t loop_flags, int open_flags, int *ret_number)
{
	struct loop_config config = {
		.fd = (uint32_t)backing,
		.info.lo_flags = LO_FLAGS_AUTOCLEAR | loop_flags,
	};
	char path[32];
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), number, loop;

	truth_may(control >= 0, "/dev/loop-control");
	number = ioctl(control, LOOP_CTL_GET_FREE);
	truth_may(number >= 0, "LOOP_CTL_GET_FREE");
	(void)close(control);
	(void)snprintf(path, sizeof(path), "/dev/loop%d", number);
	loop = open(path, open_flags | O_CLOEXEC);
	truth_may(loop >= 0, path);
	truth_may(ioctl(loop, LOOP_CONFIGURE, &config) == 0, "LOOP_CONFIGURE");
	*ret_number = number;
	return loop;
}

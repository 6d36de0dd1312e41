/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "late_pages.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "truth.h"

static int faults;

char *late_pages_new(unsigned count)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register area = {.mode = UFFDIO_REGISTER_MODE_MISSING};
	char *memory;

	area.range.len = count * (uint64_t)late_page_bytes();
	memory = mmap(NULL, (size_t)area.range.len, PROT_READ | PROT_WRITE,
	              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	truth_must(memory != MAP_FAILED, "mmap");
	faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	truth_may(faults >= 0, "userfaultfd");
	truth_may(ioctl(faults, UFFDIO_API, &api) == 0, "UFFDIO_API");
	area.range.start = (uintptr_t)memory;
	truth_may(ioctl(faults, UFFDIO_REGISTER, &area) == 0, "UFFDIO_REGISTER");
	return memory;
}

size_t late_page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

void late_page_await(void)
{
	struct uffd_msg fault;

	truth_must(read(faults, &fault, sizeof(fault)) == sizeof(fault), "read a fault");
}

void late_page_fill(char *page)
{
	struct uffdio_zeropage fill = {
		.range = {(uintptr_t)page, (uint64_t)late_page_bytes()},
	};

	truth_must(ioctl(faults, UFFDIO_ZEROPAGE, &fill) == 0, "UFFDIO_ZEROPAGE");
}

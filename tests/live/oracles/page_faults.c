/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Touches pages of memory, and pages of a file that are not in memory, each once, and prints how
 * many faults of both sorts the kernel counted for that and for the whole process, and the number
 * of the file's inode.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "disk_file.h"
#include "truth.h"

#define MEMORY_PAGES 3000u
#define FILE_PAGES   200u

static struct rusage usage_now(void)
{
	struct rusage usage;

	truth_must(getrusage(RUSAGE_SELF, &usage) == 0, "getrusage");
	return usage;
}

static void *map(size_t pages, int flags, int fd, int advice)
{
	void *pages_at = mmap(NULL, pages * DISK_BLOCK_BYTES, PROT_READ, flags, fd, 0);

	truth_must(pages_at != MAP_FAILED, "mmap");
	/* a page a fault: no huge pages, none read or mapped ahead */
	truth_may(madvise(pages_at, pages * DISK_BLOCK_BYTES, advice) == 0, "madvise");
	return pages_at;
}

static void touch(const volatile char *pages, size_t count, size_t of)
{
	for (size_t i = 0; i < count; i++)
		(void)pages[i * 2654435761u % of * DISK_BLOCK_BYTES];
}

int main(void)
{
	int fd = disk_file_open(O_RDONLY);
	const char *memory = map(MEMORY_PAGES, MAP_PRIVATE | MAP_ANONYMOUS, -1, MADV_NOHUGEPAGE);
	const char *file = map(DISK_FILE_BLOCKS, MAP_SHARED, fd, MADV_RANDOM);
	struct rusage at[3];
	struct stat stat;

	truth_must(fstat(fd, &stat) == 0, "fstat");
	truth_must(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0, "posix_fadvise");
	at[0] = usage_now();
	touch(memory, MEMORY_PAGES, MEMORY_PAGES);
	at[1] = usage_now();
	touch(file, FILE_PAGES, DISK_FILE_BLOCKS);
	at[2] = usage_now();
	printf("memory=%ld file=%ld major=%ld all=%ld inode=%" PRIu64 "\n",
	       at[1].ru_minflt - at[0].ru_minflt,
	       at[2].ru_minflt - at[1].ru_minflt + at[2].ru_majflt - at[1].ru_majflt,
	       at[2].ru_majflt - at[1].ru_majflt, at[2].ru_minflt + at[2].ru_majflt,
	       (uint64_t)stat.st_ino);
	return 0;
}

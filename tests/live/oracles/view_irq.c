/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Direct reads from a disk and naps, with what the kernel counts of interrupts and soft interrupts
 * before and after: --irq must have seen as many.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "disk_file.h"
#include "truth.h"

#define READS        200
#define HANDLERS_MAX 256
#define NAME_BYTES   16

/* Of all CPUs together. */
struct counts {
	struct {
		char name[NAME_BYTES]; /* a vector's name, an interrupt's number */
		bool is_vector;
		bool is_shared; /* by several handlers, each of which is told */
		uint64_t count;
	} row[HANDLERS_MAX];
	unsigned rows;
};

/* Rows as "NAME: COUNT COUNT ... [rest]". */
static void counts_read(struct counts *counts, const char *path, bool is_vector)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;

	truth_may(file, path);
	while (getline(&line, &size, file) > 0 && counts->rows < HANDLERS_MAX) {
		char *at = line + strspn(line, " "), *end;
		size_t length = strcspn(at, ":");
		uint64_t sum = 0;

		if (at[length] != ':' || length >= NAME_BYTES ||
		    (!is_vector && !isdigit((unsigned char)*at)))
			continue;
		for (char *number = at + length + 1;; number = end) {
			uint64_t count = strtoull(number, &end, 10);

			if (end == number || (*end && !isspace((unsigned char)*end)))
				break;
			sum += count;
		}
		memcpy(counts->row[counts->rows].name, at, length);
		counts->row[counts->rows].is_vector = is_vector;
		counts->row[counts->rows].is_shared = !is_vector && strchr(at, ',');
		counts->row[counts->rows++].count = sum;
	}
	free(line);
	(void)fclose(file);
}

static struct counts *counts_now(void)
{
	struct counts *counts = calloc(1, sizeof(*counts));

	truth_must(counts, "memory");
	counts_read(counts, "/proc/softirqs", /* is_vector= */ true);
	counts_read(counts, "/proc/interrupts", /* is_vector= */ false);
	return counts;
}

static uint64_t counts_of(const struct counts *counts, const char *name, bool is_vector)
{
	for (unsigned i = 0; i < counts->rows; i++)
		if (counts->row[i].is_vector == is_vector &&
		    strcmp(counts->row[i].name, name) == 0)
			return counts->row[i].count;
	return 0;
}

/* From inside the window so many at least, from around it so many at most. */
static void counts_add(struct counts *const count[4], uint64_t begin, uint64_t end)
{
	for (unsigned i = 0; i < count[3]->rows; i++) {
		const char *name = count[3]->row[i].name;
		bool is_vector = count[3]->row[i].is_vector;
		uint64_t at[4];

		for (unsigned k = 0; k < 4; k++)
			at[k] = counts_of(count[k], name, is_vector);
		if (at[3] == at[0] || count[3]->row[i].is_shared)
			continue;
		truth_add("row list=irq.handlers is=kind:%s is=%s:%s what=duration.count"
		          " least=%ju most=%ju begin=%ju end=%ju\n",
		          is_vector ? "softirq" : "irq", is_vector ? "name" : "number", name,
		          at[2] - at[1], at[3] - at[0], begin, end);
	}
}

int main(void)
{
	int fd = disk_file_open(O_RDONLY | O_DIRECT);
	void *block = disk_block_new();
	struct counts *count[4];
	uint64_t begin, end;

	count[0] = counts_now();
	begin = truth_now();
	count[1] = counts_now();
	for (unsigned i = 0; i < READS; i++) {
		off_t at = (off_t)(i * 2654435761u % DISK_FILE_BLOCKS) * DISK_BLOCK_BYTES;

		truth_must(pread(fd, block, DISK_BLOCK_BYTES, at) == DISK_BLOCK_BYTES, "pread");
		if (i % 10 == 0)
			truth_sleep(TRUTH_PAUSE_NS / 5);
	}
	count[2] = counts_now();
	end = truth_now();
	count[3] = counts_now();
	counts_add(count, begin, end);
	truth_sleep(TRUTH_PAUSE_NS);
	return truth_print();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mutate FILE|FOLDER...: damages files at random (cuts, flipped bits, wild numbers, copied pieces)
 * and gives them to a fuzz target, each in a process of its own with a limit on time and memory.
 * FTWAIT_FUZZ_RUNS says how often (default 300), FTWAIT_FUZZ_SEED makes a run the same again.
 * What goes wrong is kept in mutate-failure.dat.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/text/parse.h"
#include "fuzz_input.h"
#include "fuzz_target.h"
#include "property/random.h"

#define SECONDS_MAX  10
#define MEMORY_MAX_K (192L << 10)

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

struct base {
	uint8_t *bytes;
	size_t size;
};

static struct base *bases;
static size_t base_count, base_capacity;
static struct random dice;

static void add_base(const char *path)
{
	struct base base;

	base.bytes = fuzz_input_read(path, &base.size);
	if (!base.bytes || base.size < 16) {
		free(base.bytes);
		return;
	}
	ARRAY_GROW(bases, base_count, base_capacity);
	bases[base_count++] = base;
}

/* Near the front stand the lengths and counts: half of all damage goes there. */
static size_t random_place(size_t size)
{
	size_t front = size < 2048 ? size : 2048;

	return random_below(&dice, random_next(&dice) & 1 ? size : front);
}

static void flip_bit(struct base *file)
{
	file->bytes[random_place(file->size)] ^= (uint8_t)(1u << random_below(&dice, 8));
}

static void cut(struct base *file)
{
	file->size = 1 + random_place(file->size);
}

static void wild_number(struct base *file)
{
	static const uint32_t numbers[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, 4096};
	size_t at = random_place(file->size);
	uint32_t number = numbers[random_below(&dice, ARRAY_SIZE(numbers))];

	memcpy(file->bytes + at, &number, file->size - at < 4 ? file->size - at : 4);
}

static void copy_piece(struct base *file)
{
	size_t from = random_place(file->size), to = random_place(file->size);
	size_t length = random_below(&dice, 64);

	if (length > file->size - from)
		length = file->size - from;
	if (length > file->size - to)
		length = file->size - to;
	memmove(file->bytes + to, file->bytes + from, length);
}

static void random_byte(struct base *file)
{
	file->bytes[random_place(file->size)] = (uint8_t)random_next(&dice);
}

static void mutate(struct base *file)
{
	static void (*const damages[])(struct base *) = {
		flip_bit, cut, wild_number, copy_piece, random_byte,
	};
	size_t count = 1 + random_below(&dice, 4);

	while (count-- > 0)
		damages[random_below(&dice, ARRAY_SIZE(damages))](file);
}

static void keep_failure(const struct base *file)
{
	FILE *kept = fopen("mutate-failure.dat", "wb");

	if (kept) {
		(void)fwrite(file->bytes, 1, file->size, kept);
		(void)fclose(kept);
	}
}

/* Runs the target in a child; true where it came back in time with little memory. */
static int survives(const struct base *file, long *ret_memory_k)
{
	struct rusage usage;
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		(void)alarm(SECONDS_MAX);
		(void)LLVMFuzzerTestOneInput(file->bytes, file->size);
		_exit(0);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child)
		return 0;
	*ret_memory_k = usage.ru_maxrss;
	if (WIFSIGNALED(status))
		fprintf(stderr, "mutate: %s\n", strsignal(WTERMSIG(status)));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
	       (IS_SANITIZED || usage.ru_maxrss <= MEMORY_MAX_K);
}

static int run_once(uint64_t seed, long *memory_k)
{
	const struct base *from;
	struct base file;
	long used = 0;
	int is_good;

	dice = (struct random){seed};
	from = &bases[random_below(&dice, base_count)];
	file = (struct base){xmalloc(from->size), from->size};
	memcpy(file.bytes, from->bytes, from->size);
	mutate(&file);
	is_good = survives(&file, &used);
	if (used > *memory_k)
		*memory_k = used;
	if (!is_good) {
		keep_failure(&file);
		fprintf(stderr, "mutate: failed with FTWAIT_FUZZ_SEED=%llu FTWAIT_FUZZ_RUNS=1 (%ld "
		        "KiB)\n", (unsigned long long)seed, used);
	}
	free(file.bytes);
	return is_good;
}

int main(int argc, char **argv)
{
	const char *runs_text = getenv("FTWAIT_FUZZ_RUNS"), *seed_text = getenv("FTWAIT_FUZZ_SEED");
	uint64_t runs = 300, seed = (uint64_t)time(NULL), failures = 0;
	long memory_k = 0;

	if ((runs_text && parse_u64(runs_text, &runs) < 0) ||
	    (seed_text && parse_u64(seed_text, &seed) < 0))
		return 2;
	for (int i = 1; i < argc; i++)
		(void)fuzz_input_each(argv[i], add_base);
	if (base_count == 0) {
		fprintf(stderr, "usage: mutate FILE|FOLDER...\n");
		return 2;
	}
	printf("mutate: %llu runs over %zu files, seed %llu\n", (unsigned long long)runs,
	       base_count, (unsigned long long)seed);
	(void)fflush(stdout);
	for (uint64_t i = 0; i < runs; i++)
		failures += !run_once(seed + i, &memory_k);
	printf("mutate: %llu failures, at most %ld KiB\n", (unsigned long long)failures, memory_k);
	for (size_t i = 0; i < base_count; i++)
		free(bases[i].bytes);
	free(bases);
	return failures != 0;
}

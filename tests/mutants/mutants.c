/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mutants --VIEW... FILE...: recordings of which one number is another one (0, 1, the largest, one
 * off, the sign bit), or a part is missing, twice there, zeros, or the end, each reported by
 * $FTWAIT as the summary and as JSON of one of the views, within limits on time and memory.
 * Whatever is wrong with a file: the status is 0, 1 or 3, at most one line of our own is on
 * standard error, what is on standard output is valid JSON and UTF-8 without control characters,
 * and a report on fewer events than the whole file has always says so.
 *
 * MUTANTS says how many (300; of a program with sanitizers 60), MUTANTS_SEED makes a run the same
 * again. What goes wrong is kept in mutant-failure.dat.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/parse.h"
#include "base/text/utf8.h"
#include "base/xalloc.h"
#include "field_map.h"
#include "json/json_reader.h"
#include "property/random.h"

#define SECONDS_MAX   20
#define MEMORY_MAX_K  (256L << 10)
#define SIZE_FACTOR   8 /* what a file may take of memory, in times of its size */
#define DATA_MAX      (24u << 20) /* larger ones are left out */
#define OUTPUT_LIMIT  (256u << 20)
#define NAME_BYTES    200u

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
#define RUNS (IS_SANITIZED ? 60 : 300)

struct base {
	const char *path;
	const uint8_t *bytes; /* mapped: its holes take nothing */
	int fd;
	size_t size;
	uint64_t data_bytes; /* without its holes */
	struct field_map map;
	uint64_t events;
	struct buffer health; /* that of the whole file */
};

struct mutant {
	int fd;
	size_t size;
	bool may_hide; /* events may be fewer: what was changed reads as well as what was there */
	char what[NAME_BYTES];
};

struct answer {
	int status; /* of waitpid() */
	long memory_k;
	struct buffer out, errors;
};

static char *const *views; /* options */
static size_t view_count;

static struct base *bases;
static size_t base_count, base_capacity;
static struct random dice;

/* Some of the base to where it shall stand in the mutant, holes as holes. */
static void file_copy(const struct base *base, uint64_t begin, uint64_t end, int to,
                      uint64_t offset)
{
	off_t at = lseek(base->fd, (off_t)begin, SEEK_DATA);

	while (at >= 0 && (uint64_t)at < end) {
		off_t hole = lseek(base->fd, at, SEEK_HOLE);
		uint64_t size = ((uint64_t)hole < end ? (uint64_t)hole : end) - (uint64_t)at;

		if (hole < 0 || pwrite(to, base->bytes + at, size,
		                       (off_t)((uint64_t)at - begin + offset)) != (ssize_t)size)
			return;
		at = lseek(base->fd, hole, SEEK_DATA);
	}
}

static void file_take(int fd, struct buffer *to)
{
	char chunk[65536];
	ssize_t got;

	(void)lseek(fd, 0, SEEK_SET);
	while ((got = read(fd, chunk, sizeof(chunk))) > 0)
		buffer_append(to, chunk, (size_t)got);
}

static _Noreturn void report_exec(int fd, const int output[2], const char *const *options)
{
	const char *arguments[8] = {"ftwait", "report", "/proc/self/fd/0", "--threads", "1"};
	const char *program = getenv("FTWAIT");
	size_t count = 5;

	for (; *options && count < ARRAY_SIZE(arguments) - 1; options++)
		arguments[count++] = *options;
	if (dup2(fd, STDIN_FILENO) < 0 || dup2(output[0], STDOUT_FILENO) < 0 ||
	    dup2(output[1], STDERR_FILENO) < 0)
		_exit(126);
	(void)alarm(SECONDS_MAX);
	execv(program ? program : "build/ftwait", (char *const *)(uintptr_t)arguments);
	_exit(127);
}

static void answer_release(struct answer *answer)
{
	buffer_release(&answer->out);
	buffer_release(&answer->errors);
}

static void report_ask(int fd, const char *const *options, struct answer *ret)
{
	int output[2] = {memfd_create("out", MFD_CLOEXEC), memfd_create("errors", MFD_CLOEXEC)};
	struct rusage usage = {0};
	pid_t child;

	*ret = (struct answer){.status = -1};
	buffer_init(&ret->out, OUTPUT_LIMIT);
	buffer_init(&ret->errors, OUTPUT_LIMIT);
	(void)fflush(NULL);
	child = fork();
	if (child == 0)
		report_exec(fd, output, options);
	if (child > 0 && wait4(child, &ret->status, 0, &usage) == child)
		ret->memory_k = usage.ru_maxrss;
	file_take(output[0], &ret->out);
	file_take(output[1], &ret->errors);
	(void)close(output[0]);
	(void)close(output[1]);
}

/* NULL, or what is wrong with a text that is shown as it is. */
static const char *text_judge(const struct buffer *text)
{
	for (size_t at = 0; at < text->length;) {
		uint32_t code = 0;
		size_t bytes = utf8_decode(text->text + at, text->length - at, &code);

		if (bytes == 0)
			return "no UTF-8";
		if (code != '\n' && utf8_is_control(code))
			return "a control character";
		at += bytes;
	}
	return NULL;
}

static const char *errors_judge(const struct answer *answer, bool is_failed)
{
	const struct buffer *errors = &answer->errors;
	const char *end = memchr(errors->text, '\n', errors->length);

	if (errors->length == 0)
		return is_failed ? "a failure without a word" : NULL;
	if (!end || end + 1 != errors->text + errors->length)
		return "not one line on standard error";
	if (strncmp(errors->text, "ftwait: ", 8) != 0)
		return "what is on standard error is not of ftwait";
	return text_judge(errors);
}

static const char *answer_judge(const struct answer *answer, uint64_t data_bytes)
{
	long limit = MEMORY_MAX_K + (long)(SIZE_FACTOR * data_bytes / 1024);
	int status;

	if (answer->status == -1 || !WIFEXITED(answer->status))
		return "it died, or took too long";
	status = WEXITSTATUS(answer->status);
	if (status != 0 && status != 1 && status != 3)
		return "a status that there is not";
	if (!IS_SANITIZED && answer->memory_k > limit)
		return "too much memory";
	if (status != 1 && answer->out.length == 0)
		return "no report";
	return errors_judge(answer, status == 1);
}

/* All that is said of how far the answer can be believed, but for what sound events differ in. */
static void health_describe(const struct json *json, struct buffer *to)
{
	const struct json *notes = json_find(json, "health.notes");
	const struct json *damaged = json_find(json, "health.input_damaged");

	buffer_printf(to, "%s %" PRIu64 " lost %" PRIu64 " undecoded\n",
	              damaged && damaged->boolean ? "damaged" : "sound",
	              json_u64(json_find(json, "health.events_lost")),
	              json_u64(json_find(json, "health.undecoded_events")));
	for (notes = notes ? notes->item : NULL; notes; notes = notes->next)
		buffer_printf(to, "%s\n", json_text(notes));
}

static const char *json_judge(const struct base *base, const struct mutant *mutant,
                              const struct answer *answer)
{
	_cleanup_(buffer_release) struct buffer why = {0};
	_cleanup_(buffer_release) struct buffer health = {0};
	struct json *json = NULL;
	const char *wrong = text_judge(&answer->out);
	uint64_t events;

	if (wrong || WEXITSTATUS(answer->status) == 1)
		return wrong;
	buffer_init(&why, 1000);
	buffer_init(&health, 100000);
	if (json_parse(answer->out.text, answer->out.length, &json, &why) < 0)
		return "no JSON";
	events = json_u64(json_find(json, "trace.events"));
	health_describe(json, &health);
	if (events < base->events && !mutant->may_hide && strncmp(health.text, "damaged", 7) != 0 &&
	    strcmp(health.text, base->health.text) == 0)
		wrong = "events are missing without a word";
	(void)json_free(json);
	return wrong;
}

/* NULL, or what is wrong. */
static const char *mutant_judge(const struct base *base, const struct mutant *mutant,
                                const char *view, long *memory_k)
{
	const char *const as_text[] = {NULL}, *const as_json[] = {"--json", view, NULL};
	struct answer answer;
	const char *wrong;

	report_ask(mutant->fd, as_text, &answer);
	wrong = answer_judge(&answer, base->data_bytes);
	wrong = wrong ? wrong : text_judge(&answer.out);
	*memory_k = answer.memory_k > *memory_k ? answer.memory_k : *memory_k;
	if (!wrong) {
		answer_release(&answer);
		report_ask(mutant->fd, as_json, &answer);
		wrong = answer_judge(&answer, base->data_bytes);
		wrong = wrong ? wrong : json_judge(base, mutant, &answer);
		*memory_k = answer.memory_k > *memory_k ? answer.memory_k : *memory_k;
	}
	if (wrong)
		fprintf(stderr, "mutants: %s of %s: %s (status %d, %ld KiB, %s)\n%.2000s",
		        mutant->what, base->path, wrong, answer.status, answer.memory_k, view,
		        answer.errors.text);
	answer_release(&answer);
	return wrong;
}

static void store(uint8_t *to, uint64_t number, unsigned bytes, bool is_big)
{
	for (unsigned i = 0; i < bytes; i++)
		to[is_big ? bytes - 1 - i : i] = (uint8_t)(number >> (8 * i));
}

static uint64_t load(const uint8_t *from, unsigned bytes, bool is_big)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < bytes; i++)
		number |= (uint64_t)from[is_big ? bytes - 1 - i : i] << (8 * i);
	return number;
}

/* A kind of field first, then one of that kind: there are many events, and one size of long. */
static size_t field_choose(const struct field_map *map)
{
	const char *name = map->field[random_below(&dice, map->field_count)].name;
	size_t from = random_below(&dice, map->field_count);

	for (unsigned tries = 0; tries < 8; tries++) {
		const char *other = map->field[random_below(&dice, map->field_count)].name;

		if (strcmp(other, name) != 0 && (random_next(&dice) & 1))
			name = other;
	}
	while (strcmp(map->field[from].name, name) != 0)
		from = (from + 1) % map->field_count;
	return from;
}

static void mutate_field(const struct base *base, struct mutant *mutant)
{
	static const char *const changes[] = {
		"0", "1", "max", "one more", "one less", "sign bit", "half of max",
	};
	const struct field *field = &base->map.field[field_choose(&base->map)];
	uint64_t before = load(base->bytes + field->offset, field->bytes, base->map.is_big);
	uint64_t max = UINT64_MAX >> (64 - 8 * field->bytes);
	const uint64_t after[] = {
		0, 1, max, before + 1, before - 1, before ^ (max ^ max >> 1), max >> 1,
	};
	size_t change = random_below(&dice, ARRAY_SIZE(changes));
	uint8_t bytes[8];

	store(bytes, after[change], field->bytes, base->map.is_big);
	file_copy(base, 0, base->size, mutant->fd, 0);
	(void)!pwrite(mutant->fd, bytes, field->bytes, (off_t)field->offset);
	/* blocks of a kind that is not known are passed over: a later version may write them */
	mutant->may_hide = field->kind == FIELD_EVENTS ||
	                   strcmp(field->name, "type of a block") == 0 ||
	                   strcmp(field->name, "buffer of a block") == 0;
	(void)snprintf(mutant->what, sizeof(mutant->what), "%s at %" PRIu64 " (%s)", field->name,
	               field->offset, changes[change]);
}

static void mutate_piece(const struct base *base, struct mutant *mutant)
{
	static const char *const changes[] = {"cut out", "twice", "zeros", "file ends in"};
	const struct piece *piece = &base->map.piece[random_below(&dice, base->map.piece_count)];
	/* blocks of a stream have no numbers: one that is gone as a whole leaves no trace */
	bool is_block = strcmp(piece->name, "block") == 0;
	uint64_t begin = piece->offset, end = begin + piece->bytes;
	size_t change = random_below(&dice, ARRAY_SIZE(changes));

	mutant->may_hide = is_block && change == 0;
	file_copy(base, 0, change == 1 ? end : begin, mutant->fd, 0);
	if (change == 0) {
		mutant->size -= piece->bytes;
		file_copy(base, end, base->size, mutant->fd, begin);
	} else if (change == 1) {
		mutant->size += piece->bytes;
		file_copy(base, begin, base->size, mutant->fd, end);
	} else if (change == 2) {
		file_copy(base, end, base->size, mutant->fd, end);
	} else {
		mutant->size = begin + random_below(&dice, piece->bytes);
		file_copy(base, begin, mutant->size, mutant->fd, begin);
	}
	(void)snprintf(mutant->what, sizeof(mutant->what), "%s at %" PRIu64 " (%s)", piece->name,
	               begin, changes[change]);
}

/* With its holes. */
static void keep_failure(const struct mutant *mutant)
{
	_cleanup_(freep) char *command = xasprintf("cp --sparse=always /proc/%d/fd/%d "
	                                           "mutant-failure.dat", (int)getpid(),
	                                           mutant->fd);

	(void)!system(command);
}

static bool run_once(uint64_t seed, long *memory_k)
{
	const struct base *base;
	struct mutant mutant = {0};
	const char *wrong;

	dice = (struct random){seed};
	base = &bases[random_below(&dice, base_count)];
	mutant.size = base->size;
	mutant.fd = memfd_create("mutant", MFD_CLOEXEC);
	if (random_below(&dice, 3) > 0)
		mutate_field(base, &mutant);
	else
		mutate_piece(base, &mutant);
	if (mutant.fd < 0 || ftruncate(mutant.fd, (off_t)mutant.size) < 0)
		return false;
	wrong = mutant_judge(base, &mutant, views[random_below(&dice, view_count)], memory_k);
	if (wrong) {
		keep_failure(&mutant);
		fprintf(stderr, "mutants: again with MUTANTS_SEED=%" PRIu64 " MUTANTS=1\n", seed);
	}
	(void)close(mutant.fd);
	return !wrong;
}

/* Asks for the report of the whole file. False if that fails. */
static bool base_ask(struct base *base)
{
	static const char *const options[] = {"--json", NULL};
	_cleanup_(buffer_release) struct buffer why = {0};
	struct json *json = NULL;
	struct answer answer;

	buffer_init(&why, 1000);
	buffer_init(&base->health, 100000);
	report_ask(base->fd, options, &answer);
	if (!answer_judge(&answer, base->data_bytes) &&
	    json_parse(answer.out.text, answer.out.length, &json, &why) == 0) {
		base->events = json_u64(json_find(json, "trace.events"));
		health_describe(json, &base->health);
	}
	answer_release(&answer);
	(void)json_free(json);
	return base->events > 0;
}

static void base_release(struct base *base)
{
	field_map_release(&base->map);
	buffer_release(&base->health);
	(void)munmap((void *)(uintptr_t)base->bytes, base->size);
	(void)close(base->fd);
}

static void add_base(const char *path)
{
	struct base base = {.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC)};
	struct stat file;

	if (base.fd < 0 || fstat(base.fd, &file) < 0 || file.st_size == 0) {
		fprintf(stderr, "mutants: %s: %s\n", path, strerror(errno));
		exit(1);
	}
	base.size = (size_t)file.st_size;
	base.data_bytes = (uint64_t)file.st_blocks * 512;
	base.bytes = mmap(NULL, base.size, PROT_READ, MAP_PRIVATE, base.fd, 0);
	if (base.bytes == MAP_FAILED || base.data_bytes > DATA_MAX) {
		if (base.bytes != MAP_FAILED)
			(void)munmap((void *)(uintptr_t)base.bytes, base.size);
		(void)close(base.fd);
		return;
	}
	field_map_make(&base.map, base.bytes, base.size);
	if (base.map.field_count < 8 || base.map.piece_count == 0 || !base_ask(&base)) {
		fprintf(stderr, "mutants: %s cannot be read, or has no map\n", path);
		exit(1);
	}
	if (getenv("MUTANTS_MAP"))
		printf("%s: %zu fields, %zu parts, %" PRIu64 " events\n", path,
		       base.map.field_count, base.map.piece_count, base.events);
	ARRAY_GROW(bases, base_count, base_capacity);
	bases[base_count++] = base;
}

int main(int argc, char **argv)
{
	const char *runs_text = getenv("MUTANTS"), *seed_text = getenv("MUTANTS_SEED");
	uint64_t runs = RUNS, seed = (uint64_t)time(NULL), failures = 0;
	long memory_k = 0;

	if ((runs_text && parse_u64(runs_text, &runs) < 0) ||
	    (seed_text && parse_u64(seed_text, &seed) < 0) || argc < 3)
		return 2;
	views = argv + 1;
	while (views[view_count] && strncmp(views[view_count], "--", 2) == 0)
		view_count++;
	if (view_count == 0 || !views[view_count])
		return 2;
	for (char *const *file = views + view_count; *file; file++)
		add_base(*file);
	printf("seed of mutants: %" PRIu64 "\n", seed);
	(void)fflush(stdout);
	for (uint64_t i = 0; i < runs; i++)
		failures += !run_once(seed + i, &memory_k);
	printf("mutants: of %zu files, at most %ld KiB\n", base_count, memory_k);
	for (size_t i = 0; i < base_count; i++)
		base_release(&bases[i]);
	free(bases);
	printf("%" PRIu64 " passed, %" PRIu64 " failed, 0 skipped\n", runs - failures, failures);
	return failures != 0;
}

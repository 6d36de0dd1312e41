/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * split-hosts IN.dat OUT.dat --devices GLOB[,GLOB...] [OPTION...]: a recording of one machine with
 * network namespaces becomes that of one machine of several, with a clock of its own. What the two
 * clocks differ by is known exactly, so that it can be held against what a report finds.
 *
 *	--devices GLOB,...    the machine's network devices: packets of others are left out
 *	--addresses IPV4,...  the machine's addresses: events of other sockets are left out
 *	--port PORT           the server's port of these sockets: likewise
 *	--without GLOB,...    events SYSTEM:EVENT that are left out
 *	--drop-receives N     of 100 netif_receive_skb so many are left out
 *	--offset NS           what is added to all times
 *	--slope PPM           so many ns are added each ms, from the first record on
 *	--step AFTER:NS       that long after the first record the clock jumps forward
 *	--realtime NS         the machine's time of day is ahead by that
 *	--synchronized NS     its kernel says that it is at most that wrong
 *	--host NAME           the machine's name; it also gets a boot and a machine id of its own
 *
 * IN.dat is what `ftwait record` wrote, with clock mono, not compressed. All tasks are in each
 * machine's file. Standard output has the truth, as JSON in one line.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/file/file_io.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "merge/merger.h"
#include "source/source.h"
#include "source/stream/page_reader.h"
#include "split_clock.h"
#include "split_file.h"
#include "split_filter.h"

#define FILE_LIMIT (1u << 30)
/* ns that an instant of a timer may be after the event; on the clock of the time of day it is
   further. */
#define TIMER_FAR (UINT64_C(365) * 86400 * 1000000000)

struct split {
	const char *from, *to, *host;
	struct split_wish wish;
	struct split_clock clock;
	nsec_t step_after;
	struct split_filter filter;
	struct schedule schedule;
	uint64_t records;
	nsec_t end; /* time of the last record */
};

static _Noreturn void die(const char *name, const char *why)
{
	(void)fprintf(stderr, "split-hosts: %s: %s\n", name, why);
	exit(EXIT_FAILURE);
}

static int64_t number_or_die(const char *text)
{
	bool is_negative = *text == '-';
	uint64_t number;

	if (parse_u64(text + is_negative, &number) < 0 || number > INT64_MAX / 4)
		die(text, "is no number");
	return is_negative ? -(int64_t)number : (int64_t)number;
}

/* The words are part of the text. */
static void words_take(struct split_words *words, char *text)
{
	char *rest = text;

	for (char *word; (word = strsep(&rest, ","));) {
		if (words->count == SPLIT_WORDS_MAX)
			die(word, "is one too many");
		words->word[words->count++] = word;
	}
}

static void step_take(struct split *split, char *text)
{
	char *colon = strchr(text, ':');

	if (!colon)
		die(text, "is no AFTER:NS");
	*colon = '\0';
	if (parse_time(text, &split->step_after) < 0)
		die(text, "is no duration");
	split->clock.step = number_or_die(colon + 1);
	if (split->clock.step < 0)
		die(colon + 1, "a clock does not go back");
}

static void slope_take(struct split *split, const char *text)
{
	split->clock.slope_ppm = number_or_die(text);
	if (llabs(split->clock.slope_ppm) > SPLIT_SLOPE_MAX)
		die(text, "is more than clocks differ by");
}

static void option_take(struct split *split, int option, char *value)
{
	switch (option) {
	case 'd': words_take(&split->wish.devices, value); break;
	case 'a': words_take(&split->wish.addresses, value); break;
	case 'p': split->wish.port = (uint32_t)number_or_die(value); break;
	case 'w': words_take(&split->wish.without, value); break;
	case 'r': split->wish.drop_receives = (uint32_t)number_or_die(value); break;
	case 'o': split->clock.offset = number_or_die(value); break;
	case 's': slope_take(split, value); break;
	case 't': step_take(split, value); break;
	case 'n': split->clock.real = number_or_die(value); break;
	case 'y': split->clock.error = number_or_die(value); break;
	case 'h': split->host = value; break;
	default: exit(2);
	}
}

static void options_take(struct split *split, int argc, char **argv)
{
	static const struct option options[] = {
		{"devices", required_argument, NULL, 'd'},
		{"addresses", required_argument, NULL, 'a'},
		{"port", required_argument, NULL, 'p'},
		{"without", required_argument, NULL, 'w'},
		{"drop-receives", required_argument, NULL, 'r'},
		{"offset", required_argument, NULL, 'o'},
		{"slope", required_argument, NULL, 's'},
		{"step", required_argument, NULL, 't'},
		{"realtime", required_argument, NULL, 'n'},
		{"synchronized", required_argument, NULL, 'y'},
		{"host", required_argument, NULL, 'h'},
		{0},
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		option_take(split, option, optarg);
	if (argc - optind != 2 || split->wish.devices.count == 0) {
		(void)fputs("usage: split-hosts IN.dat OUT.dat --devices GLOB,... [OPTION...]\n",
		            stderr);
		exit(2);
	}
	split->from = argv[optind];
	split->to = argv[optind + 1];
}

static void shift_payload(struct split *split, const struct record *record, char *payload)
{
	const struct split_rule *rule = split_filter_rule(&split->filter, record);

	for (size_t i = 0; i < ARRAY_SIZE(rule->time); i++) {
		struct split_field field = rule->time[i];
		uint64_t time;

		if (field.size != 8 || (uint64_t)field.offset + 8 > record->length)
			continue;
		time = load_u64(record->payload + field.offset, split->filter.is_swapped);
		if (time > 0 && time < record->time + TIMER_FAR)
			machine_store(&split->schedule.machine, payload + field.offset,
			              split_clock_time(&split->clock, time), 8);
	}
}

static struct schedule_item *item_add(struct schedule *schedule, enum schedule_item_type type,
                                      const struct source_stream *stream)
{
	struct schedule_item *item;

	ARRAY_GROW(schedule->items, schedule->item_count, schedule->item_capacity);
	item = &schedule->items[schedule->item_count++];
	*item = (struct schedule_item){.type = type, .cpu = stream->cpu, .buffer = stream->buffer};
	return item;
}

static void record_take(struct split *split, const struct source_stream *stream,
                        const struct record *record)
{
	struct schedule *schedule = &split->schedule;
	struct schedule_item *item;

	split->records++;
	split->end = nsec_max(split->end, record->time);
	if (!split_filter_keeps(&split->filter, record, stream->cpu))
		return;
	if (split_clock_time(&split->clock, record->time) > PAGE_TIME_MAX)
		die(split->from, "has records that would be outside of what times can be");
	item = item_add(schedule, SCHEDULE_EVENT, stream);
	item->time = split_clock_time(&split->clock, record->time);
	item->offset = schedule->payload.length;
	item->length = (record->length + 3) & ~3u;
	buffer_append(&schedule->payload, record->payload, record->length);
	buffer_append(&schedule->payload, "\0\0\0", item->length - record->length);
	if (schedule->payload.is_cut)
		die(split->from, "is too large");
	shift_payload(split, record, schedule->payload.text + item->offset);
}

static void records_take(struct split *split, struct source *source)
{
	struct merger *merger = merger_new(source);
	struct merged_run run;

	while (merger_next(merger, &run)) {
		const struct source_stream *stream = &source->streams[run.stream];

		if (!run.records) {
			item_add(&split->schedule, SCHEDULE_LOST, stream)->lost =
				run.lost_events == LOST_UNCOUNTED ? 0 : run.lost_events;
			continue;
		}
		if (split->records == 0) {
			split->clock.origin = run.records[0].time;
			split->clock.step_at = split->clock.origin + split->step_after;
		}
		for (size_t i = 0; i < run.count; i++)
			record_take(split, stream, &run.records[i]);
	}
	merger_free(merger);
}

/* All of the file; the caller frees it. */
static uint8_t *file_load(const char *path, size_t *ret_size)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	uint8_t *bytes;

	if (fd < 0 || fstat(fd, &status) < 0)
		die(path, strerror(errno));
	if (status.st_size <= 0 || (uint64_t)status.st_size > FILE_LIMIT)
		die(path, "is empty, or too large");
	*ret_size = (size_t)status.st_size;
	bytes = xmalloc(*ret_size);
	if (file_read_all_at(fd, bytes, *ret_size, 0) < 0)
		die(path, "cannot be read");
	return bytes;
}

static void file_save(const char *path, const struct buffer *bytes)
{
	_cleanup_(closep) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || file_write_all(fd, bytes->text, bytes->length) < 0)
		die(path, "cannot be written");
}

static void write_recording(struct split *split)
{
	struct buffer to = {0}, why = {0};
	struct split_file file;
	size_t size;
	uint8_t *bytes = file_load(split->from, &size);

	buffer_init(&to, FILE_LIMIT);
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	if (split_file_open(bytes, size, &file, &why) < 0)
		die(split->from, why.text);
	split_file_build(&file, &split->schedule, &split->clock, split->host, &to);
	if (to.is_cut)
		die(split->to, "is too large");
	file_save(split->to, &to);
	buffer_release(&to);
	buffer_release(&why);
	free(bytes);
}

static void print_truth(const struct split *split)
{
	const struct split_clock *clock = &split->clock;

	printf("{\"host\": \"%s\", \"records\": %" PRIu64 ", \"kept\": %zu, \"begin_ns\": %" PRIu64
	       ", \"end_ns\": %" PRIu64 ", \"offset_ns\": %" PRId64 ", \"slope_ppm\": %" PRId64
	       ", \"step_at_ns\": %" PRIu64 ", \"step_ns\": %" PRId64
	       ", \"shift_begin_ns\": %" PRId64 ", \"shift_end_ns\": %" PRId64 "}\n",
	       split->host ? split->host : "", split->records, split->schedule.item_count,
	       clock->origin, split->end, clock->offset, clock->slope_ppm, clock->step_at,
	       clock->step, split_clock_shift(clock, clock->origin),
	       split_clock_shift(clock, split->end));
}

static void schedule_begin(struct schedule *schedule, const struct source *source)
{
	schedule->machine = (struct machine){
		.is_big_endian = source->is_big_endian,
		.long_bytes = source->long_bytes,
		.page_bytes = source->page_bytes,
		.version = 6,
	};
	schedule->cpu_count = source->cpu_count;
	buffer_init(&schedule->payload, FILE_LIMIT);
}

int main(int argc, char **argv)
{
	struct split split = {0};
	struct source *source;
	struct buffer why = {0};

	options_take(&split, argc, argv);
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	if (source_open(split.from, &source, &why) < 0)
		die(split.from, why.text);
	if (split_filter_init(&split.filter, &split.wish, source) < 0)
		die("--addresses", "not all are IPv4 addresses");
	schedule_begin(&split.schedule, source);
	records_take(&split, source);
	write_recording(&split);
	print_truth(&split);
	split_filter_release(&split.filter);
	buffer_release(&split.schedule.payload);
	free(split.schedule.items);
	source_close(source);
	buffer_release(&why);
	return 0;
}

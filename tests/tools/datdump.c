/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * datdump [-r] [-q] FILE: what a source says of a trace, its streams, and how many events of each
 * kind it holds. -r: through the reference reader. -q: only the number of records and the time that
 * reading took, for measurements.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "reference/tracecmd_source.h"
#include "source/source.h"

struct tally {
	uint64_t by_id[65536];
	uint64_t records, losses, bytes;
	nsec_t begin, end;
};

static void print_meta(const struct source *source)
{
	printf("reader %s\nkernel %s\narch %s\nclock %s\n%s endian, long %u bytes, %u cpus, "
	       "%zu buffers\n", source->ops->name, source->kernel ? source->kernel : "-",
	       source->arch ? source->arch : "-", source->clock ? source->clock : "-",
	       source->is_big_endian ? "big" : "little", source->long_bytes, source->cpu_count,
	       source->buffer_count);
	printf("%zu formats, %zu known tasks, command %d, %zu pids\n", source->format_count,
	       source->notes.tasks.count, source->notes.command.pid, source->notes.pids.count);
}

static void tally_batch(struct tally *tally, const struct source *source,
                        const struct record_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		const struct record *record = &batch->records[i];
		unsigned id = 0;

		if (record->length >= 2)
			id = source->is_big_endian
			             ? (unsigned)(record->payload[0] << 8 | record->payload[1])
			             : (unsigned)(record->payload[1] << 8 | record->payload[0]);
		tally->by_id[id]++;
		tally->bytes += record->length;
		tally->begin = nsec_min(tally->begin, record->time);
		tally->end = nsec_max(tally->end, record->time);
	}
	tally->records += batch->count;
	tally->losses += batch->lost_events != 0;
}

static void read_stream(struct source *source, size_t stream, struct tally *tally, bool is_quick)
{
	struct record_batch batch;

	while (source_next_batch(source, stream, &batch) == PULL_ITEM) {
		if (!is_quick)
			tally_batch(tally, source, &batch);
		else
			tally->records += batch.count;
	}
}

/* Name and id of a format's text. */
static void print_format_count(const struct format_text *format, const struct tally *tally)
{
	const char *name = strstr(format->text, "name: "), *id = strstr(format->text, "\nID: ");
	unsigned number;

	if (!name || !id || sscanf(id, "\nID: %u", &number) != 1 || number > 65535)
		return;
	if (tally->by_id[number])
		printf("%12" PRIu64 "  %s:%.*s\n", tally->by_id[number], format->system,
		       (int)strcspn(name + 6, "\n"), name + 6);
}

static void print_symbols(struct source *source)
{
	char piece[65536];
	uint64_t total = 0;
	int64_t got;

	while ((got = source_read_symbols(source, total, piece, sizeof(piece))) > 0)
		total += (uint64_t)got;
	printf("symbols %" PRIu64 " bytes%s\n", total, got < 0 ? " (then an error)" : "");
}

static int dump(const char *path, bool is_reference, bool is_quick)
{
	_cleanup_(source_closep) struct source *source = NULL;
	_cleanup_(freep) struct tally *tally = calloc(1, sizeof(*tally));
	struct timespec begin, end;
	struct buffer why;

	buffer_init(&why, 4096);
	if (!tally || (is_reference ? reference_open : source_open)(path, &source, &why) < 0) {
		fprintf(stderr, "datdump: %s: %s\n", path, why.text);
		buffer_release(&why);
		return 1;
	}
	buffer_release(&why);
	tally->begin = NSEC_NEVER;
	(void)clock_gettime(CLOCK_MONOTONIC, &begin);
	for (size_t i = 0; i < source->stream_count; i++) {
		uint64_t before = tally->records;

		read_stream(source, i, tally, is_quick);
		if (!is_quick)
			printf("stream %zu: cpu %u buffer %u overrun %" PRIu64 ": %" PRIu64
			       " records\n", i, source->streams[i].cpu, source->streams[i].buffer,
			       source->streams[i].overrun, tally->records - before);
	}
	(void)clock_gettime(CLOCK_MONOTONIC, &end);
	if (!is_quick) {
		print_meta(source);
		for (size_t i = 0; i < source->format_count; i++)
			print_format_count(&source->formats[i], tally);
		print_symbols(source);
		printf("%" PRIu64 " losses, from %" PRIu64 " to %" PRIu64 "\n", tally->losses,
		       tally->begin, tally->end);
	}
	for (size_t i = 0; i < source->health.note_count; i++)
		printf("note: %s\n", source->health.notes[i]);
	printf("%" PRIu64 " records", tally->records);
	if (is_quick && tally->records)
		printf(", %.2f ns each",
		       ((double)(end.tv_sec - begin.tv_sec) * 1e9 +
		        (double)(end.tv_nsec - begin.tv_nsec)) / (double)tally->records);
	printf("\n");
	return 0;
}

int main(int argc, char **argv)
{
	bool is_reference = false, is_quick = false;
	int option;

	while ((option = getopt(argc, argv, "qr")) != -1) {
		if (option == 'q')
			is_quick = true;
		else if (option == 'r')
			is_reference = true;
		else
			return 2;
	}
	if (optind + 1 != argc) {
		fprintf(stderr, "usage: datdump [-q] [-r] FILE\n");
		return 2;
	}
	return dump(argv[optind], is_reference, is_quick);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mktrace: writes the trace.dat that a schedule (see schedule.h) describes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text/parse.h"
#include "datfile.h"
#include "tracing_folder.h"

#define SCHEDULE_LIMIT (1u << 29)
#define DATFILE_LIMIT  (1u << 30)

static const char usage[] =
	"usage: mktrace [-B] [-4] [-7] [-p PAGE] [-s TIME [-n]] [-o FILE | -d FOLDER] [SCHEDULE]\n"
	"Writes the trace.dat that a schedule describes (see tests/builder/schedule.h).\n"
	"  -B big endian  -4 32-bit  -7 version 7  -p bytes of a page  -o else standard output\n"
	"  -d what tracefs would have, into that folder\n"
	"  -s a stream that reaches a new time that often  -n without its end\n"
	"Any of -B -4 -7 -p overrides all that the schedule says of the machine.\n";

static void read_all(FILE *from, struct buffer *to)
{
	char chunk[65536];
	size_t got;

	while ((got = fread(chunk, 1, sizeof(chunk), from)) > 0)
		buffer_append(to, chunk, got);
}

struct output {
	const char *path; /* NULL: standard output */
	const char *folder; /* instead; NULL: none */
	nsec_t every;     /* of a stream; 0: a trace.dat */
	bool is_endless;
};

static int options_read(int argc, char **argv, struct machine *machine, bool *ret_fixed,
                        struct output *output)
{
	uint64_t bytes;

	for (int letter; (letter = getopt(argc, argv, "B47p:s:no:d:")) != -1;) {
		*ret_fixed |= letter != 'o' && letter != 'd' && letter != 's' &&
		             letter != 'n';
		switch (letter) {
		case 'B':
			machine->is_big_endian = true;
			break;
		case '4':
			machine->long_bytes = 4;
			break;
		case '7':
			machine->version = 7;
			break;
		case 'p':
			if (parse_u64(optarg, &bytes) < 0 || bytes < 256 ||
			    bytes > SCHEDULE_PAGE_MAX)
				return -EINVAL;
			machine->page_bytes = (uint32_t)bytes;
			break;
		case 's':
			if (parse_time(optarg, &output->every) < 0 || output->every == 0)
				return -EINVAL;
			break;
		case 'n':
			output->is_endless = true;
			break;
		case 'd':
			output->folder = optarg;
			break;
		case 'o':
			output->path = optarg;
			break;
		default:
			return -EINVAL;
		}
	}
	return argc - optind > 1 ? -EINVAL : 0;
}

static int trace_write(const char *input, const struct output *output,
                       const struct machine *machine)
{
	__attribute__((cleanup(schedule_freep))) struct schedule *schedule = NULL;
	_cleanup_(fclosep) FILE *from = input ? fopen(input, "r") : fdopen(dup(0), "r");
	_cleanup_(fclosep) FILE *to = NULL;
	struct buffer text, why, bytes;
	int r;

	if (!from) {
		fprintf(stderr, "mktrace: %s: %s\n", input, strerror(errno));
		return EXIT_FAILURE;
	}
	buffer_init(&text, SCHEDULE_LIMIT);
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	buffer_init(&bytes, DATFILE_LIMIT);
	read_all(from, &text);
	r = schedule_parse(text.text, text.length, machine, &schedule, &why);
	if (r == 0 && output->every && schedule->machine.version != 6) {
		buffer_puts(&why, "a stream has version 6");
		r = -EINVAL;
	}
	if (r < 0) {
		fprintf(stderr, "mktrace: %s: %s\n", input ? input : "-", why.text);
	} else if (output->folder) {
		r = tracing_folder_write(schedule, output->folder);
		if (r < 0)
			fprintf(stderr, "mktrace: %s: %s\n", output->folder, strerror(-r));
	} else {
		if (output->every)
			stream_build(schedule, output->every, !output->is_endless, &bytes);
		else
			datfile_build(schedule, &bytes);
		to = output->path ? fopen(output->path, "w") : fdopen(dup(1), "w");
		if (!to || fwrite(bytes.text, 1, bytes.length, to) != bytes.length || fflush(to)) {
			fprintf(stderr, "mktrace: %s: %s\n", output->path ? output->path : "-",
			        strerror(errno));
			r = -EIO;
		}
	}
	buffer_release(&text);
	buffer_release(&why);
	buffer_release(&bytes);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct machine machine = {.long_bytes = 8, .page_bytes = 4096, .version = 6};
	struct output output = {0};
	bool is_fixed = false;

	if (options_read(argc, argv, &machine, &is_fixed, &output) < 0) {
		fputs(usage, stderr);
		return 2;
	}
	return trace_write(argv[optind], &output, is_fixed ? &machine : NULL);
}

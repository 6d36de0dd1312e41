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
#include "base/parse.h"
#include "datfile.h"

#define SCHEDULE_LIMIT (1u << 29)
#define DATFILE_LIMIT  (1u << 30)

static const char usage[] =
	"usage: mktrace [-B] [-4] [-7] [-p PAGE] [-o FILE] [SCHEDULE]\n"
	"Writes the trace.dat that a schedule describes (see tests/builder/schedule.h).\n"
	"  -B big endian  -4 32-bit  -7 version 7  -p bytes of a page  -o else standard output\n"
	"Any of -B -4 -7 -p overrides all that the schedule says of the machine.\n";

static void read_all(FILE *from, struct buffer *to)
{
	char chunk[65536];
	size_t got;

	while ((got = fread(chunk, 1, sizeof(chunk), from)) > 0)
		buffer_append(to, chunk, got);
}

static int options_read(int argc, char **argv, struct machine *machine, bool *ret_fixed,
                        const char **ret_output)
{
	uint64_t bytes;

	for (int letter; (letter = getopt(argc, argv, "B47p:o:")) != -1;) {
		*ret_fixed |= letter != 'o';
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
		case 'o':
			*ret_output = optarg;
			break;
		default:
			return -EINVAL;
		}
	}
	return argc - optind > 1 ? -EINVAL : 0;
}

static int trace_write(const char *input, const char *output, const struct machine *machine)
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
	if (r < 0) {
		fprintf(stderr, "mktrace: %s: %s\n", input ? input : "-", why.text);
	} else {
		datfile_build(schedule, &bytes);
		to = output ? fopen(output, "w") : fdopen(dup(1), "w");
		if (!to || fwrite(bytes.text, 1, bytes.length, to) != bytes.length || fflush(to)) {
			fprintf(stderr, "mktrace: %s: %s\n", output ? output : "-", strerror(errno));
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
	const char *output = NULL;
	bool is_fixed = false;

	if (options_read(argc, argv, &machine, &is_fixed, &output) < 0) {
		fputs(usage, stderr);
		return 2;
	}
	return trace_write(argv[optind], output, is_fixed ? &machine : NULL);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rare_frame MODE COUNT SEED PERCENT MARKS: a loop, "game", that makes so many frames, and sleeps
 * between them. That part of them, chosen by the seed, is slow for a planted cause (planted.h). To
 * the file MARKS, a trace_marker, it writes "tick N" and "B|PID|frame" where a frame begins, and "E"
 * where it ends.
 *
 * Prints what rare_cause does.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "planted.h"
#include "truth.h"

#define SLEEPS_NS 150000u /* between frames: at least, and up to twice that */

static void mark(int fd, const char *text, int length)
{
	truth_must(write(fd, text, (size_t)length) == length, "trace_marker");
}

static void frame(int marks, struct planted_unit *unit, size_t number)
{
	char text[64];

	planted_choose(unit);
	mark(marks, text, snprintf(text, sizeof(text), "tick %zu", number));
	mark(marks, text, snprintf(text, sizeof(text), "B|%d|frame", (int)getpid()));
	unit->begin = truth_now();
	planted_work(unit);
	unit->end = truth_now();
	mark(marks, "E", 1);
	planted_done(unit);
}

int main(int argc, char **argv)
{
	size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 800;
	struct planted_unit *unit = calloc(count, sizeof(*unit));
	int marks = open(argc > 5 ? argv[5] : "/sys/kernel/tracing/trace_marker", O_WRONLY | O_CLOEXEC);

	truth_may(marks >= 0, "trace_marker");
	truth_must(unit != NULL, "memory");
	truth_must(planted_mode(argc > 1 ? argv[1] : "none",
	                        (uint64_t)((argc > 4 ? strtod(argv[4], NULL) : 1.5) * 100)),
	           "there is no such mode");
	random_begin(argc > 3 ? strtoul(argv[3], NULL, 10) : 1);
	planted_begin();
	(void)prctl(PR_SET_NAME, "game");
	(void)truth_pin(WORK_CPU);
	for (size_t i = 0; i < count; i++) {
		frame(marks, &unit[i], i);
		truth_sleep(SLEEPS_NS + random_below(SLEEPS_NS));
	}
	planted_end();
	planted_print(stdout, unit, count);
	free(unit);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flight_shots.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "base/xalloc.h"
#include "cmd/commands.h"
#include "flight/ring_tasks.h"
#include "recorder/machine/clock_reading.h"
#include "source/stream_lines.h"

#define VERSION_BYTES_MAX (UINT64_C(64) << 20)
#define BY_HAND           "by hand"

void flight_shots_init(struct flight_shots *shots, const struct flight_options *options,
                       const struct record_options *record, struct stream_ring *ring)
{
	*shots = (struct flight_shots){
		.options = options,
		.record = record,
		.ring = ring,
		.clock = "",
		.last = NSEC_NEVER,
	};
}

void flight_shots_release(struct flight_shots *shots)
{
	shot_names_release(&shots->names);
}

bool flight_shots_have_folder(const struct flight_shots *shots)
{
	const char *output = shots->record->output, *slash = strrchr(output, '/');
	_cleanup_(freep) char *folder = slash ? xstrndup(output, (size_t)(slash + 1 - output))
	                                      : xstrdup(".");

	if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0)
		return true;
	return message_fail(false, "record: -o %s: no shot can be saved in %s: %s", output, folder,
	                    strerror(errno));
}

/* The end is not missed if it has no shot of its own. */
static void hit_count_only(struct flight_shots *shots, const struct hit *hit)
{
	if (hit->is_end)
		return;
	shots->passed_over++;
	shots->passed_over_all++;
}

void flight_shots_hit(struct flight_shots *shots, const struct hit *hit)
{
	bool is_early = shots->last != NSEC_NEVER &&
	                hit->at < shots->last + shots->options->every;

	if (shots->has_hit && !hit->condition && !hit->is_end)
		message_note("what was asked for is in the shot of \"%s\", which is to come",
		             shots->hit.text);
	if (shots->has_hit || flight_shots_are_all(shots) || (hit->condition && is_early)) {
		hit_count_only(shots, hit);
		return;
	}
	shots->hit = *hit;
	shots->has_hit = true;
}

static void trigger_describe(const struct hit *hit, struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer condition = buffer_of(CONDITION_BYTES_MAX);
	struct trigger_note note = {
		.at = hit->at,
		.since = hit->since,
		.tid = hit->tid > 0 ? hit->tid : 0,
		.aim = (enum aim_kind)hit->aim,
		.aim_name = *hit->aim_name ? hit->aim_name : NULL,
		.text = hit->text,
	};

	if (hit->condition)
		condition_append(&condition, hit->condition);
	else
		buffer_puts(&condition, BY_HAND);
	note.condition = condition.text;
	trigger_note_put(&note, to);
}

/* Whether what fired is older than what the ring still holds. */
static bool hit_is_lacking(const struct flight_shots *shots)
{
	return shots->hit.at < stream_ring_begin(shots->ring);
}

/* Writes what fired, and what the file says of the time when it was saved. */
static void shot_describe(const struct flight_shots *shots, const struct live_run *run,
                          struct buffer *to)
{
	struct realtime_pair pair;
	bool has_pair = realtime_read(NULL, shots->clock, NULL, &pair) == 0;

	if (!shots->hit.is_end)
		trigger_describe(&shots->hit, to);
	if (hit_is_lacking(shots))
		buffer_puts(to, "note the flight recorder's ring was too small: it did not hold "
		                "the time when the trigger fired\n");
	ring_tasks_describe_end(shots->ring, run, has_pair ? &pair : NULL, getppid(), to);
}

/* "[ ftwait: shot 2 of 5: mysqld[8] waited 212 ms for disk vda -> slow.2.dat, 30.2 s, 41 MiB ]" */
static void shot_print(const struct flight_shots *shots, const char *path, nsec_t duration,
                       uint64_t bytes)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (shots->record->is_quiet)
		return;
	buffer_printf(&line, "shot %llu", (unsigned long long)shots->taken + 1);
	if (shots->options->shots)
		buffer_printf(&line, " of %llu", (unsigned long long)shots->options->shots);
	buffer_printf(&line, ": %s -> ", shots->hit.text);
	buffer_puts_clean(&line, path, strlen(path));
	buffer_printf(&line, ", %.1f s, %s", (double)duration / 1e9, SIZE_TEXT(bytes));
	if (shots->passed_over)
		buffer_printf(&line, "; %s more hit%s since the last shot",
		              COUNT_TEXT(shots->passed_over), format_plural(shots->passed_over));
	(void)fprintf(stderr, "[ ftwait: %s ]\n", line.text);
}

/* In the new process. It is not to end with the recorder. */
static _Noreturn void writer_run(const struct flight_shots *shots, const struct live_run *run,
                                 nsec_t reached)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR2};
	_cleanup_(freep) char *path = shot_names_path(&shots->names, shots->number);
	_cleanup_(buffer_release) struct buffer version = buffer_of(VERSION_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer why = buffer_of(4096);
	const struct shot shot = {
		.ring = shots->ring,
		.version = &version,
		.is_packed = shots->record->compress.is_given,
	};
	uint64_t bytes = 0;
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		(void)signal(numbers[i], SIG_IGN);
	shot_describe(shots, run, &version);
	r = shot_file_write(&shot, path, &bytes, &why);
	if (r < 0)
		message_error("shot of \"%s\" is lost: %s; recording goes on", shots->hit.text,
		              why.text);
	else if (hit_is_lacking(shots))
		message_warning("the ring was too small to hold \"%s\" until it was saved, in %s: "
		                "take a larger one (--ring) or a shorter --after", shots->hit.text,
		                path);
	if (r == 0)
		shot_print(shots, path, reached - ring_tasks_begin(shots->ring, run), bytes);
	_exit(r < 0 ? STATUS_FAILED : STATUS_FINE);
}

/* What a killed writer left can be read. */
static void writer_failed(struct flight_shots *shots, int status)
{
	_cleanup_(freep) char *path = shot_names_path(&shots->names, shots->number);

	shots->failed++;
	/* nothing was saved, so the next hit need not wait */
	shots->last = shots->before_last;
	if (WIFEXITED(status) || access(path, F_OK) < 0)
		return;
	shot_names_add(&shots->names, shots->number);
	message_warning("the process that wrote %s was killed; to complete it: ftwait record "
	                "--repair %s", path, path);
}

static void writer_ended(struct flight_shots *shots, int status)
{
	shots->writer = 0;
	chunk_store_hold(&shots->ring->store, false);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != STATUS_FINE) {
		writer_failed(shots, status);
		return;
	}
	shots->taken++;
	shot_names_add(&shots->names, shots->number);
	if (shot_names_trim(&shots->names, shots->options->size_max) > 0 &&
	    shots->record->is_verbose)
		message_note("removed the oldest shots (--max-size)");
}

void flight_shots_take(struct flight_shots *shots, const struct live_run *run, nsec_t reached,
                       bool is_end)
{
	int status;

	if (is_end)
		flight_shots_end(shots, /* is_forced= */ false);
	if (shots->writer && waitpid(shots->writer, &status, WNOHANG) == shots->writer)
		writer_ended(shots, status);
	/* a hit that came while the last one was written, which might have failed */
	if (shots->has_hit && flight_shots_are_all(shots)) {
		shots->has_hit = false;
		hit_count_only(shots, &shots->hit);
	}
	if (!shots->has_hit || shots->writer ||
	    (!is_end && reached < shots->hit.at + shots->options->after))
		return;
	shots->has_hit = false;
	shots->before_last = shots->last;
	shots->last = shots->hit.at;
	/* others may have saved under the same name */
	shot_names_release(&shots->names);
	shot_names_init(&shots->names, shots->record->output);
	shots->number = shot_names_next(&shots->names);
	(void)fflush(NULL);
	shots->writer = fork();
	if (shots->writer == 0)
		writer_run(shots, run, reached);
	if (shots->writer < 0) {
		message_error("shot of \"%s\" is lost: cannot make a process: %s; recording goes "
		              "on", shots->hit.text, strerror(errno));
		shots->writer = 0;
		shots->failed++;
		shots->last = shots->before_last;
		return;
	}
	shots->passed_over = 0;
	chunk_store_hold(&shots->ring->store, true);
}

bool flight_shots_are_all(const struct flight_shots *shots)
{
	return shots->options->shots && shots->taken >= shots->options->shots;
}

void flight_shots_end(struct flight_shots *shots, bool is_forced)
{
	if (shots->writer && is_forced)
		(void)kill(shots->writer, SIGKILL);
	while (shots->writer) {
		int status;
		pid_t ended = waitpid(shots->writer, &status, 0);

		if (ended == shots->writer)
			writer_ended(shots, status);
		else if (errno != EINTR)
			shots->writer = 0;
	}
}

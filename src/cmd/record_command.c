/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/text/parse.h"
#include "cmd/options/flight_options.h"
#include "cmd/record/record_run.h"
#include "commands.h"
#include "ftwait/label.h"
#include "memory_end.h"
#include "recorder/file/datfile_writer.h"
#include "recorder/instance/capture_session.h"
#include "recorder/instance/event_selection.h"

#define OUTPUT_NAME      "ftwait.dat"
#define BUFFER_BYTES_MIN 4096u
#define BUFFER_NOT_GIVEN UINT64_MAX

/* Its address shows that no file was asked for: a given name may be equal to it. */
static const char output_default[] = OUTPUT_NAME;

#define KERNEL_STACKS (CAPTURE_STACKS_SLEEP | CAPTURE_STACKS_WAKE)

static const struct {
	const char *name;
	unsigned kind;
} stack_names[] = {
	{"sleep", CAPTURE_STACKS_SLEEP},
	{"wake", CAPTURE_STACKS_WAKE},
	{"user", CAPTURE_STACKS_USER},
};

/* The words of --stacks by index, NULL beyond the last. */
static const char *record_stacks_at(size_t index)
{
	return index < ARRAY_SIZE(stack_names) ? stack_names[index].name : NULL;
}

static unsigned stack_kind_find(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(stack_names); i++)
		if (strlen(stack_names[i].name) == length &&
		    memcmp(stack_names[i].name, name, length) == 0)
			return stack_names[i].kind;
	return 0;
}

/*
 * Parses "sleep", "wake", "user", with commas between them, into a mask of enum capture_stacks; 0
 * if the option is not given. Without a value the mask is sleep and wake; user implies both unless
 * one of them is named. Returns 0, or -EINVAL and a phrase in `why`.
 */
static int record_stacks_parse(const struct optional_string *option, unsigned *ret,
                               struct buffer *why)
{
	const char *at = option->text;
	unsigned stacks = 0;

	*ret = option->is_given ? KERNEL_STACKS : 0;
	if (!at)
		return 0;
	for (;;) {
		size_t length = strcspn(at, ",");
		unsigned kind = stack_kind_find(at, length);

		if (!kind) {
			buffer_puts(why, "unknown stacks \"");
			buffer_puts_clean(why, at, length);
			return buffer_fail(why, -EINVAL, "\" (--stacks); use sleep, wake or user");
		}
		stacks |= kind;
		if (!at[length])
			break;
		at += length + 1;
	}
	*ret = stacks & KERNEL_STACKS ? stacks : stacks | KERNEL_STACKS;
	return 0;
}

/* Parses the number of samples per second; 0 if the option is not given. Returns 0, or -EINVAL and
   a phrase in `why`. */
static int record_profile_parse(const struct optional_string *option, uint64_t *ret_hz,
                                struct buffer *why)
{
	*ret_hz = 0;
	if (!option->text)
		return 0;
	if (parse_u64(option->text, ret_hz) == 0 && *ret_hz > 0)
		return 0;
	buffer_puts(why, "not a number of times a second: \"");
	buffer_puts_clean(why, option->text, strlen(option->text));
	return buffer_fail(why, -EINVAL, "\" (--profile)");
}

struct record_command_options {
	struct record_options record;
	struct flight_options flight;
};

/* The words of --compress. */
OPTION_WORDS(compression_at, "zstd")

/* A recorder alone (make RECORDER=1) is no flight recorder and compresses nothing. */
#ifdef FTWAIT_RECORDER
static const char *const absent[] = {"trigger", "after", "every", "shots", "max_size", "ring_file",
                                     "compress", NULL};
#else
static const char *const absent[] = {NULL};
#endif

static const struct option_row rows[] = {
	OPT_HEADING("What to record"),
	OPT_LIST('e', "events", struct record_command_options, record.events, "GROUP,...",
	         "groups of \"ftwait list\"; +GROUP in addition to the default ones; or "
	         "system:event with * and ?; sched is always on",
	         .value_at = event_word_at, .about_at = event_word_about_at),
	OPT_LIST('p', "pid", struct record_command_options, record.processes, "PID|NAME,...",
	         "the tasks that matter, with their children (the whole machine is recorded); ends "
	         "when all have ended",
	         .is_of_processes = true),
	OPT_LIST(0, "cgroup", struct record_command_options, record.cgroups, "PATH,...",
	         "the tasks of these control groups matter; by path or unit, * and ?"),
	OPT_LIST(0, "unit", struct record_command_options, record.units, "NAME,...",
	         "the tasks of these systemd units matter: nginx, session-3.scope"),
	OPT_OPTIONAL(0, "stacks", struct record_command_options, record.stacks, "WHAT,...",
	             "kernel stacks of tasks that go to sleep (sleep) and of wake-ups (wake), "
	             "which are the default; programs' stacks of sleeps (user)",
	             .value_at = record_stacks_at),
	OPT_OPTIONAL(0, "profile", struct record_command_options, record.profile, "HZ",
	             "stacks of what runs at each tick of the kernel's clock"),
	OPT_TIME('d', "duration", struct record_command_options, record.duration, "TIME",
	         "end after this time: 10, 10s, 500ms (COMMAND goes on)"),
	OPT_HEADING("How"),
	OPT_SIZE('b', "buffer", struct record_command_options, record.buffer_bytes, "SIZE",
	         "buffer of each CPU: 8M, 512K"),
	OPT_BOOL(0, "force", struct record_command_options, record.is_forced,
	         "accept buffers of any size, not only up to half of the free memory"),
	OPT_STRING(0, "clock", struct record_command_options, record.clock, "NAME",
	           "the kernel's clock for time stamps (default mono)"),
	OPT_OPTIONAL(0, "ring", struct record_command_options, flight.ring, "TIME|SIZE",
	             "keep only the newest data: what fits in -b; with a value or --trigger so "
	             "much in memory (default 30s), see below"),
	OPT_BOOL(0, "no-snapshot", struct record_command_options, record.no_snapshot,
	         "do not look in /proc at what COMMAND and the tasks of -p wait for"),
	OPT_BOOL(0, "no-arguments", struct record_command_options, record.no_arguments,
	         "no command lines in the file, neither COMMAND's nor those of other programs"),
	OPT_STRING(0, "instance", struct record_command_options, record.instance, "NAME",
	           RECORD_INSTANCE_HELP),
	OPT_BOOL(0, "no-mount", struct record_command_options, record.no_mount,
	         "do not mount a tracefs if there is none"),
	OPT_STRINGS(0, "label", struct record_command_options, record.labels, "KEY=VALUE",
	            "note this in the file, for report --rows: firmware=1.2"),
#ifndef FTWAIT_RECORDER
	OPT_HEADING("Flight recorder: keep the newest part, and save it when something happens"),
	OPT_STRINGS(0, "trigger", struct record_command_options, flight.triggers, "COND",
	            "save when this happens: 'wait>100ms comm=mysqld*', open>5s, delay>20ms, "
	            "disk>T, lock>T, hung, mark=TEXT, retransmit>N/s, exit=COMM, or "
	            "'event:SYS:NAME if FILTER'; may be repeated: any of them"),
	OPT_TIME(0, "after", struct record_command_options, flight.after, "TIME",
	         "record on for so long, then save (default 1s)"),
	OPT_TIME(0, "every", struct record_command_options, flight.every, "TIME",
	         "save at most once in this time (default 60s)"),
	OPT_COUNT(0, "shots", struct record_command_options, flight.shots, "N",
	          "end after so many saves"),
	OPT_SIZE(0, "max-size", struct record_command_options, flight.size_max, "SIZE",
	         "of all saved files together; removes the oldest (default 500M)"),
	OPT_STRING(0, "ring-file", struct record_command_options, flight.ring_file, "FILE",
	           "keep the newest part on a disk, in a file without a name"),
#endif
	OPT_HEADING("Output"),
	OPT_STRING('o', "output", struct record_command_options, record.output, "FILE",
	           "default " OUTPUT_NAME
	           "; an existing one becomes FILE.old; - is standard output"),
	OPT_TIME(0, "flush", struct record_command_options, record.flush, "TIME",
	         "to a pipe: send all that was recorded so far this often (default 1s); 0: only "
	         "full pages"),
#ifndef FTWAIT_RECORDER
	OPT_OPTIONAL(0, "compress", struct record_command_options, record.compress, "zstd",
	             "write it compressed, as trace-cmd 3.1.6 and later read it",
	             .value_at = compression_at),
#endif
	OPT_STRING(0, "repair", struct record_command_options, record.repair, "FILE",
	           "record nothing: turn what a killed recorder left in FILE into a trace.dat"),
	OPT_BOOL('q', "quiet", struct record_command_options, record.is_quiet, "print only errors"),
	OPT_BOOL('v', "verbose", struct record_command_options, record.is_verbose,
	         "print how it is recorded"),
};

const struct option_set record_option_set = {
	.command = "record",
	.operands = "[-- COMMAND ARG...]",
	.about = "Records what the kernel does, until COMMAND ends, -d has passed or Ctrl-C is "
	         "pressed. Exit status is COMMAND's.",
	.stops_at_operand = true,
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
	.absent = absent,
};

/* Parses the values that are words; true if one is wrong. */
static bool words_are_wrong(struct record_options *options)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(1024);
	int r = record_stacks_parse(&options->stacks, &options->stack_kinds, &why);

	if (r == 0)
		r = record_profile_parse(&options->profile, &options->profile_hz, &why);
	if (r < 0)
		message_error("%s", why.text);
	return r < 0;
}

/* Prints what is wrong with the labels; returns true if anything is. */
static bool labels_are_wrong(const struct string_list *labels)
{
	if (labels->count > LABELS_MAX)
		return message_fail(true, "--label: %zu labels; at most %d", labels->count,
		                    LABELS_MAX);
	for (size_t i = 0; i < labels->count; i++) {
		const char *text = labels->text[i], *value = strchr(text, '=');
		_cleanup_(buffer_release) struct buffer given = buffer_of(BUFFER_LIMIT_DEFAULT);

		if (value && label_key_is_valid(text, (size_t)(value - text)) &&
		    strlen(value + 1) <= LABEL_VALUE_MAX)
			continue;
		buffer_puts_clean(&given, text, strlen(text));
		return message_fail(true, "--label %s: not KEY=VALUE; a key has up to %d letters, "
		                    "digits, _, - and ., a value up to %d bytes", given.text,
		                    LABEL_KEY_MAX, LABEL_VALUE_MAX);
	}
	return false;
}

/* Prints what is wrong with the options; returns true if anything is. */
static bool options_are_wrong(struct record_options *options)
{
	if (options->duration == 0)
		return message_fail(true, "nothing is recorded in no time (-d 0); leave out -d, or "
		                    "give 100ms or more");
	if (options->buffer_bytes == BUFFER_NOT_GIVEN) {
		options->buffer_bytes = 0;
	} else if (options->buffer_bytes == 0) {
		return message_fail(true, "there is no recording without a buffer (-b 0); leave "
		                    "out -b, or give 4K or more");
	} else if (options->buffer_bytes < BUFFER_BYTES_MIN) {
		return message_fail(true, "a buffer of %llu bytes is too small; did you mean "
		                    "%lluM?", (unsigned long long)options->buffer_bytes,
		                    (unsigned long long)options->buffer_bytes);
	}
	if (options->compress.text && strcmp(options->compress.text, compression_at(0)) != 0)
		return message_fail(true, "--compress: only zstd is supported");
	if (options->compress.is_given && strcmp(options->output, "-") == 0)
		return message_fail(true, "--compress needs a file; for a pipe: ftwait record -o - "
		                    "| zstd -1");
	return labels_are_wrong(&options->labels) || words_are_wrong(options);
}

/* Paths are recorded of some tasks only; false: they are not asked for, or the tasks are known. */
static bool paths_are_wrong(const struct record_options *options, const struct operands *operands)
{
	if (operands->count > 0 || options->pids.count > 0)
		return false;
	for (size_t i = 0; i < options->events.count; i++) {
		const char *item = options->events.text[i];

		if (strcmp(item + (item[0] == '+'), "paths") == 0)
			return message_fail(true, "record: -e paths needs COMMAND or -p: paths are "
			                    "recorded of these tasks only");
	}
	return false;
}

/* Options that --repair would silently ignore. */
static bool repair_is_wrong(const struct record_options *options, const struct operands *operands)
{
	if (operands->count > 0)
		message_error("--repair records nothing: it takes no command (%s)",
		              operands->argv[0]);
	else if (options->output != output_default)
		message_error("--repair makes %s itself a trace.dat: it takes no -o; to keep it as "
		              "it is: cp --sparse=always %s COPY, and --repair=COPY",
		              options->repair, options->repair);
	else
		return false;
	return true;
}

static int record_repair(const char *path)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(1024);
	int r = datfile_repair(path, &why);

	if (r == -EALREADY)
		message_note("%s, nothing to repair", why.text);
	else if (r < 0)
		message_error("%s", why.text);
	else if (r > 0)
		message_note("%s is a trace.dat now, of a recording that did not end cleanly, as "
		             "its reports will say", path);
	return r < 0 && r != -EALREADY ? STATUS_FAILED : STATUS_FINE;
}

static int record_dispatch(struct record_command_options *command, const struct operands *operands)
{
	struct record_options *options = &command->record;
	char **argv = operands->count > 0 ? operands->argv : NULL;
	int r;

	message_set_quiet(options->is_quiet);
	memory_end_say("record", "what was recorded so far is in the output: ftwait record "
	                         "--repair FILE");
	if (options->repair && repair_is_wrong(options, operands))
		return STATUS_USAGE;
	if (options->repair)
		return record_repair(options->repair);
	options->is_ring = command->flight.ring.is_given && !flight_is_asked(&command->flight);
	if (options_are_wrong(options) || !flight_options_parse(&command->flight, options))
		return STATUS_USAGE;
	if (!record_targets_find(options) || !record_has_memory())
		return STATUS_FAILED;
	if (paths_are_wrong(options, operands))
		return STATUS_USAGE;
	if (operands->count > 0) {
		r = child_check(operands->argv[0]);
		if (r == -ENOENT && operands->behind)
			return message_fail(CHILD_STATUS_NOT_FOUND, "there is no command \"%s\"; a "
			                    "value belongs behind \"=\": --%s=%s", operands->behind,
			                    operands->behind_option, operands->behind);
		if (r < 0)
			return message_fail(r == -ENOENT ? CHILD_STATUS_NOT_FOUND
			                                 : CHILD_STATUS_NOT_EXECUTABLE,
			                    "cannot execute %s: %s", operands->argv[0],
			                    strerror(-r));
	}
	return flight_is_asked(&command->flight)
	               ? flight_session_run(options, &command->flight, argv)
	               : record_run(options, argv);
}

int record_command(int argc, char **argv)
{
	struct record_command_options options = {
		.record = {
			.output = output_default,
			.duration = NSEC_NEVER,
			.flush = FLUSH_NOT_GIVEN,
			.buffer_bytes = BUFFER_NOT_GIVEN,
		},
		.flight = FLIGHT_OPTIONS_NONE,
	};
	struct operands operands;
	int status = options_read(&record_option_set, argc, argv, &options, &operands);

	if (status >= 0)
		return status;
	status = record_dispatch(&options, &operands);
	free(options.record.pids.number);
	flight_options_release(&options.flight);
	options_release(&record_option_set, &options);
	return status;
}

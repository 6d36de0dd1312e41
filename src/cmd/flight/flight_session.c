/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "cmd/commands.h"
#include "cmd/memory_end.h"
#include "cmd/options/flight_options.h"
#include "cmd/record/recorder_process.h"
#include "engine/live_run.h"
#include "flight/ring_tasks.h"
#include "flight/stream_ring.h"
#include "flight/watch.h"
#include "flight_shots.h"
#include "recorder/machine/clock_reading.h"
#include "recorder/machine/machine_notes.h"
#include "source/stream/live_source.h"

/* The room of a flight recorder's ring, in memory or in a file. */

struct flight_room {
	int fd;         /* file for the ring; -1: memory */
	uint64_t limit; /* bytes that the ring may take up */
};

/* The file has no name once it is open, so that nothing is left of it. */
static int ring_file_open(const char *path)
{
	struct stat file;
	bool is_folder = stat(path, &file) == 0 && S_ISDIR(file.st_mode);
	int fd;

	if (is_folder)
		fd = open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	else
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	if (!is_folder && unlink(path) < 0)
		message_warning("cannot remove %s: %s; it is of no use later", path,
		                strerror(errno));
	return fd;
}

static uint64_t disk_limit(int fd)
{
	struct statvfs disk;

	return fstatvfs(fd, &disk) == 0 ? (uint64_t)disk.f_bavail * disk.f_frsize / 2 : UINT64_MAX;
}

/* Opens the file, and prints what prevents that, or that there is too little room for --ring=SIZE;
   false then. */
static bool flight_room_find(struct flight_room *room, const struct flight_options *options,
                      bool is_forced)
{
	*room = (struct flight_room){.fd = -1};
	if (options->ring_file) {
		room->fd = ring_file_open(options->ring_file);
		if (room->fd < 0)
			return message_fail(false, "record: --ring-file=%s: %s; a new name, or a "
			                    "directory", options->ring_file, strerror(-room->fd));
	}
	room->limit = room->fd < 0 ? ring_memory_limit() : disk_limit(room->fd);
	if (options->bytes && options->bytes <= room->limit)
		room->limit = options->bytes;
	if (options->bytes <= room->limit || is_forced) {
		room->limit = options->bytes ? options->bytes : room->limit;
		return true;
	}
	message_error("record: --ring=%s: half of what is free are %s; take less, --force%s",
	              options->ring.text, SIZE_TEXT(room->limit),
	              room->fd < 0 ? ", or --ring-file=FILE on a disk" : "");
	closep(&room->fd);
	return false;
}

/* Prints how much room the ring needs, which keeps the time `kept`, at that many bytes and events
   in a second; false: there is too little, which is printed, too. */
static bool flight_room_judge(const struct flight_room *room, const struct flight_options *options,
                       nsec_t kept, bool is_forced, double bytes_a_second,
                       double events_a_second)
{
	/* the oldest chapter is dropped as a whole */
	double seconds = (double)kept / 1e9 * (RING_CHAPTERS + 1) / RING_CHAPTERS;
	const char *place = room->fd < 0 ? "memory" : "the disk";
	uint64_t needed = (uint64_t)(bytes_a_second * seconds);
	/* the time of --ring for which there is room */
	double fitting = (double)kept / 1e9 * (double)room->limit / (bytes_a_second * seconds) -
	                 (double)(kept - options->time) / 1e9;
	_cleanup_(buffer_release) struct buffer less = buffer_of(64);

	if (options->time == NSEC_NEVER) {
		message_note("%s events/s, %s/s: the ring holds the last %.1f s in %s of %s",
		             COUNT_TEXT((uint64_t)events_a_second),
		             SIZE_TEXT((uint64_t)bytes_a_second),
		             bytes_a_second > 0 ? (double)options->bytes / bytes_a_second : 0.0,
		             SIZE_TEXT(options->bytes), place);
		return true;
	}
	if (needed <= room->limit || is_forced) {
		message_note("%s events/s, %s/s: the last %s, with --after, take %s of %s",
		             COUNT_TEXT((uint64_t)events_a_second),
		             SIZE_TEXT((uint64_t)bytes_a_second), DURATION_TEXT(options->time),
		             SIZE_TEXT(needed), place);
		return true;
	}
	buffer_puts(&less, "");
	if (fitting >= 1)
		buffer_printf(&less, " --ring=%llus,", (unsigned long long)fitting);
	return message_fail(false, "record: %s events/s, %s/s: the last %s, with --after, would "
	                    "take %s of %s, and half of what is free are %s; take fewer groups "
	                    "(-e),%s --force%s", COUNT_TEXT((uint64_t)events_a_second),
	                    SIZE_TEXT((uint64_t)bytes_a_second), DURATION_TEXT(options->time),
	                    SIZE_TEXT(needed), place, SIZE_TEXT(room->limit), less.text,
	                    room->fd < 0 ? ", or --ring-file=FILE on a disk" : "");
}

/* A hit is seen so soon. */
#define FLUSH_NS          250000000u
/* What is recorded in so much time shows how much room the ring needs. */
#define RATE_NS           UINT64_C(2000000000)
#define SIGNALS_FORCED    2

struct flight_session {
	const struct record_options *record;
	const struct flight_options *options;
	struct recorder_process recorder;
	struct flight_room room;
	struct stream_ring ring;
	struct flight_shots shots;
	struct watch *watch;
	struct source *source;
	struct live_run *run;
	int32_t own[2];        /* this process and the recorder */
	bool is_judged;        /* the room was */
	bool is_refused;       /* there is too little */
	bool is_short_said;
	bool is_ending;        /* the recorder was asked to end */
	int passed_signals;    /* to the recorder */
};

static volatile sig_atomic_t end_signals, shot_signals, has_been_sent;

static void on_end(int number, siginfo_t *origin, void *context)
{
	(void)number;
	(void)context;
	end_signals = end_signals + 1;
	/* one that the terminal sends reaches the recorder, too */
	has_been_sent = origin->si_code <= 0;
}

static void on_shot(int number)
{
	(void)number;
	shot_signals = 1;
}

static void signals_begin(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	const struct sigaction end = {.sa_sigaction = on_end, .sa_flags = SA_SIGINFO};
	const struct sigaction shot = {.sa_handler = on_shot};
	struct sigaction before;

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			(void)sigaction(numbers[i], &end, NULL);
	(void)sigaction(SIGUSR2, &shot, NULL);
}

static void session_pass_signals(void *state)
{
	struct flight_session *session = state;

	if (session->passed_signals == end_signals)
		return;
	session->passed_signals = end_signals;
	if (has_been_sent || end_signals >= SIGNALS_FORCED)
		recorder_process_ask_to_end(&session->recorder);
}

static void session_turn_ring(struct flight_session *session, nsec_t reached)
{
	struct realtime_pair pair;
	int error = session->ring.error;
	bool has_pair;

	if (!stream_ring_is_due(&session->ring, reached))
		return;
	has_pair = realtime_read(NULL, session->shots.clock, NULL, &pair) == 0;
	if (!ring_tasks_turn(&session->ring, session->run, has_pair ? &pair : NULL, reached))
		return;
	if (error < 0)
		message_warning("--ring-file=%s: %s; what was kept so far is dropped",
		                session->options->ring_file, strerror(-error));
	if (!session->ring.is_short || session->is_short_said)
		return;
	session->is_short_said = true;
	message_warning("more is recorded than before: the ring holds only the last %.1f s, in %s",
	                (double)(reached - stream_ring_begin(&session->ring)) / 1e9,
	                SIZE_TEXT(session->ring.bytes));
}

static void session_judge_room(struct flight_session *session, nsec_t reached)
{
	nsec_t recorded = reached - live_run_first(session->run);
	double seconds = (double)recorded / 1e9;

	if (session->is_judged || recorded < RATE_NS)
		return;
	session->is_judged = true;
	session->is_refused = !flight_room_judge(
		&session->room, session->options, session->ring.time_max,
		session->record->is_forced,
		(double)session->ring.taken / seconds,
		(double)live_run_counts(session->run).events / seconds);
}

/* A hit of no condition. */
static void session_hit(struct flight_session *session, nsec_t at, const char *why, bool is_end)
{
	struct hit hit = {.at = at, .since = at, .tid = -1, .pid = -1, .is_end = is_end};

	(void)snprintf(hit.text, sizeof(hit.text), "%s", why);
	flight_shots_hit(&session->shots, &hit);
}

static void session_take_hits(struct flight_session *session, nsec_t reached)
{
	struct hit hit;

	watch_look(session->watch, reached);
	while (watch_next(session->watch, &hit))
		flight_shots_hit(&session->shots, &hit);
	if (!shot_signals)
		return;
	shot_signals = 0;
	session_hit(session, reached, "somebody asked for it", /* is_end= */ false);
}

static void session_show_status(const struct flight_session *session, nsec_t reached)
{
	_cleanup_(buffer_release) struct buffer line = buffer_of(500);

	if (!status_line_is_on())
		return;
	buffer_printf(&line, "ftwait: keeps the last %.0f s, %s, %llu shot%s",
	              (double)(reached - ring_tasks_begin(&session->ring, session->run)) / 1e9,
	              SIZE_TEXT(session->ring.bytes), (unsigned long long)session->shots.taken,
	              format_plural(session->shots.taken));
	if (session->shots.passed_over_all)
		buffer_printf(&line, ", %s more hits", COUNT_TEXT(session->shots.passed_over_all));
	buffer_printf(&line, ", Ctrl-C ends it");
	status_line_show(line.text);
}

/* Whether a record has come. */
static bool session_has_begun(const struct flight_session *session)
{
	return live_run_first(session->run) != NSEC_NEVER;
}

/* Once a flush of the recorder. */
static bool on_reached(void *state, nsec_t reached)
{
	struct flight_session *session = state;

	live_run_reach(session->run, reached);
	if (!session_has_begun(session))
		return true;
	session_take_hits(session, reached);
	session_turn_ring(session, reached);
	flight_shots_take(&session->shots, session->run, reached, /* is_end= */ false);
	if (live_run_renew(session->run))
		watch_turn(session->watch);
	session_judge_room(session, reached);
	session_show_status(session, reached);
	session_pass_signals(session);
	/* once: a second signal would end it at once, without what it still has to write */
	if (!session->is_ending && (session->is_refused || flight_shots_are_all(&session->shots))) {
		session->is_ending = true;
		recorder_process_ask_to_end(&session->recorder);
	}
	return true;
}

static void on_bytes(void *state, const void *bytes, size_t size)
{
	struct flight_session *session = state;

	stream_ring_take(&session->ring, bytes, size);
}

static bool on_pause(void *state)
{
	session_pass_signals(state);
	return true;
}

static int session_open(struct flight_session *session)
{
	const struct live_source_setup setup = {
		.fd = session->recorder.fd,
		.control_fd = -1,
		.on_reached = on_reached,
		.on_pause = on_pause,
		.on_bytes = on_bytes,
		.state = session,
	};
	_cleanup_(buffer_release) struct buffer why = buffer_of(1024);
	int r = live_source_open(&setup, &session->source, &why);

	if (r == 0 && session->source->clock)
		session->shots.clock = session->source->clock;
	if (r < 0 && !recorder_process_explains(r, recorder_process_stop(&session->recorder)))
		message_error("record: the recorder's stream: %s", why.text);
	return r;
}

static void session_read(struct flight_session *session)
{
	const struct live_run_setup setup = {
		.source = session->source,
		.on_span = watch_take_span,
		.on_record = watch_take_record,
		.state = session->watch,
	};

	status_line_begin(!session->record->is_quiet);
	session->run = live_run_new(&setup);
	watch_attach(session->watch, session->run, session->source);
	live_run_read(session->run);
	status_line_clear();
}

/* The stream has ended, so a pending hit gets its shot now, before its --after has passed. Without
   a condition the end is what the ring was kept for. */
static void session_end_stream(struct flight_session *session)
{
	nsec_t end = live_run_last(session->run);
	bool is_forced = end_signals >= SIGNALS_FORCED;

	if (session_has_begun(session) && !is_forced && !session->is_refused) {
		live_run_reach(session->run, end);
		session_take_hits(session, end);
		if (session->options->triggers.count == 0)
			session_hit(session, end, "the recording ended", /* is_end= */ true);
		flight_shots_take(&session->shots, session->run, end, /* is_end= */ true);
	}
	flight_shots_end(&session->shots, is_forced);
}

static void session_print_end(const struct flight_session *session)
{
	struct live_run_counts counts = live_run_counts(session->run);
	const struct flight_shots *shots = &session->shots;
	nsec_t end = live_run_last(session->run);
	double seconds = 0;
	uint64_t more;

	if (session->record->is_quiet || session->is_refused)
		return;
	if (session_has_begun(session))
		seconds = (double)(end - live_run_first(session->run)) / 1e9;
	(void)fprintf(stderr, "[ ftwait: %s events, %s lost, %.1f s, %llu shot%s",
	              COUNT_TEXT(counts.events), COUNT_TEXT(counts.lost), seconds,
	              (unsigned long long)shots->taken, format_plural(shots->taken));
	if (shots->failed)
		(void)fprintf(stderr, ", %llu failed", (unsigned long long)shots->failed);
	more = shots->passed_over_all + watch_hits_lost(session->watch);
	if (more)
		(void)fprintf(stderr, ", %s more hit%s", COUNT_TEXT(more), format_plural(more));
	(void)fputs(" ]\n", stderr);
}

/* Says what was wrong with the stream. */
static bool session_is_fine(const struct flight_session *session)
{
	for (size_t i = 0; i < session->source->health.note_count; i++)
		message_warning("record: %s", session->source->health.notes[i]);
	return !session->is_refused && session->shots.failed == 0 &&
	       (!session->source->health.damaged || end_signals >= SIGNALS_FORCED);
}

static int session_watch(struct flight_session *session)
{
	int status;

	session_read(session);
	session_end_stream(session);
	/* a signal more would end it before COMMAND has ended */
	status = recorder_process_wait(&session->recorder, session_pass_signals, session);
	session_print_end(session);
	if (!session_is_fine(session) && status == STATUS_FINE)
		return STATUS_FAILED;
	return status;
}

static int session_run(struct flight_session *session, char **argv)
{
	struct record_options record = *session->record;
	const struct recorder_setup setup = {
		.name = "record",
		.options = &record,
		.argv = argv,
	};
	const struct watch_setup watch = {
		.condition = session->options->condition,
		.condition_count = session->options->triggers.count,
		.own = session->own,
		.own_count = ARRAY_SIZE(session->own),
	};
	int status = STATUS_FAILED;

	record.flush = FLUSH_NS;
	record.ends_with_reader = record.is_quiet = true;
	/* shots are compressed, not the pipe */
	record.compress = (struct optional_string){0};
	record.wishes = session->options->wish;
	record.wish_count = session->options->wish_count;
	for (size_t i = 0; i < session->options->triggers.count; i++)
		record.needs_marks |= session->options->condition[i].head == CONDITION_MARK;
	signals_begin();
	if (!recorder_process_start(&setup, &session->recorder))
		return STATUS_FAILED;
	memory_give_back();
	session->own[0] = (int32_t)getpid();
	session->own[1] = (int32_t)session->recorder.pid;
	session->watch = watch_new(&watch);
	if (session_open(session) == 0)
		status = session_watch(session);
	live_run_free(session->run);
	source_close(session->source);
	watch_free(session->watch);
	return status;
}

int flight_session_run(const struct record_options *record, const struct flight_options *options,
                       char **argv)
{
	struct flight_session session = {.record = record, .options = options};
	int status = STATUS_FAILED;

	if (!flight_room_find(&session.room, options, record->is_forced))
		return STATUS_FAILED;
	/* so much before a hit, not before the shot */
	stream_ring_init(&session.ring,
	                 options->time == NSEC_NEVER
	                         ? NSEC_NEVER
	                         : options->time + options->after + 2 * (nsec_t)FLUSH_NS,
	                 session.room.limit, session.room.fd);
	flight_shots_init(&session.shots, options, record, &session.ring);
	if (flight_shots_have_folder(&session.shots))
		status = session_run(&session, argv);
	flight_shots_release(&session.shots);
	stream_ring_release(&session.ring);
	return status;
}

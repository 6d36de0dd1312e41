/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program_recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/map.h"
#include "base/monotonic.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "map_events.h"
#include "recorder/machine/text_file.h"
#include "words/command_line.h"

#define PUT_NS     1000000000u /* lines are put at least so often */
#define PUT_BYTES  (256u << 10)
#define READ_BYTES (32u << 10) /* of a command line; longer ones are cut */
#define RETRY_NS   200000u
/* Each time that the thread is woken costs the tasks of its CPU some time: it wakes this seldom on
   average if many programs are executed one after the other, but at once if it seldom had to. */
#define WAKE_NS  1000000u
#define WAKES_NS 50000000u
/* While files are opened so often that it would have to rest, nothing wakes it: it looks at opens
   after each pause, until there are fewer in a time than this. What takes longer than a pause has
   its file still open then. */
#define LOOK_NS       4000000u
#define SELDOM_NS     100000000u
#define SELDOM_OPENS  50u
/* A thread that does not end in this time reads the command line of a process that has its mappings
   locked, as while it maps a file of a dead file system. */
#define END_MS       500
#define ARGUMENTS_NS 50000000u /* a new program has its arguments after this time */

/* A program with its command line; or, text NULL, one whose line the kernel has not made yet. */
struct program {
	int32_t tgid;
	nsec_t begin; /* when it was executed; 0: before recording began */
	nsec_t read;
	char *text;       /* owned */
	bool is_doubtful; /* another program may have been there when it was read */
};

struct program_recorder {
	struct program_setup setup;
	pthread_t thread;
	int wake_fd, done_fd; /* done_fd: the thread has nothing more to do */
	pthread_mutex_t lock;
	bool is_left; /* under the lock: nothing is put any more */
	atomic_bool is_ended, is_traced;
	struct map_events *events; /* NULL: none */
	struct program_counts counts;
	/* all that follows is used by the thread alone */
	struct map asked;
	struct program *program; /* not put yet */
	size_t count, capacity;
	struct map last; /* process -> index in program + 1 of its last one */
	bool has_descriptors; /* is_traced has been seen */
	struct descriptor_notes descriptors;
	size_t unread;   /* number of those without a text */
	size_t bytes, waiting_bytes;
	char *line; /* READ_BYTES */
	nsec_t put_at;
	nsec_t paid; /* the wakes so far are paid for at this time: WAKE_NS for each */
	/* opens of any process since `counted`; is_silent: they do not wake the thread */
	uint64_t opens;
	nsec_t counted;
	bool is_silent;
};

/* Reads the command line, as far as it fits. Returns the number of bytes, 0 if the program has none
   yet, or -errno: the process has ended. */
static ssize_t line_read(int32_t tgid, char *line)
{
	_cleanup_(closep) int fd = open(PROC_PATH("/proc/%d/cmdline", tgid), O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return -errno;
	do {
		got = read(fd, line, READ_BYTES);
	} while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

static void program_give_up(struct program_recorder *recorder, struct program *program)
{
	program->is_doubtful = true;
	recorder->unread--;
	recorder->counts.missed += program->begin != 0;
}

/* Tries to read the program's command line. */
static void program_read(struct program_recorder *recorder, struct program *program)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(COMMAND_LINE_TEXT_MAX);
	ssize_t got = line_read(program->tgid, recorder->line);

	program->read = monotonic_now();
	if (got < 0 || (got == 0 && program->read - program->begin > ARGUMENTS_NS)) {
		program_give_up(recorder, program);
		return;
	}
	command_line_write(&text, recorder->line, (size_t)got, (size_t)got < READ_BYTES);
	if (text.length == 0)
		return;
	recorder->unread--;
	if (recorder->bytes + text.length > PROGRAM_BYTES_MAX) {
		program->is_doubtful = true;
		recorder->counts.left_out++;
		return;
	}
	recorder->bytes += text.length;
	recorder->waiting_bytes += text.length;
	program->text = xstrndup(text.text, text.length);
}

static void program_add(struct program_recorder *recorder, int32_t tgid, nsec_t begin)
{
	struct program *program;

	ARRAY_GROW(recorder->program, recorder->count, recorder->capacity);
	program = &recorder->program[recorder->count++];
	*program = (struct program){.tgid = tgid, .begin = begin};
	map_put(&recorder->last, (uint32_t)tgid, (uint32_t)recorder->count);
	recorder->unread++;
	program_read(recorder, program);
}

/* The process has executed a program at that time, so what was read later is not of the one
   before. */
static void program_end(struct program_recorder *recorder, int32_t tgid, nsec_t time)
{
	uint32_t at = map_get(&recorder->last, (uint32_t)tgid);
	struct program *program = at == MAP_NONE ? NULL : &recorder->program[at - 1];

	if (!program || program->is_doubtful)
		return;
	if (!program->text) {
		program_give_up(recorder, program);
	} else if (program->read >= time) {
		program->is_doubtful = true;
		recorder->counts.missed += program->begin != 0;
	}
}

/* Whether descriptors are followed by now. What a command does is seen after it was traced, so each
   event asks for that: the first ones may be read in one go with those from before. */
static bool descriptors_are_followed(struct program_recorder *recorder)
{
	const struct program_setup *setup = &recorder->setup;

	if (!recorder->has_descriptors && setup->tracefs && recorder->counts.open_error == 0 &&
	    atomic_load(&recorder->is_traced)) {
		recorder->has_descriptors = true;
		descriptor_notes_begin(&recorder->descriptors, setup->process,
		                       setup->process_count);
	}
	return recorder->has_descriptors;
}

static void descriptors_follow(struct descriptor_notes *notes, const struct map_event *event)
{
	switch (event->kind) {
	case MAP_EVENT_OPEN:
		descriptor_notes_open(notes, &(struct opened_descriptor){event->tgid, event->tid,
		                                                         event->descriptor});
		break;
	case MAP_EVENT_CONNECT:
		descriptor_notes_connect(notes, event->tid, event->descriptor);
		break;
	case MAP_EVENT_CONNECTED:
		descriptor_notes_connected(notes, event->tgid, event->tid);
		break;
	case MAP_EVENT_FORK:
		descriptor_notes_fork(notes, event->tgid);
		break;
	case MAP_EVENT_EXEC:
		descriptor_notes_exec(notes, event->tgid, event->time);
		break;
	case MAP_EVENT_MAP:
	case MAP_EVENT_THREAD:
		break;
	}
}

static void on_event(void *state, const struct map_event *event)
{
	struct program_recorder *recorder = state;

	recorder->opens += event->kind == MAP_EVENT_OPEN || event->kind == MAP_EVENT_CONNECTED;
	if (!asked_processes_follow(&recorder->asked, event))
		return;
	if (descriptors_are_followed(recorder))
		descriptors_follow(&recorder->descriptors, event);
	if (event->kind != MAP_EVENT_EXEC || !recorder->setup.has_programs)
		return;
	recorder->counts.execs++;
	program_end(recorder, event->tgid, event->time);
	program_add(recorder, event->tgid, event->time);
}

static void programs_retry(struct program_recorder *recorder)
{
	for (size_t i = 0; recorder->unread > 0 && i < recorder->count; i++) {
		struct program *program = &recorder->program[i];

		if (!program->text && !program->is_doubtful)
			program_read(recorder, program);
	}
}

/* Puts the lines of what was read before `until`, the begin of the last look at events: if another
   program had been executed by then, that is known. */
static void programs_put(struct program_recorder *recorder, nsec_t until)
{
	_cleanup_(buffer_release) struct buffer lines =
		buffer_of(2 * PROGRAM_BYTES_MAX + DESCRIPTOR_BYTES_MAX);
	size_t kept = 0;

	map_clear(&recorder->last);
	for (size_t i = 0; i < recorder->count; i++) {
		struct program *program = &recorder->program[i];

		if (!program->is_doubtful && (!program->text || program->read >= until)) {
			recorder->program[kept++] = *program;
			map_put(&recorder->last, (uint32_t)program->tgid, (uint32_t)kept);
			continue;
		}
		if (!program->is_doubtful)
			buffer_printf(&lines, "program %d %" PRIu64 " %" PRIu64 " %s\n",
				      (int)program->tgid, program->begin,
				      recorder->setup.is_timed ? program->read : 0, program->text);
		free(program->text);
	}
	recorder->count = kept;
	recorder->waiting_bytes = 0;
	buffer_append(&lines, recorder->descriptors.lines.text,
	              recorder->descriptors.lines.length);
	buffer_clear(&recorder->descriptors.lines);
	thread_lock(&recorder->lock);
	if (lines.length && !recorder->is_left)
		recorder->setup.put(recorder->setup.state, &lines);
	thread_unlock(&recorder->lock);
}

static bool has_lines(const struct program_recorder *recorder)
{
	return recorder->count > 0 || recorder->descriptors.lines.length > 0;
}

/* Keeps the thread from waking too often. Returns whether it had to. */
static bool recorder_rest(struct program_recorder *recorder)
{
	nsec_t time = monotonic_now();
	struct timespec rest = {0};

	recorder->paid = nsec_max(recorder->paid, time) + WAKE_NS;
	if (recorder->paid - time <= WAKES_NS)
		return false;
	rest.tv_nsec = (long)(recorder->paid - time - WAKES_NS);
	(void)nanosleep(&rest, NULL);
	return true;
}

/* Decides whether opens wake the thread. */
static void recorder_choose(struct program_recorder *recorder, bool had_to_rest)
{
	nsec_t time = monotonic_now();
	bool is_over = time - recorder->counted >= SELDOM_NS;

	if (!recorder->events || (!is_over && (recorder->is_silent || !had_to_rest)))
		return;
	recorder->is_silent =
		recorder->opens >= SELDOM_OPENS && (recorder->is_silent || had_to_rest);
	map_events_wake_at_opens(recorder->events, !recorder->is_silent);
	if (is_over) {
		recorder->opens = 0;
		recorder->counted = time;
	}
}

static void recorder_wait(struct program_recorder *recorder, bool is_behind)
{
	nsec_t time = monotonic_now(), until = NSEC_NEVER, pause;
	struct timespec timeout;

	if (has_lines(recorder))
		until = recorder->put_at;
	if (recorder->unread > 0)
		until = nsec_min(until, time + RETRY_NS);
	until = nsec_min(until, descriptor_notes_due(&recorder->descriptors));
	if (recorder->is_silent)
		until = time + LOOK_NS;
	pause = (is_behind && !recorder->is_silent) || until < time ? 0 : until - time;
	timeout = (struct timespec){(time_t)(pause / 1000000000), (long)(pause % 1000000000)};
	map_events_wait(recorder->is_silent ? NULL : recorder->events, recorder->wake_fd,
			is_behind || until != NSEC_NEVER ? &timeout : NULL);
}

static void *recorder_run(void *state)
{
	struct program_recorder *recorder = state;
	const struct program_setup *setup = &recorder->setup;
	bool is_ended = false, is_behind = false;
	eventfd_t unused;

	for (size_t i = 0; i < setup->process_count && setup->has_programs; i++)
		program_add(recorder, setup->process[i], 0);
	recorder->put_at = monotonic_now() + PUT_NS;
	while (!is_ended) {
		nsec_t time;

		recorder_choose(recorder, !recorder->is_silent && recorder_rest(recorder));
		recorder_wait(recorder, is_behind);
		(void)eventfd_read(recorder->wake_fd, &unused);
		is_ended = atomic_load(&recorder->is_ended);
		time = monotonic_now();
		is_behind = map_events_read(recorder->events, is_ended, on_event, recorder);
		(void)descriptors_are_followed(recorder);
		descriptor_notes_read(&recorder->descriptors, is_ended);
		programs_retry(recorder);
		if (!is_ended && time < recorder->put_at &&
		    recorder->waiting_bytes + recorder->descriptors.lines.length < PUT_BYTES)
			continue;
		programs_put(recorder, is_ended ? NSEC_NEVER : time);
		recorder->put_at = time + PUT_NS;
	}
	(void)eventfd_write(recorder->done_fd, 1);
	return NULL;
}

static void recorder_free(struct program_recorder *recorder)
{
	recorder->events = map_events_close(recorder->events);
	for (size_t i = 0; i < recorder->count; i++)
		free(recorder->program[i].text);
	free(recorder->program);
	free(recorder->line);
	descriptor_notes_release(&recorder->descriptors);
	map_release(&recorder->asked);
	map_release(&recorder->last);
	closep(&recorder->wake_fd);
	closep(&recorder->done_fd);
	(void)pthread_mutex_destroy(&recorder->lock);
	free(recorder);
}

int program_recorder_begin(struct program_recorder **ret, const struct program_setup *setup)
{
	struct program_recorder *recorder = xcalloc(1, sizeof(*recorder));
	int r;

	recorder->setup = *setup;
	recorder->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	recorder->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	(void)pthread_mutex_init(&recorder->lock, NULL);
	recorder->line = xmalloc(READ_BYTES);
	descriptor_notes_init(&recorder->descriptors);
	map_init(&recorder->asked);
	map_init(&recorder->last);
	for (size_t i = 0; i < setup->process_count; i++)
		map_put(&recorder->asked, (uint32_t)setup->process[i], 0);
	if (setup->child > 0)
		map_put(&recorder->asked, (uint32_t)setup->child, 0);
	if (setup->is_timed)
		recorder->counts.error = map_events_open(MAP_EVENTS_PROCESSES, &recorder->events);
	recorder->counts.open_error = recorder->counts.error;
	if (recorder->events && setup->tracefs)
		recorder->counts.open_error = map_events_add_opens(recorder->events,
		                                                   setup->tracefs);
	r = recorder->wake_fd < 0 || recorder->done_fd < 0
		    ? -errno
		    : thread_begin(&recorder->thread, recorder_run, recorder);
	if (r < 0)
		recorder_free(recorder);
	else
		*ret = recorder;
	return r;
}

void program_recorder_trace(struct program_recorder *recorder)
{
	if (!recorder)
		return;
	atomic_store(&recorder->is_traced, true);
	(void)eventfd_write(recorder->wake_fd, 1);
}

struct program_recorder *program_recorder_end(struct program_recorder *recorder,
					      struct program_counts *ret)
{
	struct pollfd done = {.events = POLLIN};

	*ret = (struct program_counts){0};
	if (!recorder)
		return NULL;
	done.fd = recorder->done_fd;
	atomic_store(&recorder->is_ended, true);
	(void)eventfd_write(recorder->wake_fd, 1);
	if (poll(&done, 1, END_MS) == 1) {
		(void)pthread_join(recorder->thread, NULL);
		*ret = recorder->counts;
		ret->descriptors = recorder->descriptors.counts;
		recorder_free(recorder);
		return NULL;
	}
	/* it keeps what it uses, and ends with this process, as this sleep can be killed */
	thread_lock(&recorder->lock);
	recorder->is_left = true;
	thread_unlock(&recorder->lock);
	(void)pthread_detach(recorder->thread);
	ret->is_stuck = true;
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file/confine.h"
#include "base/xalloc.h"
#include "plain_text.h"
#include "text_batch.h"
#include "text_shared.h"

#define CHILD_MEMORY_MAX (UINT64_C(1) << 30)
#define SYMBOLS_MAX_BYTES (UINT64_C(64) << 20)
#define SYMBOLS_STEP      (1u << 20)

/* Failures after which the library is not asked any more; one that hangs costs as much time as many
   that crash. */
#define FAILURES_MAX 64
#define HANG_WEIGHT  16

/* A batch, and what the child cannot change of it. */
struct exchange_state {
	struct text_batch batch;
	struct record record[EVENT_TEXT_BATCH]; /* payloads in shared memory */
	uint32_t format[EVENT_TEXT_BATCH];
	bool is_answered;
};

struct event_text {
	struct plain_text *plain;
	struct text_setup setup;
	struct text_shared *shared;
	char *symbols, *filter;
	uint8_t *tries; /* failures of a format */
	size_t format_count;
	struct exchange_state state[EVENT_TEXT_BATCHES];
	size_t first, waiting;
	pid_t child; /* 0: the library is not asked any more */
	bool is_ready;
	/* The parent has both ends for requests, so that no write to a child that has ended raises
	   SIGPIPE. */
	int request_to, request_from, answer_from;
	unsigned failures;
	uint64_t failed;
};

bool event_text_is_built(void)
{
	return true;
}

static struct exchange_state *state_at(struct event_text *text, size_t at)
{
	return &text->state[(text->first + at) % EVENT_TEXT_BATCHES];
}

static void child_ask(struct event_text *text, const struct exchange_state *state)
{
	uint8_t batch = (uint8_t)(state - text->state);

	/* the pipe has room, and two ends: this does not fail */
	while (text->child && write(text->request_to, &batch, 1) < 0 && errno == EINTR)
		;
}

#define FILES_MAX 1024 /* of this process, at most */

static void child_run(const struct event_text *text, const int requests[2], const int answers[2])
{
	child_confine(CHILD_MEMORY_MAX);
	/* pipes of the children of other texts, too: while these are open here, those do not end */
	for (int file = STDERR_FILENO + 1; file < FILES_MAX; file++)
		if (file != requests[0] && file != answers[1])
			(void)close(file);
	_exit((int)text_child_serve(&text->setup, requests[0], answers[1]));
}

/* Returns 0 or -errno; then there is no child. */
static int child_start(struct event_text *text)
{
	int requests[2], answers[2];
	int r;

	if (pipe2(requests, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(answers, O_CLOEXEC) < 0) {
		r = -errno;
		(void)close(requests[0]);
		(void)close(requests[1]);
		return r;
	}
	text->shared->stage = TEXT_IDLE;
	text->is_ready = false;
	text->child = fork();
	if (text->child == 0)
		child_run(text, requests, answers);
	r = -errno;
	text->request_from = requests[0];
	text->request_to = requests[1];
	text->answer_from = answers[0];
	(void)close(answers[1]);
	if (text->child > 0)
		return 0;
	text->child = 0;
	(void)close(requests[0]);
	(void)close(requests[1]);
	(void)close(answers[0]);
	return r;
}

/* Closes the child's pipes, by which it ends if it has not, and returns how it ended. */
static int child_end(struct event_text *text)
{
	int status = 0;

	(void)close(text->request_to);
	(void)close(text->request_from);
	(void)close(text->answer_from);
	while (waitpid(text->child, &status, 0) < 0 && errno == EINTR)
		;
	text->child = 0;
	return status;
}

/* The event with which the child ended has no text of the library's. */
static void blame_item(struct event_text *text, uint8_t skip, bool is_hang)
{
	uint32_t number = text->shared->batch_at, at;
	struct exchange_state *state;
	struct text_exchange *exchange;
	uint32_t format;

	if (number >= EVENT_TEXT_BATCHES)
		return;
	state = &text->state[number];
	exchange = &text->shared->exchange[number];
	at = exchange->next;
	if (!state->batch.items || state->is_answered || at >= state->batch.count)
		return;
	exchange->request[at].answer = TEXT_FAILED;
	exchange->next = at + 1;
	format = state->format[at];
	if (format == PLAIN_FORMAT_NONE)
		return;
	text->tries[format] = is_hang ? EVENT_TEXT_TRIES : (uint8_t)(text->tries[format] + 1);
	if (text->tries[format] >= EVENT_TEXT_TRIES)
		text->setup.skip[format] |= skip;
}

/* Decides what the next child does not do. */
static void blame(struct event_text *text, bool is_hang)
{
	uint32_t stage = text->shared->stage, format = text->shared->format;

	text->failures += is_hang ? HANG_WEIGHT : 1;
	switch (stage) {
	case TEXT_LOADS_PLUGINS:
	case TEXT_LOADS_STRINGS:
	case TEXT_LOADS_SYMBOLS:
		text->setup.skipped_stages |= 1u << stage;
		break;
	case TEXT_LOADS_FORMAT:
		if (format < text->format_count)
			text->setup.skip[format] |= TEXT_SKIP_LOAD;
		break;
	case TEXT_MATCHES:
		blame_item(text, TEXT_SKIP_MATCH, is_hang);
		break;
	case TEXT_WRITES:
		blame_item(text, TEXT_SKIP_TEXT, is_hang);
		break;
	default:
		break;
	}
}

/* After the child has ended: makes it again, and asks again for what it owes. */
static void child_replace(struct event_text *text)
{
	int status = child_end(text);
	bool is_hang = WIFSIGNALED(status) ? WTERMSIG(status) == SIGALRM
	                                   : WEXITSTATUS(status) == TEXT_HUNG;

	blame(text, is_hang);
	if (text->failures >= FAILURES_MAX || child_start(text) < 0)
		return;
	for (size_t i = 0; i < text->waiting; i++)
		if (!state_at(text, i)->is_answered)
			child_ask(text, state_at(text, i));
}

/* Waits for one word of the child. Returns false if it has ended. */
static bool child_hear(struct event_text *text)
{
	uint8_t word = 0;
	ssize_t got;

	do {
		got = read(text->answer_from, &word, 1);
	} while (got < 0 && errno == EINTR);
	if (got != 1)
		return false;
	if (word == TEXT_READY)
		text->is_ready = true;
	else if (word < EVENT_TEXT_BATCHES)
		text->state[word].is_answered = true;
	return true;
}

/* The filter can only be judged by the library. Returns 0, or -EINVAL and a phrase. */
static int filter_await(struct event_text *text, struct buffer *why)
{
	while (text->child && !text->is_ready) {
		const char *error = text->shared->filter_error;

		if (child_hear(text))
			continue;
		if (text->shared->stage == TEXT_READS_FILTER) {
			(void)child_end(text);
			text->shared->filter_error[sizeof(text->shared->filter_error) - 1] = '\0';
			return buffer_fail(why, -EINVAL, "\"%s\" is no filter of events: %s",
			                   text->filter, *error ? error : "libtraceevent crashed");
		}
		child_replace(text);
	}
	if (!text->is_ready)
		return buffer_fail(why, -EIO, "events cannot be filtered, because libtraceevent "
		                   "crashes on their formats");
	return 0;
}

/* Whether any symbol has an address: the kernel hides them as zeros, and then all would have one
   name. */
static bool symbols_have_addresses(const char *line)
{
	while (*line) {
		size_t zeros = strspn(line, "0");

		if (line[zeros] != ' ' && line[zeros] != '\t')
			return true;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return false;
}

/* The text of kallsyms; NULL: there is none. */
static char *symbols_copy(struct source *source)
{
	_cleanup_(buffer_release) struct buffer all = buffer_of(SYMBOLS_MAX_BYTES);
	char *piece = xmalloc(SYMBOLS_STEP);
	uint64_t offset = 0;
	int64_t got;

	while (offset < SYMBOLS_MAX_BYTES &&
	       (got = source_read_symbols(source, offset, piece, SYMBOLS_STEP)) > 0) {
		buffer_append(&all, piece, (size_t)got);
		offset += (uint64_t)got;
	}
	free(piece);
	return all.text && symbols_have_addresses(all.text) ? TAKE_PTR(all.text) : NULL;
}

struct event_text *event_text_new(struct source *source, const char *filter, struct buffer *why)
{
	struct event_text *text = xcalloc(1, sizeof(*text));
	int r;

	text->plain = plain_text_new(source);
	text->format_count = source->format_count;
	text->tries = xcalloc(text->format_count, 1);
	text->symbols = symbols_copy(source);
	text->filter = filter ? xstrdup(filter) : NULL;
	text->shared = mmap(NULL, sizeof(*text->shared), PROT_READ | PROT_WRITE,
	                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	text->setup = (struct text_setup){
		.source = source,
		.symbols = text->symbols,
		.filter = text->filter,
		.skip = xcalloc(text->format_count, 1),
		.shared = text->shared,
	};
	for (size_t i = 0; i < EVENT_TEXT_BATCHES; i++)
		text_batch_init(&text->state[i].batch);
	r = text->shared == MAP_FAILED ? -errno : child_start(text);
	if (r == 0)
		r = filter ? filter_await(text, why) : 0;
	else
		(void)buffer_fail(why, r, "no process can be made for libtraceevent: %s",
		                  strerror(-r));
	return r < 0 ? event_text_free(text) : text;
}

const struct raw_format *event_text_only_format(struct event_text *text)
{
	uint32_t id = text->shared->only_event;

	return text->filter ? plain_text_find(text->plain, id) : NULL;
}

struct event_text *event_text_free(struct event_text *text)
{
	if (!text)
		return NULL;
	if (text->child)
		(void)child_end(text);
	if (text->shared != MAP_FAILED)
		(void)munmap(text->shared, sizeof(*text->shared));
	for (size_t i = 0; i < EVENT_TEXT_BATCHES; i++)
		text_batch_release(&text->state[i].batch);
	text->plain = plain_text_free(text->plain);
	free(text->setup.skip);
	free(text->tries);
	free(text->symbols);
	free(text->filter);
	free(text);
	return NULL;
}

/* Writes the item into shared memory, and returns the end of its payload there. */
static uint32_t item_send(struct event_text *text, struct exchange_state *state,
                          const struct event_text_item *item, size_t at, uint32_t payload)
{
	struct text_exchange *exchange = &text->shared->exchange[state - text->state];
	struct text_request *request = &exchange->request[at];
	struct record *copy = &state->record[at];

	*copy = *item->record;
	if (copy->length > TEXT_PAYLOAD_MAX)
		copy->length = TEXT_PAYLOAD_MAX;
	copy->payload = exchange->payload + payload;
	memcpy(exchange->payload + payload, item->record->payload, copy->length);
	state->format[at] = plain_text_format(text->plain, copy);
	*request = (struct text_request){
		.time = copy->time,
		.format = state->format[at],
		.cpu = item->cpu,
		.payload = payload,
		.length = copy->length,
		.answer = TEXT_NONE,
	};
	if (item->comm)
		memcpy(request->comm, item->comm, strnlen(item->comm, sizeof(request->comm) - 1));
	return payload + copy->length;
}

void event_text_submit(struct event_text *text, struct event_text_item *items, size_t count)
{
	struct exchange_state *state;
	struct text_exchange *exchange;
	uint32_t payload = 0;

	assert(count <= EVENT_TEXT_BATCH && text->waiting < EVENT_TEXT_BATCHES);
	state = state_at(text, text->waiting++);
	exchange = &text->shared->exchange[state - text->state];
	text_batch_begin(&state->batch, items, count);
	state->is_answered = false;
	for (size_t i = 0; i < count; i++)
		payload = item_send(text, state, &items[i], i, payload);
	exchange->count = (uint32_t)count;
	exchange->next = 0;
	exchange->text_end = 0;
	child_ask(text, state);
}

/* Takes one answer of the child's, which may be anything. */
static void item_receive(struct event_text *text, struct exchange_state *state, size_t at)
{
	const struct text_exchange *exchange = &text->shared->exchange[state - text->state];
	const volatile struct text_request *request = &exchange->request[at];
	uint32_t begin = request->text, length = request->text_length, answer = request->answer;

	if (answer == TEXT_LEFT_OUT && text->filter) {
		text_batch_leave_out(&state->batch);
	} else if (answer == TEXT_WRITTEN && length <= EVENT_TEXT_MAX &&
	           begin <= sizeof(exchange->text) - length) {
		text_batch_add(&state->batch, exchange->text + begin, length);
	} else {
		text->failed += answer != TEXT_REFUSED;
		text_batch_add_plain(&state->batch, text->plain, &state->record[at]);
	}
}

size_t event_text_collect(struct event_text *text)
{
	struct exchange_state *state = &text->state[text->first];

	if (text->waiting == 0)
		return 0;
	while (text->child && !state->is_answered)
		if (!child_hear(text))
			child_replace(text);
	for (size_t i = 0; i < state->batch.count; i++)
		item_receive(text, state, i);
	text->first = (text->first + 1) % EVENT_TEXT_BATCHES;
	text->waiting--;
	return text_batch_end(&state->batch);
}

void event_text_write(struct event_text *text, struct event_text_item *items, size_t count)
{
	event_text_submit(text, items, count);
	(void)event_text_collect(text);
}

uint64_t event_text_failed(const struct event_text *text)
{
	return text->failed;
}

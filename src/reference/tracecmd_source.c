/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracecmd_source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "source/file/datfile_source.h"
#include "source/source.h"
#include "source/source_notes.h"
#include "tracecmd_child.h"

#define PROGRESS_TIMEOUT_MS 10000
#define CHILD_MEMORY_MAX    (UINT64_C(4) << 30)

#if defined(__SANITIZE_ADDRESS__)
#define IS_ADDRESS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_ADDRESS_SANITIZED 1
#endif
#endif
#ifndef IS_ADDRESS_SANITIZED
#define IS_ADDRESS_SANITIZED 0
#endif

struct reference_feed {
	bool is_over;
	struct record *records;
	uint8_t *payloads;
};

struct reference {
	struct source source; /* the first member, as ops cast a pointer to it back */
	struct source *native; /* describes this trace */
	struct text_store text;
	struct reference_feed *feeds;
	pid_t child; /* 0: reaped */
	int socket;
};

/* Gives the child access to nothing of the caller's except the file and the socket. */
static void child_isolate(void)
{
	const struct rlimit memory = {CHILD_MEMORY_MAX, CHILD_MEMORY_MAX};
	const struct rlimit core = {0, 0};
	static const int dying[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGINT, SIGTERM};
	int null = open("/dev/null", O_RDWR);

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < sizeof(dying) / sizeof(dying[0]); i++)
		(void)signal(dying[i], SIG_DFL);
	(void)setrlimit(RLIMIT_CORE, &core);
	/* not with the address sanitizer: its tables are larger than any limit */
	if (!IS_ADDRESS_SANITIZED)
		(void)setrlimit(RLIMIT_AS, &memory);
	for (int fd = 0; fd <= 2 && null >= 0; fd++)
		(void)dup2(null, fd);
}

static int reference_fork(struct reference *reference)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	reference->child = fork();
	if (reference->child == 0) {
		(void)close(pair[0]);
		child_isolate();
		_exit((int)reference_serve(reference->native, pair[1]));
	}
	(void)close(pair[1]);
	reference->socket = pair[0];
	if (reference->child < 0) {
		reference->child = 0;
		return -errno;
	}
	return 0;
}

/* Returns 0, -ENODATA if the child has ended, or -ETIMEDOUT if it does not answer for too long. */
static int reference_receive(const struct reference *reference, void *to, size_t size)
{
	uint8_t *at = to;

	while (size > 0) {
		struct pollfd ready = {.fd = reference->socket, .events = POLLIN};
		int polled = poll(&ready, 1, PROGRESS_TIMEOUT_MS);
		ssize_t got;

		if (polled == 0)
			return -ETIMEDOUT;
		got = polled > 0 ? recv(reference->socket, at, size, 0) : -1;
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno != ECONNRESET)
			return -errno;
		if (got <= 0)
			return -ENODATA;
		at += got;
		size -= (size_t)got;
	}
	return 0;
}

/* Ends the child in any case, and reports how it ended. */
static void reference_reap(struct reference *reference, int error, struct buffer *why)
{
	int status = 0;
	pid_t child = reference->child;

	reference->child = 0;
	if (child == 0)
		return;
	if (error != -ENODATA)
		(void)kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (error == -ETIMEDOUT)
		buffer_printf(why, "libtracecmd made no progress for %d s and was stopped",
		              PROGRESS_TIMEOUT_MS / 1000);
	else if (error != -ENODATA)
		buffer_printf(why, "libtracecmd cannot be asked: %s", strerror(-error));
	else if (WIFSIGNALED(status))
		buffer_printf(why, "libtracecmd crashed (%s)", strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) == REFERENCE_CANNOT_OPEN)
		buffer_puts(why, "libtracecmd cannot open it");
	else
		buffer_printf(why, "libtracecmd's process ended with status %d",
		              WEXITSTATUS(status));
}

static int reference_check(const struct reply *reply)
{
	if (reply->count > REFERENCE_BATCH_RECORDS || reply->bytes > REFERENCE_BATCH_BYTES)
		return -EBADMSG;
	return 0;
}

/* Turns the payloads of a reply into records. */
static int reference_lay_out(struct reference_feed *feed, const struct reply *reply,
                             const struct reply_record *from)
{
	size_t at = 0;

	for (uint32_t i = 0; i < reply->count; i++) {
		/* NOLINTNEXTLINE: filled by reference_receive(), which the analyser cannot see */
		size_t padded = (size_t)((from[i].length + 7) & ~UINT64_C(7));

		if (from[i].length > REFERENCE_BATCH_BYTES || padded > reply->bytes - at)
			return -EBADMSG;
		feed->records[i] = (struct record){from[i].time, feed->payloads + at,
		                                   (uint32_t)from[i].length};
		at += padded;
	}
	return 0;
}

static int reference_ask(struct reference *reference, uint32_t stream, struct reply *ret)
{
	struct reference_feed *feed = &reference->feeds[stream];
	struct reply_record records[REFERENCE_BATCH_RECORDS];
	int r;

	if (!feed->records) {
		feed->records = xreallocarray(NULL, REFERENCE_BATCH_RECORDS,
		                              sizeof(*feed->records));
		feed->payloads = xmalloc(REFERENCE_BATCH_BYTES);
	}
	r = reference_send(reference->socket, &stream, sizeof(stream));
	if (r < 0) /* the socket is closed: the child has ended */
		return -ENODATA;
	r = reference_receive(reference, ret, sizeof(*ret));
	if (r == 0)
		r = reference_check(ret);
	if (r == 0)
		r = reference_receive(reference, records, ret->count * sizeof(records[0]));
	if (r == 0)
		r = reference_receive(reference, feed->payloads, ret->bytes);
	return r < 0 ? r : reference_lay_out(feed, ret, records);
}

static void reference_feed_end(struct reference_feed *feed)
{
	feed->is_over = true;
	free(feed->records);
	free(feed->payloads);
	feed->records = NULL;
	feed->payloads = NULL;
}

static enum pull reference_next_batch(struct source *source, size_t stream,
                                      struct record_batch *ret)
{
	struct reference *reference = (struct reference *)source;
	struct reference_feed *feed = &reference->feeds[stream];
	struct reply reply = {0};
	int r;

	*ret = (struct record_batch){0};
	if (feed->is_over || reference->child == 0)
		return PULL_END;
	r = reference_ask(reference, (uint32_t)stream, &reply);
	if (r < 0) {
		struct buffer why;

		buffer_init(&why, 256);
		reference_reap(reference, r, &why);
		source_damage(source, &reference->text, "%s while reading cpu %u", why.text,
		              source->streams[stream].cpu);
		buffer_release(&why);
	}
	if (r < 0 || reply.count == 0) {
		reference_feed_end(feed);
		return PULL_END;
	}
	*ret = (struct record_batch){feed->records, reply.count, reply.lost_events};
	return PULL_ITEM;
}

static int64_t reference_read_symbols(struct source *source, uint64_t offset, char *to, size_t size)
{
	return source_read_symbols(((struct reference *)source)->native, offset, to, size);
}

static void reference_free(struct reference *reference)
{
	if (reference->child > 0) {
		(void)kill(reference->child, SIGKILL);
		while (waitpid(reference->child, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (reference->socket >= 0)
		(void)close(reference->socket);
	for (size_t i = 0; reference->feeds && i < reference->source.stream_count; i++)
		reference_feed_end(&reference->feeds[i]);
	free(reference->feeds);
	text_store_release(&reference->text);
	(void)source_close(reference->native);
	free(reference);
}

static void reference_close(struct source *source)
{
	reference_free((struct reference *)source);
}

static const struct source_ops reference_ops = {
	.name = "libtracecmd",
	.next_batch = reference_next_batch,
	.read_symbols = reference_read_symbols,
	.close = reference_close,
};

static int reference_begin(struct reference *reference, struct buffer *why)
{
	struct reply opened;
	int r = reference_fork(reference);

	if (r < 0) {
		buffer_printf(why, "cannot start a process for libtracecmd: %s", strerror(-r));
		return r;
	}
	r = reference_receive(reference, &opened, sizeof(opened));
	if (r == 0)
		return 0;
	reference_reap(reference, r, why);
	if (datfile_packing(reference->native) == PACKING_ZLIB)
		buffer_puts(why, " (it is compressed with zlib, which many builds of libtracecmd "
		                 "lack)");
	buffer_puts(why, "; use --reader native");
	return r == -ENODATA ? -EIO : r;
}

bool reference_is_built(void)
{
	return true;
}

int reference_open(const char *path, struct source **ret, struct buffer *why)
{
	struct reference *reference;
	struct source *native;
	int r = source_open(path, &native, why);

	if (r < 0)
		return r;
	if (!datfile_is_source(native)) {
		(void)source_close(native);
		buffer_puts(why, "libtracecmd does not read text; use --reader native");
		return -EINVAL;
	}
	reference = xcalloc(1, sizeof(*reference));
	reference->native = native;
	reference->source = *native;
	reference->source.ops = &reference_ops;
	reference->socket = -1;
	reference->feeds = xcalloc(native->stream_count, sizeof(*reference->feeds));
	r = reference_begin(reference, why);
	if (r < 0) {
		reference_free(reference);
		return r;
	}
	*ret = &reference->source;
	return 0;
}

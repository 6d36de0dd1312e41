/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "peek.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "child.h"
#include "text_file.h"

#define ARGUMENT_BYTES_MAX (64u << 10)
/* On a busy machine the process may not have got a CPU yet: it gets so much more time, while it is
   able to run. */
#define PEEK_QUEUED_NS 2000000000u

struct peek_request {
	peek_call_fn *call;
	size_t size;  /* of the argument, which follows */
	size_t limit; /* of the reply */
};

struct peek_answer {
	int result;
	size_t size; /* of the reply, which follows */
};

void peek_init(struct peek *peek, nsec_t patience)
{
	*peek = (struct peek){.patience = patience, .fd = -1};
	(void)pthread_mutex_init(&peek->lock, NULL);
	map_init(&peek->rest_until);
}

/* Waits for what comes until then. */
static bool receive(int fd, void *to, size_t size, nsec_t deadline)
{
	char *at = to;

	while (size > 0) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		nsec_t now = monotonic_now();
		ssize_t got;

		if (deadline != NSEC_NEVER &&
		    poll(&ready, 1,
			 deadline > now ? (int)((deadline - now + 999999) / 1000000) : 0) == 0) {
			errno = ETIMEDOUT;
			return false;
		}
		got = recv(fd, at, size, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			errno = got < 0 ? errno : EPIPE;
			return false;
		}
		at += got;
		size -= (size_t)got;
	}
	return true;
}

static bool give(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size > 0) {
		ssize_t sent = send(fd, at, size, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return false;
		at += sent;
		size -= (size_t)sent;
	}
	return true;
}

/* The process: until the other end of the socket is closed. */
static _Noreturn void peek_run(int fd)
{
	char *argument;

	if (guard_process_begin(fd) < 0)
		_exit(1);
	guard_process_close_from(STDIN_FILENO + 1);
	argument = xmalloc(ARGUMENT_BYTES_MAX);
	for (;;) {
		_cleanup_(buffer_release) struct buffer reply = {0};
		struct peek_request request;
		struct peek_answer answer;

		if (!receive(STDIN_FILENO, &request, sizeof(request), NSEC_NEVER) ||
		    !receive(STDIN_FILENO, argument, request.size, NSEC_NEVER))
			_exit(0);
		buffer_init(&reply, request.limit);
		answer.result = request.call(argument, request.size, &reply);
		answer.size = reply.length;
		if (!give(STDIN_FILENO, &answer, sizeof(answer)) ||
		    !give(STDIN_FILENO, reply.text, reply.length))
			_exit(0);
	}
}

/* Reaps those of the killed processes that have ended. */
static void left_reap(struct peek *peek)
{
	size_t kept = 0;

	for (size_t i = 0; i < peek->left_count; i++)
		if (waitpid(peek->left[i], NULL, WNOHANG) == 0)
			peek->left[kept++] = peek->left[i];
	peek->left_count = kept;
}

static void process_leave(struct peek *peek)
{
	closep(&peek->fd);
	if (peek->pid > 0) {
		(void)kill(peek->pid, SIGKILL);
		peek->left[peek->left_count++] = peek->pid;
	}
	peek->pid = 0;
	peek->fd = -1;
}

void peek_release(struct peek *peek)
{
	nsec_t deadline = monotonic_now() + PEEK_PATIENCE_NS;

	left_reap(peek);
	process_leave(peek);
	for (left_reap(peek); peek->left_count > 0 && monotonic_now() < deadline; left_reap(peek)) {
		static const struct timespec pause = {.tv_nsec = 1000000};

		(void)nanosleep(&pause, NULL);
	}
	map_release(&peek->rest_until);
	(void)pthread_mutex_destroy(&peek->lock);
}

nsec_t peek_time(struct peek *peek)
{
	struct timespec time = {0};
	clockid_t clock;

	thread_lock(&peek->lock);
	if (peek->pid > 0 && clock_getcpuclockid(peek->pid, &clock) == 0)
		(void)clock_gettime(clock, &time);
	thread_unlock(&peek->lock);
	return (nsec_t)time.tv_sec * 1000000000u + (nsec_t)time.tv_nsec;
}

static int process_begin(struct peek *peek)
{
	int pair[2];
	pid_t pid;

	left_reap(peek);
	if (peek->left_count >= PEEK_LEFT_MAX - 1) /* room for this one, too */
		return -EBUSY;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		peek_run(pair[1]);
	(void)close(pair[1]);
	if (pid < 0) {
		(void)close(pair[0]);
		return -EAGAIN;
	}
	peek->pid = pid;
	peek->fd = pair[0];
	return 0;
}

/* Whether the process is able to run: then only the CPUs are busy. */
static bool process_is_runnable(pid_t pid)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(4096);

	(void)text_file_read(PROC_PATH("/proc/%d/status", pid), &text);
	return strstr(text.text, "\nState:\tR");
}

static bool answer_begins(struct peek *peek, struct peek_answer *ret)
{
	nsec_t begin = monotonic_now(), patience = peek->patience;

	while (!receive(peek->fd, ret, sizeof(*ret), begin + patience)) {
		if (errno != ETIMEDOUT)
			return false;
		/* the answer may have come meanwhile */
		if (monotonic_now() - begin > PEEK_QUEUED_NS || !process_is_runnable(peek->pid))
			return receive(peek->fd, ret, sizeof(*ret), begin);
		patience += peek->patience;
	}
	return true;
}

static int exchange(struct peek *peek, const struct peek_request *request, const void *argument,
		    struct buffer *reply)
{
	struct peek_answer answer = {0};
	char *room;

	if (!give(peek->fd, request, sizeof(*request)) ||
	    !give(peek->fd, argument, request->size) || !answer_begins(peek, &answer))
		return errno == ETIMEDOUT ? -ETIMEDOUT : -EIO;
	room = answer.size > 0 ? buffer_room(reply, answer.size) : NULL;
	if (answer.size == 0)
		return answer.result;
	if (!room || !receive(peek->fd, room, answer.size, monotonic_now() + PEEK_QUEUED_NS))
		return -EIO;
	buffer_end(reply, room + answer.size);
	return answer.result;
}

static int call_locked(struct peek *peek, uint64_t about, const struct peek_request *request,
		       const void *argument, struct buffer *reply)
{
	uint32_t until = map_get(&peek->rest_until, about);
	bool is_resting = until != MAP_NONE && monotonic_now() / 1000000000u < until;
	int r = is_resting ? -ETIMEDOUT : 0;

	if (r == 0 && peek->pid == 0)
		r = process_begin(peek);
	if (r < 0)
		return r;
	r = exchange(peek, request, argument, reply);
	if (r == -ETIMEDOUT) {
		peek->unanswered++;
		map_put(&peek->rest_until, about,
			(uint32_t)((monotonic_now() + PEEK_REST_NS) / 1000000000u));
	}
	if (r == -ETIMEDOUT || r == -EIO)
		process_leave(peek);
	return r;
}

int peek_call(struct peek *peek, uint64_t about, peek_call_fn *call, const void *argument,
	      size_t size, struct buffer *reply)
{
	const struct peek_request request = {
		.call = call,
		.size = size,
		.limit = reply->limit - reply->length,
	};
	int r;

	if (size > ARGUMENT_BYTES_MAX)
		return -E2BIG;
	thread_lock(&peek->lock);
	r = call_locked(peek, about, &request, argument, reply);
	thread_unlock(&peek->lock);
	return r;
}

static int text_read(const void *path, size_t size, struct buffer *reply)
{
	(void)size;
	return text_file_read(path, reply);
}

int peek_text(struct peek *peek, int32_t pid, const char *path, struct buffer *to)
{
	return peek_call(peek, (uint64_t)pid, text_read, path, strlen(path) + 1, to);
}

static int link_read(const void *path, size_t size, struct buffer *reply)
{
	char *room = buffer_room(reply, PATH_MAX);
	ssize_t got = room ? readlink(path, room, PATH_MAX) : -1;

	(void)size;
	if (got < 0)
		return -EIO;
	buffer_end(reply, room + got);
	return 0;
}

int peek_link(struct peek *peek, int32_t pid, const char *path, struct buffer *to)
{
	return peek_call(peek, (uint64_t)pid, link_read, path, strlen(path) + 1, to);
}

struct place {
	uint64_t offset;
	size_t size;
	char path[PATH_MAX];
};

static int bytes_read(const void *argument, size_t size, struct buffer *reply)
{
	const struct place *place = argument;
	_cleanup_(closep) int fd = open(place->path, O_RDONLY | O_CLOEXEC);
	char *room;
	ssize_t got;

	(void)size;
	if (fd < 0)
		return -errno;
	room = buffer_room(reply, place->size);
	if (!room)
		return -EFBIG;
	got = pread(fd, room, place->size, (off_t)place->offset);
	if (got < 0)
		return -errno;
	buffer_end(reply, room + got);
	return 0;
}

int peek_bytes(struct peek *peek, int32_t pid, const char *path, uint64_t offset, size_t size,
	       struct buffer *to)
{
	struct place place = {.offset = offset, .size = size};

	if (offset > INT64_MAX ||
	    snprintf(place.path, sizeof(place.path), "%s", path) >= (int)sizeof(place.path))
		return -EINVAL;
	return peek_call(peek, (uint64_t)pid, bytes_read, &place, sizeof(place), to);
}

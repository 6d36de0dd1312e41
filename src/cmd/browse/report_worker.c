/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_worker.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file/seal.h"
#include "base/text/shell_quote.h"
#include "base/xalloc.h"
#include "browse_report.h"
#include "child_process.h"
#include "cmd/commands.h"

/* It reads while the user reads the first screen: that goes first. */
#define WORKER_NICENESS 5
/* It may keep the lesser of these: a part of the machine's memory, and bytes. */
#define MEMORY_PART 4
#define MEMORY_MOST (UINT64_C(2) << 30)

#define QUESTION_BYTES 16384

/* What the worker says. */
enum worker_says { NEWS_READY, NEWS_BEGUN, NEWS_ENDED };

struct worker_news {
	enum worker_says what;
	int number; /* the child; its status */
};

/* A question, with the two descriptors beside it. */
struct worker_question {
	uint32_t columns;
	char options[QUESTION_BYTES];
};

static int serving_socket; /* of the worker, which has only one */

static void news_send(enum worker_says what, int number)
{
	const struct worker_news news = {.what = what, .number = number};

	if (send(serving_socket, &news, sizeof(news), MSG_NOSIGNAL) < 0)
		child_leave(STATUS_FINE);
}

/* Room for two descriptors beside a message. */
union descriptors_room {
	char bytes[CMSG_SPACE(2 * sizeof(int))];
	struct cmsghdr aligned;
};

/* Waits for a question. False: nobody asks any more. */
static bool question_receive(struct worker_question *question, int fd[2])
{
	union descriptors_room room;
	struct iovec part = {question, sizeof(*question)};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = room.bytes,
		.msg_controllen = sizeof(room.bytes),
	};
	const struct cmsghdr *beside;
	ssize_t got;

	do {
		got = recvmsg(serving_socket, &message, MSG_CMSG_CLOEXEC);
	} while (got < 0 && errno == EINTR);
	beside = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (!beside || beside->cmsg_len != CMSG_LEN(2 * sizeof(int)))
		return false;
	memcpy(fd, CMSG_DATA(beside), 2 * sizeof(int));
	return true;
}

__attribute__((noreturn)) static void answer(const struct report_served *served,
                                             const struct worker_question *question,
                                             const int fd[2], pid_t worker)
{
	struct report_options defaults = browse_report_defaults(question->columns);

	child_become(worker, fd[0], fd[1]);
	defaults.served = served;
	defaults.no_seal = true; /* the worker's holds */
	child_leave(browse_report_run(&(struct browse_report){"", question->options}, &defaults));
}

static size_t memory_most(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	uint64_t part = pages > 0 && page > 0 ? (uint64_t)pages / MEMORY_PART * (uint64_t)page : 0;

	return (size_t)(part < MEMORY_MOST ? part : MEMORY_MOST);
}

static int worker_serve(const struct report_served *opened)
{
	struct report_served served = *opened;
	struct worker_question question;
	pid_t worker = getpid(), child;
	int fd[2];

	(void)seal_begin(-1);
	served.kept = kept_run_read(served.loaded, memory_most());
	if (!served.kept)
		return STATUS_FINE;
	news_send(NEWS_READY, 0);
	while (question_receive(&question, fd)) {
		question.options[sizeof(question.options) - 1] = '\0';
		child = fork();
		if (child == 0)
			answer(&served, &question, fd, worker);
		news_send(NEWS_BEGUN, child);
		(void)close(fd[0]);
		(void)close(fd[1]);
		news_send(NEWS_ENDED, child < 0 ? STATUS_NOT_KEPT : child_await_end(&child));
	}
	served.kept = kept_run_free(served.kept);
	return STATUS_FINE;
}

__attribute__((noreturn)) static void worker_run(pid_t parent, int argc, char **argv)
{
	struct report_options defaults = browse_report_defaults(0);

	child_become(parent, -1, -1);
	(void)setpriority(PRIO_PROCESS, 0, WORKER_NICENESS);
	defaults.serve = worker_serve;
	defaults.is_quiet = true;
	child_leave(report_command_as(argc, argv, &defaults));
}

int report_worker_start(struct report_worker *worker, int argc, char **argv)
{
	_cleanup_(closep) int other = -1;
	pid_t parent = getpid();
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	other = pair[1];
	(void)fflush(NULL);
	worker->pid = fork();
	if (worker->pid < 0) {
		int error = errno;

		worker->pid = 0;
		(void)close(pair[0]);
		return -error;
	}
	if (worker->pid == 0) {
		(void)close(pair[0]);
		serving_socket = pair[1];
		worker_run(parent, argc, argv);
	}
	worker->socket = pair[0];
	return 0;
}

void report_worker_stop(struct report_worker *worker)
{
	if (worker->pid) {
		(void)kill(worker->pid, SIGKILL);
		(void)child_await_end(&worker->pid);
	}
	closep(&worker->socket);
	*worker = (struct report_worker){.socket = -1};
}

void report_worker_take(struct report_worker *worker)
{
	struct worker_news news;
	ssize_t got;

	while (worker->socket >= 0) {
		got = recv(worker->socket, &news, sizeof(news), MSG_DONTWAIT);
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (got != sizeof(news)) {
			report_worker_stop(worker);
		} else if (news.what == NEWS_READY) {
			worker->is_ready = true;
		} else if (news.what == NEWS_BEGUN) {
			worker->child = news.number;
		} else {
			worker->child = 0;
			worker->is_busy = false;
			worker->status = news.number;
		}
	}
}

int report_worker_ask(struct report_worker *worker, const char *options, size_t columns, int out,
                      int error)
{
	const int fd[2] = {out, error};
	_cleanup_(freep) struct worker_question *question = xcalloc(1, sizeof(*question));
	union descriptors_room room = {{0}};
	struct iovec part = {question, sizeof(*question)};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = room.bytes,
		.msg_controllen = sizeof(room.bytes),
	};
	struct cmsghdr *beside = CMSG_FIRSTHDR(&message);

	if (strlen(options) >= sizeof(question->options))
		return -E2BIG;
	question->columns = (uint32_t)columns;
	memcpy(question->options, options, strlen(options) + 1);
	*beside = (struct cmsghdr){CMSG_LEN(sizeof(fd)), SOL_SOCKET, SCM_RIGHTS};
	memcpy(CMSG_DATA(beside), fd, sizeof(fd));
	if (sendmsg(worker->socket, &message, MSG_NOSIGNAL) < 0)
		return -errno;
	worker->is_busy = true;
	return 0;
}

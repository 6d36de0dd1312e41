/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits that do not end before standard input does, one of each kind, and what is known of each
 * before it begins: a line "NAME TID BEGIN HOLDER" on standard output, where NAME is the name of the task that waits
 * and HOLDER the task that it waits for, 0: none that /proc shows. For `ftwait top`, which is to
 * say it while they wait: tests/live/record/waits_now_case.sh.
 */
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define PAUSE_NS 100000000u /* until the other one has what is waited for */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The calling task begins to wait, for a task of that tid. */
static void say(const char *name, int holder)
{
	char line[100];
	int length;

	(void)prctl(PR_SET_NAME, name);
	truth_sleep(PAUSE_NS);
	length = snprintf(line, sizeof(line), "%s %d %llu %d\n", name, truth_tid(),
	                  (unsigned long long)truth_now(), holder);
	truth_must(write(STDOUT_FILENO, line, (size_t)length) == length, "standard output");
}

/* A child that waits, and what it waits for. */
static int child(void)
{
	int pid = fork();

	truth_must(pid >= 0, "fork");
	return pid;
}

/* The holder's part: it holds on, and then lets go by ending. */
static _Noreturn void hold(void)
{
	char byte;

	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	_exit(0);
}

static void lock(int fd, const char *name)
{
	struct flock range = {.l_type = F_WRLCK};

	truth_must((strcmp(name, "now_posix") == 0 ? fcntl(fd, F_SETLKW, &range)
	                                           : flock(fd, LOCK_EX)) == 0, name);
}

static void wait_for_lock(const char *name)
{
	int holder = getpid();

	if (child() > 0) {
		lock(open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600), name);
		hold();
	}
	say(name, holder);
	lock(open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600), name);
}

static void *wait_for_mutex(void *argument)
{
	say("now_mutex", getpid());
	(void)pthread_mutex_lock(&mutex);
	return argument;
}

static void wait_for_thread(const char *name)
{
	(void)name;
	(void)pthread_mutex_lock(&mutex);
	(void)truth_thread(wait_for_mutex, NULL);
	hold();
}

static void wait_for_child(const char *name)
{
	int pid = child();

	if (pid == 0)
		hold();
	say(name, pid);
	(void)waitpid(pid, NULL, 0);
}

static void wait_for_pipe(const char *name)
{
	int ends[2], holder = getpid();
	char byte;

	truth_must(pipe(ends) == 0, "pipe");
	if (child() > 0)
		hold();
	(void)close(ends[1]);
	say(name, holder);
	(void)read(ends[0], &byte, 1);
}

static void wait_for_unix_socket(const char *name)
{
	int ends[2], holder = getpid();
	char byte;

	truth_must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
	if (child() > 0)
		hold();
	(void)close(ends[1]);
	say(name, holder);
	(void)recv(ends[0], &byte, 1, 0);
}

static void wait_for_tcp_socket(const char *name)
{
	struct sockaddr_in to = {.sin_family = AF_INET};
	struct sockaddr *address = (struct sockaddr *)&to;
	socklen_t size = sizeof(to);
	int listening = socket(AF_INET, SOCK_STREAM, 0), connected, holder = getpid();
	char byte;

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	truth_must(bind(listening, address, size) == 0 && listen(listening, 1) == 0 &&
	           getsockname(listening, address, &size) == 0, "listen");
	if (child() > 0) {
		(void)accept(listening, NULL, NULL);
		hold();
	}
	connected = socket(AF_INET, SOCK_STREAM, 0);
	truth_must(connect(connected, address, size) == 0, "connect");
	say(name, holder);
	(void)recv(connected, &byte, 1, 0);
}

static const struct {
	const char *name;
	void (*run)(const char *name);
} kinds[] = {
	{"now_flock", wait_for_lock},       {"now_posix", wait_for_lock},
	{"now_mutex", wait_for_thread},     {"now_child", wait_for_child},
	{"now_pipe", wait_for_pipe},        {"now_unix", wait_for_unix_socket},
	{"now_tcp", wait_for_tcp_socket},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (child() > 0)
			continue;
		kinds[i].run(kinds[i].name);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * purposes: a thread sleeps in all kinds of calls, one after the other, each until another thread
 * ends it. Recorded with stacks, which tell what each sleep was for.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "truth.h"

/* What the sleeper has, and who ends its sleep. */
static int mine, other;
static char byte[4096], path[4096], queue[64];
static pthread_barrier_t both;

static bool pipe_open(void)
{
	int ends[2];

	truth_must(pipe2(ends, O_CLOEXEC) == 0, "pipe2");
	mine = ends[0];
	other = ends[1];
	return true;
}

static bool full_pipe_open(void)
{
	int ends[2];

	truth_must(pipe2(ends, O_CLOEXEC) == 0, "pipe2");
	mine = ends[1];
	other = ends[0];
	truth_must(fcntl(mine, F_SETPIPE_SZ, (int)sizeof(byte)) == (int)sizeof(byte),
	           "F_SETPIPE_SZ");
	truth_must(write(mine, byte, sizeof(byte)) == (ssize_t)sizeof(byte), "write");
	return true;
}

static bool pair_open(void)
{
	int ends[2];

	truth_must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0, "socketpair");
	mine = ends[0];
	other = ends[1];
	return true;
}

static bool event_open(void)
{
	mine = eventfd(0, EFD_CLOEXEC);
	truth_must(mine >= 0, "eventfd");
	other = mine;
	return true;
}

static bool terminal_open(void)
{
	other = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (other < 0 || grantpt(other) != 0 || unlockpt(other) != 0)
		return false;
	mine = open(ptsname(other), O_RDWR | O_NOCTTY | O_CLOEXEC);
	return mine >= 0;
}

/* A listening socket of the loopback, and one that is to connect to it. */
static struct sockaddr_in listener_address;

static bool listener_open(void)
{
	socklen_t length = sizeof(listener_address);

	listener_address = (struct sockaddr_in){
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	mine = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	other = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	truth_must(mine >= 0 && other >= 0, "socket");
	truth_must(bind(mine, (struct sockaddr *)&listener_address, length) == 0, "bind");
	truth_must(listen(mine, 1) == 0, "listen");
	truth_must(getsockname(mine, (struct sockaddr *)&listener_address, &length) == 0,
	           "getsockname");
	return true;
}

static void listener_connect(void)
{
	truth_must(connect(other, (struct sockaddr *)&listener_address,
	                   sizeof(listener_address)) == 0, "connect");
}

static bool connection_open(void)
{
	int listener;

	(void)listener_open();
	listener = mine;
	listener_connect();
	mine = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	truth_must(mine >= 0, "accept4");
	(void)close(listener);
	return true;
}

static bool lock_open(void)
{
	mine = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	other = open(path, O_RDWR | O_CLOEXEC);
	truth_must(mine >= 0 && other >= 0, "open");
	truth_must(flock(other, LOCK_EX) == 0, "flock");
	return true;
}

static bool watch_open(void)
{
	mine = inotify_init1(IN_CLOEXEC);
	other = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	return mine >= 0 && other >= 0 && inotify_add_watch(mine, path, IN_MODIFY) >= 0;
}

static bool semaphore_open(void)
{
	mine = semget(IPC_PRIVATE, 1, 0600);
	return mine >= 0;
}

static bool messages_open(void)
{
	mine = msgget(IPC_PRIVATE, 0600);
	return mine >= 0;
}

static bool queue_open(void)
{
	struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 8};

	mine = mq_open(queue, O_RDWR | O_CREAT | O_CLOEXEC, 0600, &attributes);
	(void)mq_unlink(queue);
	other = mine;
	return mine >= 0;
}

static void sleep_in_read(void)
{
	truth_must(read(mine, byte, sizeof(byte)) > 0, "read");
}

static void sleep_in_write(void)
{
	truth_must(write(mine, byte, sizeof(byte)) == (ssize_t)sizeof(byte), "write");
}

static void sleep_in_accept(void)
{
	int connection = accept4(mine, NULL, NULL, SOCK_CLOEXEC);

	truth_must(connection >= 0, "accept4");
	(void)close(connection);
}

static void sleep_in_poll(void)
{
	truth_must(poll(&(struct pollfd){.fd = mine, .events = POLLIN}, 1, -1) == 1, "poll");
}

static void sleep_in_select(void)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(mine, &set);
	truth_must(select(mine + 1, &set, NULL, NULL, NULL) == 1, "select");
}

static void sleep_in_epoll(void)
{
	struct epoll_event event = {.events = EPOLLIN};
	int set = epoll_create1(EPOLL_CLOEXEC);

	truth_must(epoll_ctl(set, EPOLL_CTL_ADD, mine, &event) == 0, "epoll_ctl");
	truth_must(epoll_wait(set, &event, 1, -1) == 1, "epoll_wait");
	(void)close(set);
}

static void sleep_in_flock(void)
{
	truth_must(flock(mine, LOCK_EX) == 0, "flock");
}

static void sleep_in_semop(void)
{
	truth_must(semop(mine, &(struct sembuf){.sem_op = -1}, 1) == 0, "semop");
	(void)semctl(mine, 0, IPC_RMID);
}

static void sleep_in_msgrcv(void)
{
	struct msgbuf *message = malloc(sizeof(*message) + 8);

	truth_must(message && msgrcv(mine, message, 8, 0, 0) >= 0, "msgrcv");
	free(message);
	(void)msgctl(mine, IPC_RMID, NULL);
}

static void sleep_in_mq_receive(void)
{
	truth_must(mq_receive(mine, byte, sizeof(byte), NULL) >= 0, "mq_receive");
}

static void end_by_line(void)
{
	truth_must(write(other, "x\n", 2) == 2, "write");
}

static void end_by_event(void)
{
	truth_must(eventfd_write(other, 1) == 0, "eventfd_write");
}

static void end_by_read(void)
{
	truth_must(read(other, byte, sizeof(byte)) > 0, "read");
}

static void end_by_unlock(void)
{
	truth_must(flock(other, LOCK_UN) == 0, "flock");
}

static void end_by_semop(void)
{
	truth_must(semop(mine, &(struct sembuf){.sem_op = 1}, 1) == 0, "semop");
}

static void end_by_message(void)
{
	truth_must(msgsnd(mine, &(struct msgbuf){.mtype = 1}, 0, 0) == 0, "msgsnd");
}

static void end_by_mq_send(void)
{
	truth_must(mq_send(other, "x", 1, 0) == 0, "mq_send");
}

static const struct {
	const char *purpose;
	bool (*open)(void); /* false: this machine has no such */
	void (*sleep)(void);
	void (*end)(void);
	bool is_file; /* what was opened are files */
	bool is_by_object; /* no task wakes the sleeper: a packet, a worker of the kernel's */
} kinds[] = {
	{"data_from_a_pipe", pipe_open, sleep_in_read, end_by_line, true, false},
	{"room_in_a_full_pipe", full_pipe_open, sleep_in_write, end_by_read, true, false},
	{"data_from_a_unix_socket", pair_open, sleep_in_read, end_by_line, true, false},
	{"an_eventfd", event_open, sleep_in_read, end_by_event, false, false},
	{"tty_input", terminal_open, sleep_in_read, end_by_line, true, true},
	{"a_connection_to_accept", listener_open, sleep_in_accept, listener_connect, true, true},
	{"TCP_receive", connection_open, sleep_in_read, end_by_line, true, true},
	{"poll_events", pipe_open, sleep_in_poll, end_by_line, true, false},
	{"select_events", pipe_open, sleep_in_select, end_by_line, true, false},
	{"epoll_events", pipe_open, sleep_in_epoll, end_by_line, true, false},
	{"a_flock_of_a_file", lock_open, sleep_in_flock, end_by_unlock, true, false},
	{"inotify_events", watch_open, sleep_in_read, end_by_line, true, false},
	{"a_SysV_semaphore", semaphore_open, sleep_in_semop, end_by_semop, false, false},
	{"a_SysV_message", messages_open, sleep_in_msgrcv, end_by_message, false, false},
	{"a_POSIX_message", queue_open, sleep_in_mq_receive, end_by_mq_send, false, false},
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static int sleeper_tid;
static bool is_there[KINDS];
static struct truth_wait waits[KINDS];
static uint64_t end[KINDS];

/* The sleeper's name while it sleeps so: the rows of --off-cpu are by names. */
static void name_write(size_t kind, char *ret, size_t size)
{
	(void)snprintf(ret, size, "asleep-%zu", kind);
}

static void name_self(size_t kind)
{
	char name[16];

	name_write(kind, name, sizeof(name));
	truth_must(prctl(PR_SET_NAME, name) == 0, "prctl");
}

/* Both ends of the sleep: the stacks are there, and who ended it, if a task did, is the other. */
static void both_ends_print(size_t kind, uint64_t least)
{
	char name[16];

	name_write(kind, name, sizeof(name));
	truth_add("row list=off_cpu what=total_ns is=comm:%s least=%ju\n", name, least);
	if (!kinds[kind].is_by_object)
		truth_add("row list=off_cpu what=total_ns is=comm:%s is=waker:purposes least=%ju\n",
		          name, least);
}

static void *sleeper_run(void *unused)
{
	sleeper_tid = truth_tid();
	for (size_t i = 0; i < KINDS; i++) {
		is_there[i] = kinds[i].open();
		(void)pthread_barrier_wait(&both);
		if (!is_there[i])
			continue;
		name_self(i);
		truth_wait_begin(&waits[i]);
		kinds[i].sleep();
		truth_wait_end(&waits[i]);
		(void)pthread_barrier_wait(&both);
		if (kinds[i].is_file) {
			(void)close(mine);
			(void)close(other);
		}
	}
	return unused;
}

int main(void)
{
	const char *folder = getenv("ORACLE_DIR");
	pthread_t sleeper;

	(void)snprintf(path, sizeof(path), "%s/purposes", folder ? folder : "/var/tmp");
	(void)snprintf(queue, sizeof(queue), "/purposes-%d", truth_tid());
	truth_must(pthread_barrier_init(&both, NULL, 2) == 0, "pthread_barrier_init");
	sleeper = truth_thread(sleeper_run, NULL);
	for (size_t i = 0; i < KINDS; i++) {
		(void)pthread_barrier_wait(&both);
		if (!is_there[i])
			continue;
		truth_sleep(TRUTH_PAUSE_NS);
		end[i] = truth_now();
		kinds[i].end();
		(void)pthread_barrier_wait(&both);
	}
	(void)pthread_join(sleeper, NULL);
	for (size_t i = 0; i < KINDS; i++) {
		uint64_t least = is_there[i] ? truth_wait_least(&waits[i], end[i]) : 0;

		if (!least)
			continue;
		both_ends_print(i, least);
		truth_add("wait tid=%d begin=%ju end=%ju least=%ju for=%s\n", sleeper_tid,
			  waits[i].begin, end[i], least, kinds[i].purpose);
	}
	return truth_print();
}

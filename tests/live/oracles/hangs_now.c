/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hangs_now KIND: hangs in one way, and first says what it knows of that, a line "TID HOLDER
 * ADDRESS" on standard output. TID: the task that hangs; HOLDER: the task that has what it waits
 * for, 0: none; ADDRESS: the other end of its connection, or the name of the object, "-": none.
 * All is one process group, which ends after LIFE_SECONDS. For
 * tests/live/record/ends_case.sh.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define LIFE_SECONDS 60u
#define BACKLOG_TRIES 4 /* connections that fill the shortest backlog */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static char much[1 << 16];

static void say(int tid, int holder, const char *address)
{
	(void)printf("%d %d %s\n", tid, holder, address);
	(void)fflush(stdout);
}

static void other_begins(void)
{
	(void)prctl(PR_SET_NAME, "other");
	(void)alarm(LIFE_SECONDS);
}

static int child(void)
{
	int pid = fork();

	truth_must(pid >= 0, "fork");
	if (pid == 0)
		other_begins();
	return pid;
}

/* A process that is no relative of this one: returns its id here, and 0 there. */
static int stranger(void)
{
	int ends[2], pid = 0, parent;

	truth_must(pipe(ends) == 0, "pipe");
	parent = fork();
	truth_must(parent >= 0, "fork");
	if (parent == 0) {
		pid = fork();
		if (pid != 0) {
			truth_must(write(ends[1], &pid, sizeof(pid)) == sizeof(pid), "write");
			_exit(0);
		}
		other_begins();
	} else {
		(void)waitpid(parent, NULL, 0);
		truth_must(read(ends[0], &pid, sizeof(pid)) == sizeof(pid), "read");
	}
	(void)close(ends[0]);
	(void)close(ends[1]);
	return pid;
}

static _Noreturn void hold(void)
{
	for (;;)
		(void)pause();
}

static void run_stopped(void)
{
	say(getpid(), 0, "-");
	(void)raise(SIGSTOP);
}

/* The parent waits for its child, which cannot write what the parent does not read. */
static void run_pipe_circle(void)
{
	int ends[2], pid;

	truth_must(pipe(ends) == 0, "pipe");
	pid = child();
	if (pid == 0) {
		(void)close(ends[0]);
		for (;;)
			truth_must(write(ends[1], much, sizeof(much)) > 0, "write");
	}
	(void)close(ends[1]);
	say(getpid(), pid, "-");
	(void)waitpid(pid, NULL, 0);
}

static void run_pipe(void)
{
	int ends[2], pid;
	char byte;

	truth_must(pipe(ends) == 0, "pipe");
	pid = stranger();
	if (pid == 0) {
		(void)close(ends[0]);
		hold();
	}
	(void)close(ends[1]);
	say(getpid(), pid, "-");
	(void)read(ends[0], &byte, 1);
}

static void run_fifo(void)
{
	int pid, fd;
	char byte;

	truth_must(mkfifo("fifo", 0600) == 0 || errno == EEXIST, "mkfifo");
	pid = stranger();
	if (pid == 0) {
		(void)open("fifo", O_WRONLY | O_CLOEXEC);
		hold();
	}
	fd = open("fifo", O_RDONLY | O_CLOEXEC);
	say(getpid(), pid, "fifo");
	(void)read(fd, &byte, 1);
}

static void run_fifo_open(void)
{
	truth_must(mkfifo("lonely", 0600) == 0 || errno == EEXIST, "mkfifo");
	say(getpid(), 0, "lonely");
	(void)open("lonely", O_RDONLY | O_CLOEXEC);
}

static void run_tty(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), pid, fd;
	char name[64], byte;

	truth_must(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0 &&
	           ptsname_r(master, name, sizeof(name)) == 0, "pty");
	pid = stranger();
	if (pid == 0)
		hold();
	fd = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	(void)close(master);
	say(getpid(), pid, name);
	(void)read(fd, &byte, 1);
}

/* flock(1) in a shell: a process takes the lock of a file that another one keeps open, and ends. */
static void run_flock_left(void)
{
	int fd, pid = stranger();

	if (pid == 0) {
		fd = open("left", O_RDWR | O_CREAT, 0600);
		if (fork() == 0)
			_exit(flock(fd, LOCK_EX));
		(void)wait(NULL);
		hold();
	}
	truth_sleep(200000000);
	fd = open("left", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	say(getpid(), pid, "left");
	(void)flock(fd, LOCK_EX);
}

static void run_posix(void)
{
	struct flock range = {.l_type = F_WRLCK};
	int pid = stranger();
	int fd = open("posix", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (pid > 0)
		truth_sleep(200000000);
	else
		truth_must(fcntl(fd, F_SETLKW, &range) == 0, "fcntl");
	if (pid == 0)
		hold();
	say(getpid(), pid, "posix");
	(void)fcntl(fd, F_SETLKW, &range);
}

static void *lock_and_end(void *ret_tid)
{
	*(int *)ret_tid = truth_tid();
	(void)pthread_mutex_lock(&mutex);
	return NULL;
}

static void run_mutex_ended(void)
{
	int tid = 0;
	pthread_t thread = truth_thread(lock_and_end, &tid);

	(void)pthread_join(thread, NULL);
	say(getpid(), tid, "-");
	(void)pthread_mutex_lock(&mutex);
}

static void run_condition(void)
{
	(void)pthread_mutex_lock(&mutex);
	say(getpid(), 0, "-");
	(void)pthread_cond_wait(&condition, &mutex);
}

static void run_semaphore(void)
{
	static sem_t semaphore;

	(void)sem_init(&semaphore, 0, 0);
	say(getpid(), 0, "-");
	(void)sem_wait(&semaphore);
}

static void run_barrier(void)
{
	static pthread_barrier_t barrier;

	(void)pthread_barrier_init(&barrier, NULL, 2);
	say(getpid(), 0, "-");
	(void)pthread_barrier_wait(&barrier);
}

static void address_text(const struct sockaddr_in *address, char text[64])
{
	char host[INET_ADDRSTRLEN];

	(void)inet_ntop(AF_INET, &address->sin_addr, host, sizeof(host));
	(void)snprintf(text, 64, "%s:%u", host, ntohs(address->sin_port));
}

static int socket_bound(int type, struct sockaddr_in *ret, char text[64])
{
	int fd = socket(AF_INET, type, 0);
	socklen_t size = sizeof(*ret);

	*ret = (struct sockaddr_in){.sin_family = AF_INET};
	ret->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	truth_must(bind(fd, (struct sockaddr *)ret, sizeof(*ret)) == 0 &&
	           getsockname(fd, (struct sockaddr *)ret, &size) == 0, "bind");
	address_text(ret, text);
	return fd;
}

/* A connection to a process that takes it, and a request, and never answers. */
static int connected(int *ret_pid, char address[64])
{
	struct sockaddr_in to;
	int listening = socket_bound(SOCK_STREAM, &to, address), fd;

	truth_must(listen(listening, 8) == 0, "listen");
	*ret_pid = stranger();
	if (*ret_pid == 0) {
		fd = accept(listening, NULL, NULL);
		(void)close(listening);
		(void)read(fd, much, 1);
		hold();
	}
	(void)close(listening);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	truth_must(connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0, "connect");
	return fd;
}

static void run_tcp_receive(void)
{
	char address[64], byte;
	int pid, fd = connected(&pid, address);

	truth_must(write(fd, "?", 1) == 1, "write");
	say(getpid(), pid, address);
	(void)recv(fd, &byte, 1, 0);
}

static void run_tcp_send(void)
{
	char address[64];
	int pid, fd = connected(&pid, address);

	say(getpid(), pid, address);
	for (;;)
		truth_must(send(fd, much, sizeof(much), 0) > 0, "send");
}

/* A connection that the kernel has made, and that nobody accepts. */
static void run_tcp_queued(void)
{
	struct sockaddr_in to;
	char address[64], byte;
	int listening = socket_bound(SOCK_STREAM, &to, address), pid, fd;

	truth_must(listen(listening, 8) == 0, "listen");
	pid = stranger();
	if (pid == 0)
		hold();
	(void)close(listening);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	truth_must(connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0, "connect");
	say(getpid(), pid, address);
	(void)recv(fd, &byte, 1, 0);
}

/* A server, which has no request. */
static void run_tcp_served(void)
{
	struct sockaddr_in to;
	char address[64], byte;
	int listening = socket_bound(SOCK_STREAM, &to, address), pid, fd;
	socklen_t size = sizeof(to);

	truth_must(listen(listening, 8) == 0, "listen");
	pid = stranger();
	if (pid == 0) {
		(void)close(listening);
		fd = socket(AF_INET, SOCK_STREAM, 0);
		truth_must(connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0, "connect");
		hold();
	}
	fd = accept(listening, (struct sockaddr *)&to, &size);
	address_text(&to, address);
	say(getpid(), pid, address);
	(void)recv(fd, &byte, 1, 0);
}

/* The first connections fill the backlog of a socket that nobody accepts from. */
static void run_tcp_connect(void)
{
	struct sockaddr_in to;
	char address[64];
	int listening = socket_bound(SOCK_STREAM, &to, address), pid, fd;

	truth_must(listen(listening, 0) == 0, "listen");
	pid = stranger();
	if (pid == 0)
		hold();
	(void)close(listening);
	for (int i = 0; i < BACKLOG_TRIES; i++) {
		fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		(void)connect(fd, (struct sockaddr *)&to, sizeof(to));
	}
	truth_sleep(200000000);
	say(getpid(), pid, address);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	(void)connect(fd, (struct sockaddr *)&to, sizeof(to));
}

static void run_udp(void)
{
	struct sockaddr_in to, own;
	char address[64], mine[64], byte;
	int other = socket_bound(SOCK_DGRAM, &to, address), pid, fd;

	fd = socket_bound(SOCK_DGRAM, &own, mine);
	truth_must(connect(other, (struct sockaddr *)&own, sizeof(own)) == 0 &&
	           connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0, "connect");
	pid = stranger();
	if (pid == 0) {
		(void)close(fd);
		hold();
	}
	(void)close(other);
	say(getpid(), pid, address);
	(void)recv(fd, &byte, 1, 0);
}

static void run_unix(void)
{
	int ends[2], pid;
	char byte;

	truth_must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
	pid = stranger();
	if (pid == 0) {
		(void)close(ends[1]);
		hold();
	}
	(void)close(ends[0]);
	say(getpid(), pid, "-");
	(void)recv(ends[1], &byte, 1, 0);
}

static void run_unix_connect(void)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int listening = socket(AF_UNIX, SOCK_STREAM, 0), pid, fd;

	(void)unlink(to.sun_path);
	truth_must(bind(listening, (struct sockaddr *)&to, sizeof(to)) == 0 &&
	           listen(listening, 0) == 0, "listen");
	pid = stranger();
	if (pid == 0)
		hold();
	(void)close(listening);
	say(getpid(), pid, "socket");
	for (int i = 0; i < BACKLOG_TRIES; i++) {
		fd = socket(AF_UNIX, SOCK_STREAM, 0);
		(void)connect(fd, (struct sockaddr *)&to, sizeof(to));
	}
}

/* Nobody accepts the connection. */
static void run_unix_queued(void)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "queue"};
	int listening = socket(AF_UNIX, SOCK_STREAM, 0), pid, fd;
	char byte;

	(void)unlink(to.sun_path);
	truth_must(bind(listening, (struct sockaddr *)&to, sizeof(to)) == 0 &&
	           listen(listening, 8) == 0, "listen");
	pid = stranger();
	if (pid == 0)
		hold();
	(void)close(listening);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	truth_must(connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0, "connect");
	say(getpid(), pid, "queue");
	(void)recv(fd, &byte, 1, 0);
}

/* A second connection has no request open. */
static void run_poll(void)
{
	char address[64], idle[64];
	int pid, other, fd = connected(&pid, address);
	struct pollfd ready[2] = {{.events = POLLIN}, {.fd = fd, .events = POLLIN}};

	ready[0].fd = connected(&other, idle);
	truth_must(write(fd, "?", 1) == 1, "write");
	say(getpid(), pid, address);
	(void)poll(ready, 2, -1);
}

static void run_select(void)
{
	char address[64], idle[64];
	int pid, other, fd = connected(&pid, address), second = connected(&other, idle);
	fd_set ready;

	FD_ZERO(&ready);
	FD_SET(fd, &ready);
	FD_SET(second, &ready);
	truth_must(write(fd, "?", 1) == 1, "write");
	say(getpid(), pid, address);
	(void)select((fd > second ? fd : second) + 1, &ready, NULL, NULL, NULL);
}

static void run_epoll(void)
{
	char address[64], idle[64];
	int pid, other, fd = connected(&pid, address), second = connected(&other, idle);
	int set = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = {.events = EPOLLIN};

	truth_must(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0 &&
	           epoll_ctl(set, EPOLL_CTL_ADD, second, &event) == 0, "epoll_ctl");
	truth_must(write(fd, "?", 1) == 1, "write");
	say(getpid(), pid, address);
	(void)epoll_wait(set, &event, 1, -1);
}

static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static atomic_int crosswise; /* the thread that has `second` */

static void run_deadlock_self(void)
{
	(void)pthread_mutex_lock(&mutex);
	say(getpid(), getpid(), "-");
	(void)pthread_mutex_lock(&mutex);
}

static void *lock_crosswise(void *argument)
{
	(void)pthread_mutex_lock(&second);
	crosswise = truth_tid();
	(void)pthread_mutex_lock(&mutex);
	return argument;
}

static void run_deadlock_pair(void)
{
	(void)pthread_mutex_lock(&mutex);
	(void)truth_thread(lock_crosswise, NULL);
	while (crosswise == 0)
		truth_sleep(1000000);
	say(getpid(), crosswise, "-");
	(void)pthread_mutex_lock(&second);
}

/* A lock that is tried until it is free. */
static void run_flock_tries(void)
{
	int pid = stranger();
	int fd = open("tries", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (pid == 0) {
		(void)flock(fd, LOCK_EX);
		hold();
	}
	truth_sleep(200000000);
	say(getpid(), pid, "tries");
	while (flock(fd, LOCK_EX | LOCK_NB) != 0)
		truth_sleep(50000000);
}

/* The read end of a pipe that another process has open for writing. */
static int pipe_of_stranger(int *ret_pid)
{
	int ends[2];

	truth_must(pipe(ends) == 0, "pipe");
	*ret_pid = stranger();
	if (*ret_pid == 0) {
		(void)close(ends[0]);
		hold();
	}
	(void)close(ends[1]);
	return ends[0];
}

static void poll_pipe(int limit)
{
	int pid;
	struct pollfd ready = {.fd = pipe_of_stranger(&pid), .events = POLLIN};

	say(getpid(), pid, "-");
	while (poll(&ready, 1, limit) == 0)
		;
}

static void run_poll_pipe(void)
{
	poll_pipe(-1);
}

static void run_poll_pipe_tries(void)
{
	poll_pipe(100);
}

static void run_select_pipe(void)
{
	int pid, fd = pipe_of_stranger(&pid);
	fd_set ready;

	FD_ZERO(&ready);
	FD_SET(fd, &ready);
	say(getpid(), pid, "-");
	(void)select(fd + 1, &ready, NULL, NULL, NULL);
}

static void run_epoll_pipe(void)
{
	int pid, fd = pipe_of_stranger(&pid), set = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = {.events = EPOLLIN};

	truth_must(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0, "epoll_ctl");
	say(getpid(), pid, "-");
	(void)epoll_wait(set, &event, 1, -1);
}

static void run_poll_unix(void)
{
	struct pollfd ready = {.events = POLLIN};
	int ends[2], pid;

	truth_must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
	pid = stranger();
	if (pid == 0) {
		(void)close(ends[1]);
		(void)read(ends[0], much, 1);
		hold();
	}
	(void)close(ends[0]);
	truth_must(write(ends[1], "?", 1) == 1, "write");
	ready.fd = ends[1];
	say(getpid(), pid, "-");
	(void)poll(&ready, 1, -1);
}

/* A client that looks every now and then whether the answer has come. */
static void run_poll_tries(void)
{
	char address[64];
	int pid, fd = connected(&pid, address);
	struct pollfd ready = {.fd = fd, .events = POLLIN};

	truth_must(write(fd, "?", 1) == 1, "write");
	say(getpid(), pid, address);
	while (poll(&ready, 1, 100) == 0)
		;
}

/* A server whose own request, for that of its client, has no answer. */
static void run_proxy(void)
{
	char address[64], own[64];
	struct sockaddr_in to;
	int pid, up = connected(&pid, address), set = epoll_create1(EPOLL_CLOEXEC), client, fd;
	int listening = socket_bound(SOCK_STREAM, &to, own);
	struct epoll_event event = {.events = EPOLLIN};

	truth_must(listen(listening, 8) == 0, "listen");
	client = stranger();
	if (client == 0) {
		(void)close(up);
		(void)close(listening);
		fd = socket(AF_INET, SOCK_STREAM, 0);
		truth_must(connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0 &&
		           write(fd, "?", 1) == 1, "client");
		(void)read(fd, much, 1);
		hold();
	}
	fd = accept(listening, NULL, NULL);
	truth_must(read(fd, much, 1) == 1 && write(up, "?", 1) == 1, "request");
	truth_must(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0 &&
	           epoll_ctl(set, EPOLL_CTL_ADD, listening, &event) == 0 &&
	           epoll_ctl(set, EPOLL_CTL_ADD, up, &event) == 0, "epoll_ctl");
	say(getpid(), pid, address);
	for (;;)
		(void)epoll_wait(set, &event, 1, 500);
}

/* The only child, which is held. */
static int child_held(void)
{
	int pid = child();

	if (pid == 0)
		hold();
	return pid;
}

static void on_signal(int number)
{
	(void)number;
}

/* As timeout(1) and some shells wait for their child. */
static void run_child_signal(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigset_t none;
	int pid = child_held();

	(void)sigemptyset(&none);
	(void)sigaction(SIGCHLD, &action, NULL);
	say(getpid(), pid, "-");
	(void)sigsuspend(&none);
}

/* As the first processes of containers wait. */
static void run_child_sigwait(void)
{
	sigset_t set;
	int pid = child_held();

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	say(getpid(), pid, "-");
	(void)sigwaitinfo(&set, NULL);
}

/* A signal that no child sends: the child has nothing to do with it. */
static void run_signal(void)
{
	sigset_t set;

	(void)child_held();
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGUSR1);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	say(getpid(), 0, "-");
	(void)sigwaitinfo(&set, NULL);
}

static int process_file(int pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	truth_must(fd >= 0, "pidfd_open");
	return fd;
}

static void run_child_poll(void)
{
	int pid = child_held();
	struct pollfd ready = {.fd = process_file(pid), .events = POLLIN};

	say(getpid(), pid, "-");
	(void)poll(&ready, 1, -1);
}

/* A loop of events, which it wakes itself, too. */
static void run_child_epoll(void)
{
	int pid = child_held(), ends[2], set = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = {.events = EPOLLIN};

	truth_must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 &&
	           epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0 &&
	           epoll_ctl(set, EPOLL_CTL_ADD, process_file(pid), &event) == 0, "epoll_ctl");
	say(getpid(), pid, "-");
	(void)epoll_wait(set, &event, 1, -1);
}

static void run_vfork(void)
{
	int pid;

	pid = vfork();
	if (pid == 0) {
		other_begins();
		say(getppid(), getpid(), "-");
		hold();
	}
}

static void run_posix_open(void)
{
	struct flock range = {.l_type = F_WRLCK};
	int pid = stranger();
	int fd = open("open", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (pid > 0)
		truth_sleep(200000000);
	else
		truth_must(fcntl(fd, F_OFD_SETLK, &range) == 0, "fcntl");
	if (pid == 0)
		hold();
	say(getpid(), pid, "open");
	(void)fcntl(fd, F_OFD_SETLKW, &range);
}

static void run_process_poll(void)
{
	int pid = stranger();
	struct pollfd ready = {.events = POLLIN};

	if (pid == 0)
		hold();
	ready.fd = process_file(pid);
	say(getpid(), pid, "-");
	(void)poll(&ready, 1, -1);
}

static atomic_int begun; /* process */

static void *fork_held(void *argument)
{
	(void)argument;
	begun = child_held();
	hold();
}

/* Another thread began the child. */
static void run_child_of_thread(void)
{
	(void)truth_thread(fork_held, NULL);
	while (begun == 0)
		truth_sleep(1000000);
	say(getpid(), begun, "-");
	(void)waitpid(-1, NULL, 0);
}

static const struct {
	const char *name;
	void (*run)(void);
} kinds[] = {
	{"child_signal", run_child_signal},
	{"child_sigwait", run_child_sigwait},
	{"signal", run_signal},
	{"vfork", run_vfork},
	{"posix_open", run_posix_open},
	{"child_poll", run_child_poll},
	{"child_epoll", run_child_epoll},
	{"process_poll", run_process_poll},
	{"child_of_thread", run_child_of_thread},
	{"stopped", run_stopped},
	{"pipe_circle", run_pipe_circle},
	{"pipe", run_pipe},
	{"fifo", run_fifo},
	{"fifo_open", run_fifo_open},
	{"tty", run_tty},
	{"flock_left", run_flock_left},
	{"posix", run_posix},
	{"mutex_ended", run_mutex_ended},
	{"condition", run_condition},
	{"semaphore", run_semaphore},
	{"barrier", run_barrier},
	{"tcp_receive", run_tcp_receive},
	{"tcp_send", run_tcp_send},
	{"tcp_connect", run_tcp_connect},
	{"tcp_queued", run_tcp_queued},
	{"tcp_served", run_tcp_served},
	{"udp", run_udp},
	{"unix", run_unix},
	{"unix_connect", run_unix_connect},
	{"unix_queued", run_unix_queued},
	{"poll", run_poll},
	{"select", run_select},
	{"epoll", run_epoll},
	{"deadlock_self", run_deadlock_self},
	{"deadlock_pair", run_deadlock_pair},
	{"flock_tries", run_flock_tries},
	{"poll_pipe", run_poll_pipe},
	{"poll_pipe_tries", run_poll_pipe_tries},
	{"select_pipe", run_select_pipe},
	{"epoll_pipe", run_epoll_pipe},
	{"poll_unix", run_poll_unix},
	{"poll_tries", run_poll_tries},
	{"proxy", run_proxy},
};

int main(int argc, char **argv)
{
	(void)setpgid(0, 0); /* who ends one of its processes ends all */
	(void)alarm(LIFE_SECONDS);
	for (size_t i = 0; argc == 2 && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].name, argv[1]) != 0)
			continue;
		kinds[i].run();
		return EXIT_SUCCESS;
	}
	truth_must(false, "KIND");
	return EXIT_FAILURE;
}

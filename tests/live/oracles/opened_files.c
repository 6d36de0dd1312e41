/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opened_files FOLDER PROCESSES SEED: threads and processes open files, make pipes, sockets and
 * eventfds, connect and accept, use all these, close them, give their numbers to others, inherit
 * them, get them in messages and by exec. Prints of each call which file it was for:
 *
 *	TID BEGIN END NAME PATH
 *
 * with instants of CLOCK_MONOTONIC before and after the call. PATH of what is no file is its link
 * in /proc/PID/fd; that of a socket which is connected is "socket:[78] with 127.0.0.1:80".
 *
 * opened_files FOLDER kept: makes one of each, uses them when all have been there for long, and
 * prints these calls.
 *
 * opened_files FOLDER threads|unshared|process: who shares descriptors, or does not, has begun that
 * before it is recorded: a thread that shares those of its process, or has its own ones, or a
 * process whose descriptors another one replaces. Prints the process to be recorded, waits for a
 * byte on standard input, and prints the calls, as above.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define FILES   24
#define SLOTS   6  /* descriptors that all threads of a process share */
#define THREADS 4
#define ACTS    40 /* of a worker; reports show 50 calls of each name and task */
#define SLEEP_MOST_NS 600000u
#define KEPT_NS 3000000000u /* some looks at all descriptors, on a busy machine too */

#define PATH_BYTES 256

static const char *folder;

/* What listens, of each process its own: of TCP, and of UDP two to send to. */
static struct server {
	int number;
	uint16_t port;
	char path[PATH_BYTES];
} tcp, udp[2];

enum kind {
	KIND_FILE,
	KIND_EVENT,
	KIND_PIPE,   /* `other` is its end for writing */
	KIND_STREAM, /* `other` is the other end */
	KIND_UDP,
};

/* A descriptor that is used by one thread at a time; -1: none. */
static struct slot {
	pthread_mutex_t lock;
	int number, other;
	enum kind kind;
	bool is_shared; /* with another process */
	char path[PATH_BYTES], other_path[PATH_BYTES];
} slots[SLOTS];

static uint64_t random_next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static void file_name(int file, char *to)
{
	(void)snprintf(to, PATH_BYTES, "%s/file %d", folder, file);
}

static void call_was(const char *name, const char *path, uint64_t begin)
{
	truth_add("%d %" PRIu64 " %" PRIu64 " %s %s\n", truth_tid(), begin, truth_now(), name,
	          path);
}

static int file_open(int file, int flags, char path[static PATH_BYTES])
{
	uint64_t begin;
	int number;

	file_name(file, path);
	begin = truth_now();
	number = open(path, O_RDWR | flags);
	if (number >= 0)
		call_was("openat", path, begin);
	return number;
}

static void file_read(int number, const char *path)
{
	uint64_t begin = truth_now();
	char byte;

	if (pread(number, &byte, 1, 0) == 1)
		call_was("pread64", path, begin);
}

static void file_close(int number, const char *path)
{
	uint64_t begin = truth_now();

	if (close(number) == 0)
		call_was("close", path, begin);
}

static void bytes_write(int number, const char *path)
{
	static const char bytes[8] = {1};
	uint64_t begin = truth_now();

	if (write(number, bytes, sizeof(bytes)) >= 0)
		call_was("write", path, begin);
}

static void bytes_read(int number, const char *path)
{
	uint64_t begin = truth_now();
	char bytes[8];

	if (read(number, bytes, sizeof(bytes)) >= 0)
		call_was("read", path, begin);
}

static __attribute__((format(printf, 2, 3))) void path_add(char path[static PATH_BYTES],
                                                           const char *format, ...)
{
	size_t length = strlen(path);
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(path + length, PATH_BYTES - length, format, arguments);
	va_end(arguments);
}

/* "pipe:[77]" */
static void link_name(const char *what, int number, char to[static PATH_BYTES])
{
	struct stat status = {0};

	(void)fstat(number, &status);
	(void)snprintf(to, PATH_BYTES, "%s:[%" PRIu64 "]", what, (uint64_t)status.st_ino);
}

static struct sockaddr_in loopback(uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

static uint16_t own_port(int number)
{
	struct sockaddr_in address = {0};
	socklen_t size = sizeof(address);

	(void)getsockname(number, (struct sockaddr *)&address, &size);
	return ntohs(address.sin_port);
}

static void server_begin(struct server *server, int type)
{
	struct sockaddr_in address = loopback(0);

	server->number = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	truth_must(bind(server->number, (struct sockaddr *)&address, sizeof(address)) == 0, "bind");
	if (type == SOCK_STREAM)
		truth_must(listen(server->number, SLOTS) == 0, "listen");
	server->port = own_port(server->number);
	link_name("socket", server->number, server->path);
}

static void servers_begin(void)
{
	server_begin(&tcp, SOCK_STREAM);
	server_begin(&udp[0], SOCK_DGRAM);
	server_begin(&udp[1], SOCK_DGRAM);
}

/* Connects through `number`, and names the socket. */
static bool socket_connect(int number, uint16_t port, char path[static PATH_BYTES])
{
	struct sockaddr_in address = loopback(port);
	uint64_t begin = truth_now();

	if (connect(number, (struct sockaddr *)&address, sizeof(address)) < 0)
		return false;
	link_name("socket", number, path);
	path_add(path, " with 127.0.0.1:%u", (unsigned)port);
	call_was("connect", path, begin);
	return true;
}

static void tcp_make(struct slot *slot)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	uint64_t begin;

	(void)pthread_mutex_lock(&lock);
	slot->number = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (socket_connect(slot->number, tcp.port, slot->path)) {
		begin = truth_now();
		slot->other = accept4(tcp.number, NULL, NULL, SOCK_NONBLOCK);
		call_was("accept4", tcp.path, begin);
		link_name("socket", slot->other, slot->other_path);
		path_add(slot->other_path, " with 127.0.0.1:%u", (unsigned)own_port(slot->number));
	} else {
		(void)close(slot->number);
		slot->number = -1;
	}
	(void)fcntl(slot->number, F_SETFL, O_NONBLOCK);
	(void)pthread_mutex_unlock(&lock);
}

static void pair_make(struct slot *slot)
{
	char first[PATH_BYTES];
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) < 0)
		return;
	slot->number = pair[0];
	slot->other = pair[1];
	link_name("socket", pair[0], slot->path);
	link_name("socket", pair[1], slot->other_path);
	memcpy(first, slot->path, sizeof(first));
	path_add(slot->path, " with %s", slot->other_path);
	path_add(slot->other_path, " with %s", first);
}

#define WAYS 5 /* to make what is no file */

/* way: WAYS or more: a file. */
static void slot_make_so(struct slot *slot, uint64_t way, uint64_t *random)
{
	int pair[2];

	slot->is_shared = false;
	switch (way) {
	case 0:
		slot->kind = KIND_EVENT;
		slot->number = eventfd(0, EFD_NONBLOCK);
		(void)snprintf(slot->path, PATH_BYTES, "anon_inode:[eventfd]");
		break;
	case 1:
		if (pipe2(pair, O_NONBLOCK) < 0)
			break;
		slot->kind = KIND_PIPE;
		slot->number = pair[0];
		slot->other = pair[1];
		link_name("pipe", pair[0], slot->path);
		link_name("pipe", pair[1], slot->other_path);
		break;
	case 2:
		slot->kind = KIND_STREAM;
		pair_make(slot);
		break;
	case 3:
		slot->kind = KIND_STREAM;
		tcp_make(slot);
		break;
	case 4:
		slot->kind = KIND_UDP;
		slot->number = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (!socket_connect(slot->number, udp[random_next(random) % 2].port, slot->path))
			link_name("socket", slot->number, slot->path);
		break;
	default:
		slot->kind = KIND_FILE;
		slot->number = file_open((int)(random_next(random) % FILES),
		                         random_next(random) % 2 ? O_CLOEXEC : 0, slot->path);
	}
}

static void slot_make(struct slot *slot, uint64_t *random)
{
	slot_make_so(slot, random_next(random) % (WAYS + 3), random);
}

static void slot_use(struct slot *slot)
{
	if (slot->kind == KIND_FILE) {
		file_read(slot->number, slot->path);
		return;
	}
	if (slot->kind == KIND_PIPE || slot->kind == KIND_STREAM) {
		if (slot->other >= 0)
			bytes_write(slot->other, slot->other_path);
	} else {
		bytes_write(slot->number, slot->path);
	}
	if (slot->kind != KIND_UDP)
		bytes_read(slot->number, slot->path);
}

static void slot_close(struct slot *slot)
{
	if (slot->number >= 0)
		file_close(slot->number, slot->path);
	if (slot->other >= 0)
		file_close(slot->other, slot->other_path);
	slot->number = slot->other = -1;
}

/* The socket gets another peer, by another number. */
static void udp_change(struct slot *slot, uint64_t *random)
{
	int other = random_next(random) % 2 ? dup(slot->number) : slot->number;

	(void)socket_connect(other, udp[random_next(random) % 2].port, slot->path);
	if (other != slot->number)
		file_close(other, slot->path);
}

/* Another number, by a call that does not always return one. */
static void slot_duplicate(struct slot *slot)
{
	int number = fcntl(slot->number, F_DUPFD, 0);

	if (number < 0)
		return;
	file_close(slot->number, slot->path);
	slot->number = number;
}

/* The file's number becomes another one, without a call that shows which. */
static int file_send(int number, const char *path)
{
	char byte = 'x', control[CMSG_SPACE(sizeof(int))] = {0};
	struct iovec part = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	int pair[2], received = -1;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
		return number;
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &number, sizeof(int));
	if (sendmsg(pair[0], &message, 0) == 1) {
		file_close(number, path);
		if (recvmsg(pair[1], &message, 0) == 1 && CMSG_FIRSTHDR(&message))
			memcpy(&received, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
	} else {
		received = number;
	}
	(void)close(pair[0]);
	(void)close(pair[1]);
	return received;
}

static void slot_act(struct slot *slot, uint64_t *random)
{
	char path[PATH_BYTES];
	int other;

	if (slot->number < 0) {
		slot_close(slot);
		slot_make(slot, random);
		return;
	}
	switch (random_next(random) % 10) {
	case 0:
		slot_close(slot);
		break;
	case 1:
		/* the number stands for another file at once */
		other = file_open((int)(random_next(random) % FILES), 0, path);
		if (other >= 0 && dup2(other, slot->number) == slot->number) {
			memcpy(slot->path, path, sizeof(path));
			slot->kind = KIND_FILE;
		}
		if (other >= 0)
			file_close(other, path);
		break;
	case 2:
		slot->number = file_send(slot->number, slot->path);
		break;
	case 3:
		/* most likely the same number */
		slot_close(slot);
		slot_make(slot, random);
		break;
	case 4:
		slot_duplicate(slot);
		break;
	case 5:
		if (slot->kind == KIND_UDP && !slot->is_shared)
			udp_change(slot, random);
		break;
	default:
		slot_use(slot);
	}
}

static void *worker_run(void *argument)
{
	uint64_t random = (uintptr_t)argument;

	for (int act = 0; act < ACTS; act++) {
		struct slot *slot = &slots[random_next(&random) % SLOTS];

		(void)pthread_mutex_lock(&slot->lock);
		slot_act(slot, &random);
		(void)pthread_mutex_unlock(&slot->lock);
		if (random_next(&random) % 2)
			truth_sleep(random_next(&random) % SLEEP_MOST_NS);
	}
	return NULL;
}

static void workers_run(uint64_t *random)
{
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		thread[i] = truth_thread(worker_run, (void *)(uintptr_t)random_next(random));
	for (int i = 0; i < THREADS; i++)
		(void)pthread_join(thread[i], NULL);
}

static void slots_close(void)
{
	for (int i = 0; i < SLOTS; i++)
		slot_close(&slots[i]);
}

static void slots_use(void)
{
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].number >= 0)
			slot_use(&slots[i]);
}

/* The program that has inherited some of the numbers: opened_files FOLDER again SEED
   [NUMBER KIND PATH]... */
static void again(int argc, char **argv)
{
	uint64_t random = strtoull(argv[3], NULL, 10);

	for (int i = 0; i < SLOTS && 6 + 3 * i < argc; i++) {
		int number = atoi(argv[4 + 3 * i]);

		if (number >= 0 && fcntl(number, F_GETFD) >= 0) {
			slots[i].number = number;
			slots[i].kind = (enum kind)atoi(argv[5 + 3 * i]);
			slots[i].is_shared = true;
			(void)snprintf(slots[i].path, PATH_BYTES, "%s", argv[6 + 3 * i]);
		}
	}
	servers_begin();
	slots_use();
	workers_run(&random);
	slots_close();
}

static void execute_again(char *program, uint64_t *random)
{
	char text[2 * SLOTS + 1][24], *argv[4 + 3 * SLOTS + 1] = {
		program, (char *)(uintptr_t)folder, "again", text[0]};

	(void)snprintf(text[0], sizeof(text[0]), "%" PRIu64, random_next(random));
	for (int i = 0; i < SLOTS; i++) {
		(void)snprintf(text[1 + 2 * i], sizeof(text[0]), "%d", slots[i].number);
		(void)snprintf(text[2 + 2 * i], sizeof(text[0]), "%d", (int)slots[i].kind);
		argv[4 + 3 * i] = text[1 + 2 * i];
		argv[5 + 3 * i] = text[2 + 2 * i];
		argv[6 + 3 * i] = slots[i].path;
	}
	(void)truth_print();
	(void)execv("/proc/self/exe", argv);
	_exit(1);
}

/* Uses what it has inherited, while its parent goes on. */
static void child_run(char *program, uint64_t random)
{
	slots_use();
	if (random_next(&random) % 2)
		execute_again(program, &random);
	if (random_next(&random) % 2) {
		(void)syscall(SYS_close_range, 3u, ~0u, 0u);
		for (int i = 0; i < SLOTS; i++)
			slots[i].number = slots[i].other = -1;
	}
	servers_begin();
	workers_run(&random);
	slots_close();
	_exit(truth_print());
}

static void process_run(char *program, uint64_t random)
{
	uint64_t seed;
	pid_t child;

	servers_begin();
	workers_run(&random);
	seed = random_next(&random);
	for (int i = 0; i < SLOTS; i++)
		slots[i].is_shared = true;
	child = fork();
	if (child == 0)
		child_run(program, seed);
	workers_run(&random);
	slots_close();
	if (child > 0)
		(void)waitpid(child, NULL, 0);
	_exit(truth_print());
}

/* Each number stands for the next file. */
static void slots_replace(void)
{
	for (int i = 0; i < SLOTS; i++) {
		int other;

		file_name((i + 1) % FILES, slots[i].path);
		other = open(slots[i].path, O_RDWR);
		(void)dup2(other, slots[i].number);
		(void)close(other);
	}
}

static void slots_read(void)
{
	for (int act = 0; act < ACTS; act++) {
		file_read(slots[act % SLOTS].number, slots[act % SLOTS].path);
		truth_sleep(SLEEP_MOST_NS);
	}
}

/* Recording has begun. */
static void go_await(int32_t process)
{
	char byte;

	(void)printf("%d\n", (int)process);
	(void)fflush(stdout);
	(void)!read(STDIN_FILENO, &byte, 1);
}

static void *second_run(void *is_unshared)
{
	if (is_unshared && unshare(CLONE_FILES) < 0)
		exit(77);
	slots_replace();
	go_await((int32_t)getpid());
	slots_read();
	slots[0].number = file_open(0, 0, slots[0].path);
	file_read(slots[0].number, slots[0].path);
	return NULL;
}

static int go_on[2];

/* The files are those that its parent has put there. */
static int sharer_run(void *unused)
{
	char byte;

	(void)unused;
	(void)!read(go_on[0], &byte, 1);
	for (int i = 0; i < SLOTS; i++)
		file_name((i + 1) % FILES, slots[i].path);
	slots_read();
	return truth_print();
}

/* Of each kind one, for long. */
static int kept_run(void)
{
	uint64_t random = 1;

	/* what the program began with has been looked at by then */
	slot_make_so(&slots[0], WAYS, &random);
	truth_sleep(KEPT_NS / 10);
	slot_close(&slots[0]);
	servers_begin();
	for (int i = 0; i < SLOTS; i++)
		slot_make_so(&slots[i], (uint64_t)i, &random);
	truth_sleep(KEPT_NS);
	for (int act = 0; act < 4; act++)
		slots_use();
	return truth_print();
}

static int before_run(const char *how)
{
	static char stack[1 << 16] __attribute__((aligned(64)));
	pid_t child;

	for (int i = 0; i < SLOTS; i++)
		slots[i].number = file_open(i, 0, slots[i].path);
	if (strcmp(how, "process") != 0) {
		(void)pthread_join(truth_thread(second_run,
		                                strcmp(how, "unshared") == 0 ? slots : NULL), NULL);
		return truth_print();
	}
	if (pipe(go_on) < 0)
		return 1;
	child = clone(sharer_run, stack + sizeof(stack), CLONE_FILES | SIGCHLD, NULL);
	if (child < 0)
		return 77;
	go_await(child);
	slots_replace();
	(void)!write(go_on[1], "", 1);
	(void)waitpid(child, NULL, 0);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t random;

	if (argc < 3)
		return 2;
	folder = argv[1];
	(void)signal(SIGPIPE, SIG_IGN);
	if (argc == 3 && strcmp(argv[2], "kept") != 0)
		return before_run(argv[2]);
	for (int i = 0; i < SLOTS; i++) {
		(void)pthread_mutex_init(&slots[i].lock, NULL);
		slots[i].number = slots[i].other = -1;
	}
	if (strcmp(argv[2], "again") == 0) {
		again(argc, argv);
		return truth_print();
	}
	if (argc == 3)
		return kept_run();
	random = strtoull(argv[3], NULL, 10);
	for (int left = atoi(argv[2]); left > 0; left--) {
		uint64_t seed = random_next(&random);
		pid_t process = fork();

		if (process == 0)
			process_run(argv[0], seed);
		if (process > 0)
			(void)waitpid(process, NULL, 0);
	}
	return EXIT_SUCCESS;
}

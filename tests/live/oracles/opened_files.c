/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opened_files FOLDER PROCESSES SEED: threads and processes open files, use them, close them, give
 * their numbers to other files, inherit them, get them in messages and by exec. Prints of each call
 * which file it was for:
 *
 *	TID BEGIN END NAME PATH
 *
 * with instants of CLOCK_MONOTONIC before and after the call.
 *
 * opened_files FOLDER threads|unshared|process: who shares descriptors, or does not, has begun that
 * before it is recorded: a thread that shares those of its process, or has its own ones, or a
 * process whose descriptors another one replaces. Prints the process to be recorded, waits for a
 * byte on standard input, and prints the calls, as above.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define FILES   24
#define SLOTS   6  /* descriptors that all threads of a process share */
#define THREADS 4
#define ACTS    40 /* of a worker; reports show 50 calls of each name and task */
#define SLEEP_MOST_NS 600000u

static const char *folder;

/* A descriptor that is used by one thread at a time; -1: none. */
static struct slot {
	pthread_mutex_t lock;
	int number, file;
} slots[SLOTS];

static uint64_t random_next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static void file_name(int file, char *to, size_t size)
{
	(void)snprintf(to, size, "%s/file %d", folder, file);
}

static void call_was(const char *name, int file, uint64_t begin)
{
	truth_add("%d %" PRIu64 " %" PRIu64 " %s %s/file %d\n", truth_tid(), begin, truth_now(), name,
	          folder, file);
}

static int file_open(int file, int flags)
{
	char path[256];
	uint64_t begin;
	int number;

	file_name(file, path, sizeof(path));
	begin = truth_now();
	number = open(path, O_RDWR | flags);
	if (number >= 0)
		call_was("openat", file, begin);
	return number;
}

static void file_read(int number, int file)
{
	uint64_t begin = truth_now();
	char byte;

	if (pread(number, &byte, 1, 0) == 1)
		call_was("pread64", file, begin);
}

static void file_close(int number, int file)
{
	uint64_t begin = truth_now();

	if (close(number) == 0)
		call_was("close", file, begin);
}

/* The file's number becomes another one, without a call that shows which. */
static int file_send(int number, int file)
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
		file_close(number, file);
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
	int file = (int)(random_next(random) % FILES), other;

	if (slot->number < 0) {
		slot->number = file_open(file, random_next(random) % 2 ? O_CLOEXEC : 0);
		slot->file = file;
		return;
	}
	switch (random_next(random) % 8) {
	case 0:
		file_close(slot->number, slot->file);
		slot->number = -1;
		break;
	case 1:
		/* the number stands for another file at once */
		other = file_open(file, 0);
		if (other >= 0 && dup2(other, slot->number) == slot->number)
			slot->file = file;
		if (other >= 0)
			file_close(other, file);
		break;
	case 2:
		slot->number = file_send(slot->number, slot->file);
		break;
	case 3:
		/* most likely the same number */
		file_close(slot->number, slot->file);
		slot->number = file_open(file, 0);
		slot->file = file;
		break;
	default:
		file_read(slot->number, slot->file);
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
		if (slots[i].number >= 0)
			file_close(slots[i].number, slots[i].file);
	for (int i = 0; i < SLOTS; i++)
		slots[i].number = -1;
}

/* The program that has inherited some of the numbers: opened_files FOLDER again SEED NUMBER
   FILE... */
static void again(int argc, char **argv)
{
	uint64_t random = strtoull(argv[3], NULL, 10);

	for (int i = 0; i < SLOTS && 5 + 2 * i < argc; i++) {
		int number = atoi(argv[4 + 2 * i]);

		if (number >= 0 && fcntl(number, F_GETFD) >= 0) {
			slots[i].number = number;
			slots[i].file = atoi(argv[5 + 2 * i]);
		}
	}
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].number >= 0)
			file_read(slots[i].number, slots[i].file);
	workers_run(&random);
	slots_close();
}

static void execute_again(char *program, uint64_t *random)
{
	char text[2 * SLOTS + 1][24], *argv[4 + 2 * SLOTS + 1] = {
		program, (char *)(uintptr_t)folder, "again", text[0]};

	(void)snprintf(text[0], sizeof(text[0]), "%" PRIu64, random_next(random));
	for (int i = 0; i < SLOTS; i++) {
		(void)snprintf(text[1 + 2 * i], sizeof(text[0]), "%d", slots[i].number);
		(void)snprintf(text[2 + 2 * i], sizeof(text[0]), "%d", slots[i].file);
		argv[4 + 2 * i] = text[1 + 2 * i];
		argv[5 + 2 * i] = text[2 + 2 * i];
	}
	(void)truth_print();
	(void)execv("/proc/self/exe", argv);
	_exit(1);
}

/* Uses what it has inherited, while its parent goes on. */
static void child_run(char *program, uint64_t random)
{
	for (int i = 0; i < SLOTS; i++)
		if (slots[i].number >= 0)
			file_read(slots[i].number, slots[i].file);
	if (random_next(&random) % 2)
		execute_again(program, &random);
	if (random_next(&random) % 2) {
		(void)syscall(SYS_close_range, 3u, ~0u, 0u);
		for (int i = 0; i < SLOTS; i++)
			slots[i].number = -1;
	}
	workers_run(&random);
	slots_close();
	_exit(truth_print());
}

static void process_run(char *program, uint64_t random)
{
	uint64_t seed;
	pid_t child;

	workers_run(&random);
	seed = random_next(&random);
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
		char path[256];
		int other;

		slots[i].file = (slots[i].file + 1) % FILES;
		file_name(slots[i].file, path, sizeof(path));
		other = open(path, O_RDWR);
		(void)dup2(other, slots[i].number);
		(void)close(other);
	}
}

static void slots_read(void)
{
	for (int act = 0; act < ACTS; act++) {
		file_read(slots[act % SLOTS].number, slots[act % SLOTS].file);
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
	slots[0].number = file_open(0, 0);
	file_read(slots[0].number, 0);
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
		slots[i].file = (slots[i].file + 1) % FILES;
	slots_read();
	return truth_print();
}

static int before_run(const char *how)
{
	static char stack[1 << 16] __attribute__((aligned(64)));
	pid_t child;

	for (int i = 0; i < SLOTS; i++) {
		slots[i].file = i;
		slots[i].number = file_open(i, 0);
	}
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
	if (argc == 3)
		return before_run(argv[2]);
	for (int i = 0; i < SLOTS; i++) {
		(void)pthread_mutex_init(&slots[i].lock, NULL);
		slots[i].number = -1;
	}
	if (strcmp(argv[2], "again") == 0) {
		again(argc, argv);
		return truth_print();
	}
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

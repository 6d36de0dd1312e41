/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A flood of packets that CPU 1 receives keeps its soft interrupts so busy that its ksoftirqd
 * serves them. Packets and timers that wake tasks from there have senders and owners; neither
 * ksoftirqd, which only lends its context, nor the spinner, which shares the CPU, is to be named.
 */
#include <errno.h>
#include <linux/filter.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "own_network.h"
#include "truth.h"

#define BUSY_CPU      1u
#define BUSY_CPU_MASK "2"
#define FILTER_LENGTH 1000u
/* Kernel threads of CPUs are among the first tasks. */
#define KSOFTIRQD_TID_MAX 1000
/* What ksoftirqd must run, or else it has not taken over. */
#define TAKEN_OVER_NS 10000000u
#define ROUNDS_MAX 400

enum { PORT_FLOOD = 7001, PORT_ASKED, PORT_SILENT };

/* A task and its waits. */
struct waiter {
	int tid;
	unsigned count;
	uint64_t begin[TRUTH_ROUNDS], end[TRUTH_ROUNDS];
};

static atomic_bool is_over;
static int spinner_tid;

/* A socket that takes microseconds to refuse a packet. */
static void flood_socket_begin(void)
{
	static struct sock_filter steps[FILTER_LENGTH];
	struct sock_fprog filter = {.len = FILTER_LENGTH, .filter = steps};

	for (unsigned i = 0; i < FILTER_LENGTH; i++)
		steps[i] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_DIV | BPF_K, 3);
	steps[FILTER_LENGTH - 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0);
	truth_may(setsockopt(own_network_socket(PORT_FLOOD), SOL_SOCKET, SO_ATTACH_FILTER, &filter,
	                     sizeof(filter)) == 0,
	          "a filter of a socket");
}

static void *flooder_run(void *unused)
{
	int fd = own_network_socket(0);

	(void)truth_pin(0);
	while (!atomic_load(&is_over))
		own_network_send(fd, PORT_FLOOD);
	return unused;
}

static void *spinner_run(void *unused)
{
	(void)truth_pin(BUSY_CPU);
	spinner_tid = truth_tid();
	while (!atomic_load(&is_over))
		;
	return unused;
}

static void waiter_add(struct waiter *waiter, uint64_t begin)
{
	waiter->begin[waiter->count] = begin;
	waiter->end[waiter->count++] = truth_now();
}

static void *receiver_run(void *memory)
{
	struct waiter *waiter = memory;
	int fd = own_network_socket(PORT_ASKED);
	char byte;

	waiter->tid = truth_tid();
	while (waiter->count < TRUTH_ROUNDS) {
		uint64_t begin = truth_now();

		truth_must(recv(fd, &byte, 1, 0) == 1, "recv");
		waiter_add(waiter, begin);
	}
	atomic_store(&is_over, true);
	return NULL;
}

/* Its timeouts are of the kind that a soft interrupt serves. */
static void *sleeper_run(void *memory)
{
	struct timeval timeout = {.tv_usec = TRUTH_PAUSE_NS / 1000};
	struct waiter *waiter = memory;
	int fd = own_network_socket(PORT_SILENT);
	char byte;

	(void)truth_pin(BUSY_CPU);
	waiter->tid = truth_tid();
	truth_must(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) == 0,
	           "SO_RCVTIMEO");
	while (!atomic_load(&is_over) && waiter->count < TRUTH_ROUNDS) {
		uint64_t begin = truth_now();

		truth_must(recv(fd, &byte, 1, 0) < 0 && errno == EAGAIN, "a silent socket");
		waiter_add(waiter, begin);
	}
	return NULL;
}

/* The first line of /proc/TID/NAME; empty where there is none. */
static void proc_read(int tid, const char *name, char line[static 64])
{
	char path[64];
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", tid, name);
	file = fopen(path, "re");
	if (!file || !fgets(line, 64, file))
		line[0] = '\0';
	if (file)
		(void)fclose(file);
}

static int ksoftirqd_find(void)
{
	for (int tid = 1; tid < KSOFTIRQD_TID_MAX; tid++) {
		char comm[64];

		proc_read(tid, "comm", comm);
		if (strcmp(comm, "ksoftirqd/1\n") == 0)
			return tid;
	}
	truth_skip("there is no ksoftirqd/1");
}

static uint64_t ksoftirqd_ran(int tid)
{
	char schedstat[64];
	uintmax_t ran = 0;

	proc_read(tid, "schedstat", schedstat);
	truth_may(sscanf(schedstat, "%ju", &ran) == 1, "schedstat of ksoftirqd/1");
	return ran;
}

static void waiter_print(const struct waiter *waiter, const char *cause, int ksoftirqd)
{
	const int innocent[] = {ksoftirqd, spinner_tid};

	for (unsigned i = 0; i < waiter->count; i++)
		for (unsigned j = 0; j < 2; j++)
			truth_add("wait tid=%d begin=%ju end=%ju not_waker=%d %s\n",
			          waiter->tid, waiter->begin[i], waiter->end[i], innocent[j],
			          cause);
	for (unsigned j = 0; j < 2; j++)
		truth_add("path tid=%d begin=%ju end=%ju most=0 of=%d\n", waiter->tid,
		          waiter->begin[0], waiter->end[waiter->count - 1], innocent[j]);
}

int main(void)
{
	struct waiter receiver = {0}, sleeper = {0};
	int ksoftirqd = ksoftirqd_find(), fd;
	uint64_t ran = ksoftirqd_ran(ksoftirqd);
	pthread_t threads[4];
	char cause[64];

	if (!truth_pin(BUSY_CPU) || !truth_pin(0))
		truth_skip("there is no second CPU");
	own_network_begin(BUSY_CPU_MASK);
	flood_socket_begin();
	fd = own_network_socket(0);
	threads[0] = truth_thread(spinner_run, NULL);
	threads[1] = truth_thread(flooder_run, NULL);
	for (int i = 0; i < ROUNDS_MAX && ksoftirqd_ran(ksoftirqd) - ran < TAKEN_OVER_NS; i++)
		truth_sleep(TRUTH_PAUSE_NS / 4);
	threads[2] = truth_thread(receiver_run, &receiver);
	threads[3] = truth_thread(sleeper_run, &sleeper);
	for (int i = 0; i < ROUNDS_MAX && !atomic_load(&is_over); i++) {
		truth_sleep(TRUTH_PAUSE_NS);
		own_network_send(fd, PORT_ASKED);
	}
	truth_must(atomic_load(&is_over), "every packet is lost");
	for (int i = 0; i < 4; i++)
		(void)pthread_join(threads[i], NULL);
	if (ksoftirqd_ran(ksoftirqd) - ran < TAKEN_OVER_NS)
		truth_skip("ksoftirqd/1 has not taken over");
	(void)snprintf(cause, sizeof(cause), "kind=net sender=%d", truth_tid());
	waiter_print(&receiver, cause, ksoftirqd);
	waiter_print(&sleeper, "kind=timer own=true", ksoftirqd);
	return truth_print();
}

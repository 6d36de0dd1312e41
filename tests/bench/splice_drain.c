/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * splice_drain INSTANCE FOLDER: moves all pages of an instance's buffers to a file for each CPU and
 * does nothing else, until SIGTERM: what a recorder takes at least.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CPUS_MAX    256
#define PIPE_BYTES  (1 << 20)
#define WAIT_MS     100

struct cpu {
	int from, to;
};

static volatile sig_atomic_t is_over;

static void on_term(int number)
{
	(void)number;
	is_over = 1;
}

static int open_from(const char *instance, unsigned cpu)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/trace_pipe_raw", instance, cpu);
	return open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

static int open_to(const char *folder, unsigned cpu)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/splice.%u.dat", folder, cpu);
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

/* All that can be had without waiting. */
static void drain(const struct cpu *cpu, const int *pipe_ends)
{
	for (;;) {
		ssize_t got = splice(cpu->from, NULL, pipe_ends[1], NULL, PIPE_BYTES,
		                     SPLICE_F_NONBLOCK | SPLICE_F_MOVE);

		if (got <= 0)
			return;
		while (got > 0) {
			ssize_t put = splice(pipe_ends[0], NULL, cpu->to, NULL, (size_t)got,
			                     SPLICE_F_MOVE);

			if (put <= 0)
				exit(EXIT_FAILURE);
			got -= put;
		}
	}
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_term};
	struct pollfd ready[CPUS_MAX];
	struct cpu cpus[CPUS_MAX];
	int pipe_ends[2];
	nfds_t count = 0;

	if (argc != 3 || pipe2(pipe_ends, O_CLOEXEC) < 0)
		return EXIT_FAILURE;
	(void)sigaction(SIGTERM, &action, NULL);
	(void)fcntl(pipe_ends[1], F_SETPIPE_SZ, PIPE_BYTES);
	for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++) {
		cpus[count].from = open_from(argv[1], cpu);
		if (cpus[count].from < 0)
			continue;
		cpus[count].to = open_to(argv[2], cpu);
		if (cpus[count].to < 0)
			return EXIT_FAILURE;
		ready[count] = (struct pollfd){.fd = cpus[count].from, .events = POLLIN};
		count++;
	}
	while (!is_over) {
		if (poll(ready, count, WAIT_MS) <= 0)
			continue;
		for (nfds_t i = 0; i < count; i++)
			if (ready[i].revents & POLLIN)
				drain(&cpus[i], pipe_ends);
	}
	return EXIT_SUCCESS;
}

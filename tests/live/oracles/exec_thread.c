/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that is not its process's leader sleeps, executes a program, which takes the leader's
 * tid, and sleeps on. Its sleeps before and after are those of one task, with the tid that it has
 * in the end, and that task goes on without a gap.
 */
#include <unistd.h>

#include "truth.h"

/* A sleep: begin and end. What happened before the exec reaches the program as its input. */
struct nap {
	uint64_t begin, end;
};

static struct nap nap_take(void)
{
	struct nap nap = {.begin = truth_now()};

	truth_sleep(TRUTH_PAUSE_NS);
	nap.end = truth_now();
	return nap;
}

static void *thread_run(void *unused)
{
	struct nap nap = nap_take();
	int ends[2];

	truth_must(pipe(ends) == 0, "pipe");
	truth_must(write(ends[1], &nap, sizeof(nap)) == sizeof(nap), "write");
	truth_must(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO, "dup2");
	(void)execl("/proc/self/exe", "exec_thread", "again", (char *)NULL);
	truth_must(false, "execl");
	return unused;
}

static int program_run(void)
{
	struct nap nap[2];

	truth_must(read(STDIN_FILENO, &nap[0], sizeof(nap[0])) == sizeof(nap[0]), "read");
	nap[1] = nap_take();
	for (int i = 0; i < 2; i++)
		truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=timer own=true\n",
		          truth_tid(), nap[i].begin, nap[i].end, TRUTH_PAUSE_NS / 10 * 9);
	truth_add("path tid=%d begin=%ju end=%ju least=%ju of=%d "
	          "state=running|runnable|waiting\n",
	          truth_tid(), nap[0].begin, nap[1].end, (nap[1].end - nap[0].begin) / 10 * 9,
	          truth_tid());
	return truth_print();
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		return program_run();
	(void)truth_thread(thread_run, NULL);
	/* the leader of old, killed by the exec: no wait of its own is mistaken for the thread's */
	for (;;)
		;
}

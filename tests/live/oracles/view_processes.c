/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A family: children that are killed, one that ends itself, one that executes a program, one with
 * a child of its own. --processes must have each of them once, with its parent, its life between
 * the instants that the parent knows, and who killed it by what.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "truth.h"

#define KILLED   4
#define PROGRAM  "/bin/true"

/* Both ends of the instants at which something happened. */
struct moment {
	uint64_t before, after;
};

struct life {
	int tid;
	struct moment begin, end;
};

static struct life lives[KILLED + 3], *grandchild;
static unsigned life_count;

static void life_print(const struct life *life, int parent)
{
	truth_add("row list=processes.processes is=task.tid:%d is=parent:%d what=rows least=1"
	          " most=1\n", life->tid, parent);
	truth_add("row list=processes.processes is=task.tid:%d what=begin_ns least=%ju most=%ju\n",
	          life->tid, life->begin.before, life->begin.after);
	truth_add("row list=processes.processes is=task.tid:%d what=end_ns least=%ju most=%ju\n",
	          life->tid, life->end.before, life->end.after);
}

/* Forks; the child runs that and ends with what it returns. */
static struct life *child_new(int (*run)(void))
{
	struct life *life = &lives[life_count++];
	pid_t child;

	life->begin.before = truth_now();
	child = fork();
	truth_must(child >= 0, "fork");
	if (child == 0)
		_exit(run());
	life->begin.after = truth_now();
	life->tid = child;
	life->end.before = life->begin.before;
	return life;
}

static void child_wait(struct life *life)
{
	truth_must(waitpid(life->tid, NULL, 0) == life->tid, "waitpid");
	life->end.after = truth_now();
}

static int sleep_long(void)
{
	truth_sleep(UINT64_C(20000000000));
	return 0;
}

static int end_at_once(void)
{
	return 0;
}

static int execute(void)
{
	(void)execl(PROGRAM, PROGRAM, (char *)NULL);
	return 127;
}

static int have_child(void)
{
	struct life *life;

	/* its own are told by its parent */
	life_count = 0;
	life = child_new(end_at_once);
	child_wait(life);
	*grandchild = *life;
	return 0;
}

/* A task that is asleep is woken by what kills it. */
static bool is_asleep(int tid)
{
	char path[64], state = 0;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	file = fopen(path, "re");
	truth_must(file && fscanf(file, "%*d %*s %c", &state) == 1, path);
	(void)fclose(file);
	return state == 'S';
}

static void kill_one(int number, const char *name)
{
	struct life *life = child_new(sleep_long);
	uint64_t after;

	do
		truth_sleep(TRUTH_PAUSE_NS);
	while (!is_asleep(life->tid));
	life->end.before = truth_now();
	truth_must(kill(life->tid, number) == 0, "kill");
	after = truth_now();
	child_wait(life);
	truth_add("row list=processes.signals is=from.tid:%d is=to.tid:%d is=number:%d is=woke:true"
	          " what=at_ns least=%ju most=%ju\n", truth_tid(), life->tid, number,
	          life->end.before, after);
	truth_add("row list=processes.signals is=to.tid:%d is=number:%d what=target_end_ns"
	          " least=%ju most=%ju\n", life->tid, number, life->end.before, life->end.after);
	truth_add("row list=processes.processes is=task.tid:%d is=killed_by:%s is=oom:false"
	          " what=rows least=1 most=1\n", life->tid, name);
}

int main(void)
{
	static const struct {
		int number;
		const char *name;
	} signals[KILLED] = {
		{SIGTERM, "SIGTERM"}, {SIGKILL, "SIGKILL"}, {SIGUSR1, "SIGUSR1"}, {SIGHUP, "SIGHUP"},
	};
	struct life *executes, *parent;
	unsigned count;

	truth_may(access(PROGRAM, X_OK) == 0, PROGRAM);
	grandchild = truth_shared(sizeof(*grandchild));
	for (size_t i = 0; i < KILLED; i++)
		kill_one(signals[i].number, signals[i].name);
	child_wait(child_new(end_at_once));
	executes = child_new(execute);
	child_wait(executes);
	parent = child_new(have_child);
	child_wait(parent);
	count = life_count;
	for (unsigned i = 0; i < count; i++)
		life_print(&lives[i], truth_tid());
	life_print(grandchild, parent->tid);
	truth_add("row list=processes.processes is=parent:%d what=rows least=%u most=%u\n",
	          truth_tid(), count, count);
	truth_add("row list=processes.processes is=task.tid:%d what=children least=%u most=%u\n",
	          truth_tid(), count, count);
	truth_add("row list=processes.processes is=task.tid:%d is=execs.0.filename:%s"
	          " what=execs.0.at_ns least=%ju most=%ju\n", executes->tid, PROGRAM,
	          executes->begin.before, executes->end.after);
	truth_add("row list=processes.signals is=from.tid:%d is=woke:true what=rows least=%u"
	          " most=%u\n", truth_tid(), KILLED, KILLED);
	truth_sleep(TRUTH_PAUSE_NS);
	return truth_print();
}

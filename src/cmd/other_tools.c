/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "other_tools.h"

#include <string.h>

#include "base/data/array.h"

const struct foreign_word foreign_words[] = {
	{NULL, "stat", "\"ftwait record -- COMMAND\" and \"ftwait report\" say where the time "
	               "went"},
	{NULL, "script", "\"ftwait report --waits\" prints a line for each wait; single events: "
	                 "trace-cmd report FILE"},
	{NULL, "trace", "\"ftwait record -e +syscalls -- COMMAND\" and \"ftwait report --syscall\" "
	                "show system calls"},
	{NULL, "annotate", "\"ftwait record --profile\" and \"ftwait report --on-cpu\" show "
	                   "functions; ftwait shows no instructions"},
	{NULL, "start", "\"ftwait record\" records until Ctrl-C, or as long as -d says"},
	{NULL, "stop", "Ctrl-C ends \"ftwait record\", and -d does after a time"},
	{NULL, "restart", "\"ftwait record\" records until Ctrl-C, or as long as -d says"},
	{NULL, "reset", "\"ftwait cleanup\" removes what killed recorders left; nothing else needs "
	                "to be reset"},
	{NULL, "clear", "\"ftwait cleanup\" removes what killed recorders left; nothing else needs "
	                "to be reset"},
	{NULL, "extract", "\"ftwait shot\" saves what a flight recorder (record --trigger) has in "
	                  "memory"},
	{NULL, "snapshot", "\"ftwait shot\" saves what a flight recorder (record --trigger) has in "
	                   "memory"},
	{NULL, "stream", "\"ftwait top\" shows what waits now; \"ftwait record -o -\" writes a "
	                 "stream"},
	{NULL, "listen", "\"ssh HOST ftwait record -o - > FILE\" records on another machine"},
	{NULL, "live", "\"ftwait top\" shows what waits now"},
	{NULL, "show", "\"ftwait report FILE\" shows a recording, \"ftwait top\" what waits now"},
	{NULL, "dump", "\"ftwait report FILE\" shows a recording; its raw content: trace-cmd dump"},
	{NULL, "info", "the first lines of \"ftwait report FILE\" describe the recording"},
	{NULL, "profile", "\"ftwait record --profile\" and \"ftwait report --on-cpu\" show what "
	                  "runs"},
	{NULL, "hist", "\"ftwait report --waits --histogram\" shows how long waits are"},
	{NULL, "split", "\"ftwait report --from TIME --to TIME\" reports on a part of a recording"},
	{NULL, "attach", "\"ftwait record -p PID\" records a process that runs, \"ftwait why PID\" "
	                 "says what it waits for"},
	{NULL, "check-events", "\"ftwait doctor\" and \"ftwait list\" say what can be recorded"},
	{NULL, "evlist", "\"ftwait list\" shows the events"},
	{NULL, "events", "\"ftwait list\" shows the events"},

	{"record", "-a", "the whole machine is recorded anyway"},
	{"record", "--all-cpus", "the whole machine is recorded anyway"},
	{"record", "--all", "the whole machine is recorded anyway"},
	{"record", "-C", "all CPUs are recorded; report --cpu selects some"},
	{"record", "--cpu", "all CPUs are recorded; report --cpu selects some"},
	{"record", "-g", "--stacks"},
	{"record", "--call-graph", "--stacks"},
	{"record", "-T", "--stacks"},
	{"record", "-F", "--profile"},
	{"record", "--freq", "--profile"},
	{"record", "-P", "--pid"},
	{"record", "-t", "--pid"},
	{"record", "--tid", "--pid"},
	{"record", "--comm", "--pid"},
	{"record", "-m", "--buffer"},
	{"record", "--mmap-pages", "--buffer"},
	{"record", "-k", "--clock"},
	{"record", "--clockid", "--clock"},
	{"record", "-N", "\"ssh HOST ftwait record -o - > FILE\" records on another machine"},
	{"record", "--all-user", "waits are recorded of programs and of the kernel; report --comm "
	                         "selects tasks"},

#ifndef FTWAIT_RECORDER
	{"report", "--io", "--disk"},
	{"report", "--iostat", "--disk"},
	{"report", "--iotop", "--disk"},
	{"report", "--block", "--disk"},
	{"report", "--biolatency", "--disk"},
	{"report", "--biosnoop", "--disk"},
	{"report", "--latency", "--sched"},
	{"report", "--runqlat", "--sched"},
	{"report", "--runqslower", "--sched"},
	{"report", "--runqueue", "--sched"},
	{"report", "--timehist", "--sched"},
	{"report", "--oncpu", "--on-cpu"},
	{"report", "--offcpu", "--off-cpu"},
	{"report", "--offcputime", "--off-cpu"},
	{"report", "--offwaketime", "--off-cpu"},
	{"report", "--locks", "--lock"},
	{"report", "--contention", "--lock"},
	{"report", "--futex", "--lock"},
	{"report", "--mutex", "--lock"},
	{"report", "--network", "--net"},
	{"report", "--sockets", "--net"},
	{"report", "--tcp", "--net"},
	{"report", "--tcplife", "--net"},
	{"report", "--drops", "--net"},
	{"report", "--strace", "--syscall"},
	{"report", "--mem", "--memory"},
	{"report", "--kmem", "--memory"},
	{"report", "--vmstat", "--memory"},
	{"report", "--interrupts", "--irq"},
	{"report", "--hardirqs", "--irq"},
	{"report", "--softirqs", "--irq"},
	{"report", "--workqueue", "--irq"},
	{"report", "--execsnoop", "--processes"},
	{"report", "--signals", "--processes"},
	{"report", "--timechart", "--timeline"},
	{"report", "--replay", "--timeline"},
	{"report", "--since", "--from"},
	{"report", "--until", "--to"},
	{"report", "--call-graph", "--chains"},
	{"report", "-g", "--chains"},
	{"report", "--stdio", "text is the default; --no-pager prints it without a pager"},
	{"report", "--format=speedscope", "speedscope reads --format folded"},
	{"report", "--tui", "--format html -o FILE writes a page to look around in"},

	{"why", "-t", "--pid"},
	{"why", "--tid", "--pid"},

	{"top", "-a", "the whole machine is shown anyway"},
	{"top", "-d", "--interval"},
	{"top", "--delay", "--interval"},
	{"top", "-H", "\"--by task\" has a row for each task"},
	{"top", "-g", "the key Enter shows the chain of a row"},
#endif
};

const size_t foreign_word_count = ARRAY_SIZE(foreign_words);

static bool command_is(const char *command, const char *other)
{
	return command && other ? strcmp(command, other) == 0 : command == other;
}

const char *foreign_word_find(const char *command, const char *word)
{
	for (size_t i = 0; i < foreign_word_count; i++)
		if (command_is(foreign_words[i].command, command) &&
		    strcmp(foreign_words[i].word, word) == 0)
			return foreign_words[i].ours;
	return NULL;
}

bool foreign_word_is_option(const char *ours)
{
	return strncmp(ours, "--", 2) == 0 && !strchr(ours, ' ');
}

bool foreign_word_append(struct buffer *to, const char *command, const char *word)
{
	const char *ours = foreign_word_find(command, word);

	if (!ours)
		return false;
	if (foreign_word_is_option(ours))
		buffer_printf(to, "; did you mean %s?", ours);
	else
		buffer_printf(to, ": %s", ours);
	return true;
}

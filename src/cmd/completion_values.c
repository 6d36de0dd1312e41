/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "completion_values.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "recorder/instance/event_selection.h"
#include "recorder/instance/prepared_instance.h"
#include "capture/instance/tracing_mount.h"
#include "recorder/machine/flight_search.h"
#include "recorder/machine/text_file.h"
#include "ftwait/stream.h"
#include "help_topics.h"
#include "source/source.h"
#include "source/file/trace_magic.h"
#include "words/kernel/syscall_names.h"
#include "words/kernel/trace_clock.h"

#define SYSCALL_NUMBER_MAX 7000 /* mips counts from 4000, 5000 and 6000 */
#define CLOCKS_BYTES       4096

/* Values from a recording or /proc: tasks and CPUs. */

#define COMM_BYTES 64
#define COMM_SHOWN 15 /* TASK_COMM_LEN without the NUL */
#define CPUS_SHOWN 1024

/* Whether the file may be opened: to read a pipe would empty it, and a compressed file would be
   unpacked as a whole. */
static bool file_may_be_opened(const char *path)
{
	char magic[STREAM_MAGIC_BYTES];
	_cleanup_(closep) int fd = -1;
	struct stat status;

	if (stat(path, &status) < 0 || !S_ISREG(status.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd >= 0 && read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
	       (memcmp(magic, STREAM_MAGIC, sizeof(magic)) == 0 ||
	        memcmp(magic, DATFILE_MAGIC, DATFILE_MAGIC_BYTES) == 0);
}

/* Opens the recording, without its events. NULL: the file is no recording. `path` NULL: the file
   that report reads by default. */
static struct source *recording_open(const char *path)
{
	_cleanup_(buffer_release) struct buffer why = {0};
	struct source *source = NULL;

	if (!path)
		path = "ftwait.dat";
	if (!file_may_be_opened(path))
		return NULL;
	buffer_init(&why, 1000);
	return source_open(path, &source, &why) < 0 ? NULL : source;
}

void completion_glob_append(struct buffer *to, const char *name, const char *avoided)
{
	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;

		if (c < 0x20 || c >= 0x7f || strchr(avoided, c)) {
			buffer_putc(to, '?');
			continue;
		}
		if (strchr("*?[]\\", c))
			buffer_putc(to, '\\');
		buffer_putc(to, (char)c);
	}
}

/* Adds a pattern that matches that name only. */
static void add_glob(struct candidate_list *to, const char *name)
{
	_cleanup_(buffer_release) struct buffer glob = {0};

	buffer_init(&glob, 2 * strlen(name) + 1);
	completion_glob_append(&glob, name, ",");
	if (glob.length > 0)
		candidate_add(to, glob.text, NULL);
}

static void add_number(struct candidate_list *to, int64_t number, const char *about)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%" PRId64, number);
	candidate_add(to, text, about);
}

static void add_tids(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(source_closep) struct source *source = recording_open(request->recording);

	for (size_t i = 0; source && i < source->known_task_count; i++)
		add_number(to, source->known_tasks[i].tid, source->known_tasks[i].comm);
}

/* Adds the leaders of processes, and tasks of which the process is not known. */
static void add_pids(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(source_closep) struct source *source = recording_open(request->recording);

	for (size_t i = 0; source && i < source->known_task_count; i++) {
		const struct known_task *task = &source->known_tasks[i];

		if (task->tgid < 0 || task->tgid == task->tid)
			add_number(to, task->tid, task->comm);
	}
}

/* Whether the task is called as the program of COMMAND. A task's name is cut to COMM_SHOWN
   bytes. */
static bool task_is_named_as_command(const struct source *source, const struct known_task *task)
{
	const char *program = source->command_count > 0 ? source->command[0] : "";
	const char *slash = strrchr(program, '/');

	return *task->comm && strncmp(task->comm, slash ? slash + 1 : program, COMM_SHOWN) == 0;
}

/* Whether the recording was made for the task, because it is COMMAND or belongs to -p. The head of
   the file may not name all such tasks. */
static bool task_is_asked(const struct source *source, const struct known_task *task)
{
	for (size_t i = 0; i < source->pid_count; i++)
		if (source->pids[i] == task->tid || source->pids[i] == task->tgid)
			return true;
	return source->command_pid > 0 &&
	       (source->command_pid == task->tid || source->command_pid == task->tgid ||
	        task_is_named_as_command(source, task));
}

/* Adds the names of the tasks that the recording was made for, then the others. */
static void add_comms(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(source_closep) struct source *source = recording_open(request->recording);

	for (size_t i = 0; source && i < source->known_task_count; i++)
		if (task_is_asked(source, &source->known_tasks[i]))
			add_glob(to, source->known_tasks[i].comm);
	for (size_t i = 0; source && i < source->known_task_count; i++)
		add_glob(to, source->known_tasks[i].comm);
}

static void add_cgroups(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(source_closep) struct source *source = recording_open(request->recording);

	for (size_t i = 0; source && i < source->cgroup_count; i++)
		add_glob(to, source->cgroups[i].path);
}

/* Adds names, and also tids if a number is being typed. */
static void add_tasks(const struct completion_request *request, struct candidate_list *to)
{
	if (*to->beginning >= '0' && *to->beginning <= '9')
		add_tids(request, to);
	add_comms(request, to);
}

static void add_cpus(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(source_closep) struct source *source = recording_open(request->recording);

	for (unsigned cpu = 0; source && cpu < source->cpu_count && cpu < CPUS_SHOWN; cpu++)
		add_number(to, cpu, NULL);
}

static void add_processes(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(closedirp) DIR *proc = opendir("/proc");
	const struct dirent *entry;

	(void)request;
	while (proc && (entry = readdir(proc))) {
		_cleanup_(buffer_release) struct buffer comm = {0};
		_cleanup_(freep) char *path = NULL;
		int32_t pid;

		if (parse_pid(entry->d_name, &pid) < 0)
			continue;
		path = xasprintf("/proc/%d/comm", pid);
		buffer_init(&comm, COMM_BYTES);
		(void)text_file_read(path, &comm);
		comm.text[strcspn(comm.text, "\n")] = '\0';
		add_number(to, pid, comm.text);
	}
}

/* A recorder is described by its command line. */
static void add_recorders(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(freep) int32_t *pid = NULL;
	size_t count = flight_recorders_find(&pid);

	(void)request;
	for (size_t i = 0; i < count; i++) {
		_cleanup_(buffer_release) struct buffer words = {0};

		buffer_init(&words, FLIGHT_COMMAND_BYTES_MAX);
		(void)flight_recorder_command(pid[i], &words);
		for (size_t at = 0; at + 1 < words.length; at++)
			if (!words.text[at])
				words.text[at] = ' ';
		add_number(to, pid[i], words.text);
	}
}

static void add_fixed(const struct completion_request *request, struct candidate_list *to)
{
	for (size_t i = 0; request->row.value_at && request->row.value_at(i); i++)
		candidate_add(to, request->row.value_at(i), NULL);
}

static void add_sort_keys(const struct completion_request *request, struct candidate_list *to)
{
	bool is_any = false;

	for (size_t i = 0; analyses[i]; i++)
		for (const char *const *key = analyses[i]->sort_keys;
		     request->views[i] && key && *key; key++) {
			candidate_add(to, *key, analyses[i]->name);
			is_any = true;
		}
	if (!is_any)
		add_fixed(request, to);
}

/* Adds the number, which begins at `before`, with each unit. */
static void add_units(const char *const (*units)[2], struct candidate_list *to, size_t before)
{
	const char *number = to->beginning + before;
	size_t digits = strspn(number, "0123456789.");

	if (digits == 0 || number[digits + strcspn(number + digits, "0123456789.")])
		return;
	for (; (*units)[0]; units++) {
		_cleanup_(freep) char *text = xasprintf("%.*s%s", (int)(before + digits),
		                                         to->beginning, (*units)[0]);

		candidate_add(to, text, (*units)[1]);
	}
}

void completion_add_times(struct candidate_list *to, size_t before)
{
	static const char *const units[][2] = {
		{"s", "seconds"}, {"ms", "milliseconds"}, {"us", "microseconds"},
		{"ns", "nanoseconds"}, {"m", "minutes"}, {"h", "hours"}, {NULL, NULL},
	};

	add_units(units, to, before);
}

static void add_times(const struct completion_request *request, struct candidate_list *to)
{
	(void)request;
	completion_add_times(to, 0);
}

static void add_sizes(const struct completion_request *request, struct candidate_list *to)
{
	static const char *const units[][2] = {
		{"K", "KiB"}, {"M", "MiB"}, {"G", "GiB"}, {NULL, NULL},
	};

	(void)request;
	add_units(units, to, 0);
}

static bool group_is_offered(const struct candidate_list *to, const char *name)
{
	return name && strncmp(name, to->beginning, strlen(to->beginning)) == 0;
}

/* Adds groups; if none matches, events, with or without their system. */
static void add_events(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(buffer_release) struct buffer why = {0};
	_cleanup_(freep) char *tracefs = NULL;
	struct event_catalog catalog = {0};

	(void)request;
	candidate_add(to, "default", "what is recorded without -e");
	for (size_t i = 0; i < event_group_count; i++) {
		const struct event_group *group = &event_groups[i];
		_cleanup_(freep) char *added = group->is_default ? NULL
		                                                 : xasprintf("+%s", group->name);

		candidate_add(to, group->name, group->summary);
		if (added && to->beginning[0] == '+')
			candidate_add(to, added, group->summary);
		if (group_is_offered(to, group->alias) && !group_is_offered(to, group->name))
			candidate_add(to, group->alias, group->summary);
	}
	buffer_init(&why, 1000);
	if (to->count > 0 || tracing_mount_find(&tracefs, &why) < 0)
		return;
	(void)event_catalog_load(tracefs, &catalog);
	for (size_t i = 0; i < catalog.count; i++) {
		const char *colon = strchr(catalog.name[i], ':');

		candidate_add(to, catalog.name[i], NULL);
		if (colon && !strchr(to->beginning, ':'))
			candidate_add(to, colon + 1, NULL);
	}
	event_catalog_release(&catalog);
}

static void add_groups(const struct completion_request *request, struct candidate_list *to)
{
	(void)request;
	for (size_t i = 0; i < event_group_count; i++)
		candidate_add(to, event_groups[i].name, event_groups[i].summary);
}

/* The kernel's list, "[local] global counter"; if it cannot be read, the known clocks. */
static void add_clocks(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(buffer_release) struct buffer text = {0}, why = {0};
	_cleanup_(freep) char *tracefs = NULL;
	char *save, *name;

	(void)request;
	buffer_init(&why, 1000);
	buffer_init(&text, CLOCKS_BYTES);
	if (tracing_mount_find(&tracefs, &why) < 0 ||
	    text_file_read_at(tracefs, "trace_clock", &text) < 0) {
		for (size_t i = 0; trace_clock_at(i); i++)
			candidate_add(to, trace_clock_at(i)->name, trace_clock_at(i)->unit);
		return;
	}
	for (name = strtok_r(text.text, " []\n", &save); name;
	     name = strtok_r(NULL, " []\n", &save)) {
		const struct trace_clock *clock = trace_clock_find(name);

		candidate_add(to, name, clock ? clock->unit : NULL);
	}
}

static void add_instance(void *to, const char *dir, const char *name)
{
	(void)dir;
	candidate_add(to, name, NULL);
}

static void add_instances(const struct completion_request *request, struct candidate_list *to)
{
	(void)request;
	prepared_instances_each(add_instance, to);
}

/* The heads of columns are left out: they are many, and written with blanks. */
static void add_topic(void *to, const char *name, const char *kind)
{
	if (strcmp(kind, "column") != 0)
		candidate_add(to, name, kind);
}

static void add_commands(const struct completion_request *request, struct candidate_list *to)
{
	for (size_t i = 0; i < command_count; i++)
		candidate_add(to, commands[i].name, commands[i].summary);
	if (request->ask != COMPLETION_COMMANDS) {
		candidate_add(to, "questions", "show which views answer which question");
		help_topics_each(add_topic, to);
	} else {
		candidate_add(to, "--help", "show the commands");
		candidate_add(to, "--version", "show the version");
	}
}

/* Both forms, with "=" and without, if the value is optional. */
static void add_options(const struct completion_request *request, struct candidate_list *to)
{
	struct option_row row;

	for (size_t i = 0; option_row_at(request->command->options, i, &row); i++) {
		_cleanup_(freep) char *text = NULL;
		_cleanup_(freep) char *with_value = NULL;

		if (row.type == OPTION_HEADING || row.is_hidden)
			continue;
		text = xasprintf("--%s", row.name);
		candidate_add(to, text, row.help);
		if (row.type == OPTION_OPTIONAL && row.argument) {
			with_value = xasprintf("--%s=", row.name);
			candidate_add(to, with_value, row.argument);
		}
	}
	candidate_add(to, "--help", "show the options");
}

/* Adds the system calls of the recorded machine; without a recording, those of this machine. */
static void add_syscalls(const struct completion_request *request, struct candidate_list *to)
{
	_cleanup_(source_closep) struct source *source = recording_open(request->recording);
	struct utsname here;
	const char *arch = source && source->arch ? source->arch
	                   : uname(&here) == 0    ? here.machine
	                                          : NULL;

	for (int64_t number = 0; number < SYSCALL_NUMBER_MAX; number++) {
		const char *name = syscall_name(arch, /* is_compat= */ false, number);

		if (name)
			candidate_add(to, name, NULL);
	}
}

typedef void (*values_adder)(const struct completion_request *request, struct candidate_list *to);

static const values_adder adders[] = {
	[VALUES_FIXED] = add_fixed,       [VALUES_SORT_KEYS] = add_sort_keys,
	[VALUES_TIME] = add_times,        [VALUES_SIZE] = add_sizes,
	[VALUES_CPUS] = add_cpus,         [VALUES_TIDS] = add_tids,
	[VALUES_PIDS] = add_pids,         [VALUES_COMMS] = add_comms,
	[VALUES_CGROUPS] = add_cgroups,
	[VALUES_TASKS] = add_tasks,       [VALUES_SYSCALLS] = add_syscalls,
	[VALUES_PROCESSES] = add_processes,
	[VALUES_RECORDERS] = add_recorders,
	[VALUES_CONDITION] = completion_condition,
	[VALUES_EVENTS] = add_events,     [VALUES_GROUPS] = add_groups,
	[VALUES_CLOCKS] = add_clocks,
	[VALUES_INSTANCES] = add_instances,
	[VALUES_COMMANDS] = add_commands,
	[VALUES_PROGRAMS] = NULL,
};

void completion_values(const struct completion_request *request, struct candidate_list *ret)
{
	*ret = (struct candidate_list){.beginning = request->text};
	if (request->ask == COMPLETION_COMMANDS)
		add_commands(request, ret);
	else if (request->ask == COMPLETION_OPTIONS)
		add_options(request, ret);
	else if (request->ask == COMPLETION_VALUES && adders[request->values])
		adders[request->values](request, ret);
	candidate_list_drop_doubles(ret);
}

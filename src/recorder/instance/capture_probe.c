/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/text/parse.h"
#include "event_selection.h"
#include "recorder/drain/draining.h"
#include "recorder/file/datfile_head.h"
#include "recorder/machine/child.h"
#include "recorder/machine/control_group.h"
#include "recorder/machine/machine_notes.h"
#include "recorder/machine/text_file.h"
#include "stack_events.h"
#include "stale_instances.h"
#include "tracing_access.h"
#include "words/kernel/kernel_feature.h"

/* What a top level has that nobody has used yet, with pages of 4 KiB: two of these. */
#define TOP_LEVEL_KIB_SMALL 16
#define MARKS          64   /* marks of this many bytes fill several pages */
#define MARK_BYTES     1000
#define PATH_BYTES     4096

struct probe {
	void (*on_finding)(void *state, const struct probe_finding *finding);
	void *state;
	enum probe_verdict worst;
	char *tracefs;
	struct event_catalog catalog;
	struct prepared_instance *prepared; /* NULL: the session has an own instance */
	struct capture_session *session;
	char *mend; /* of the last release_mend() */
};

/* The consequence of a missing group, and the remedy beside a newer kernel; NULL: none. */
struct group_gap {
	const char *group, *consequence, *mend;
};

static const struct group_gap group_gaps[] = {
	{"sched", "some waits will not be explained", NULL},
	{"irq", "interrupts are not named as causes", NULL},
	{"block", "waits for disks are not named", "with CONFIG_BLOCK"},
	{"net", "waits for packets are less exact", "with CONFIG_NET"},
	{"lock", "waits for kernel locks are not named", NULL},
	{"timer", "timers are not named as causes", NULL},
	{"workqueue", "work items are not followed to the tasks that queued them", NULL},
	{"signal", "signals are not named as causes", NULL},
	{"mm", "waits for memory are not named", NULL},
	{"syscalls", "system calls cannot be recorded", "with CONFIG_FTRACE_SYSCALLS"},
	{"paths", "system calls are recorded without the paths of files", NULL},
};

static void probe_report(struct probe *probe, const struct probe_finding *finding)
{
	if (finding->verdict > probe->worst)
		probe->worst = finding->verdict;
	probe->on_finding(probe->state, finding);
}

static void probe_fine(struct probe *probe, const char *subject, const char *fact)
{
	probe_report(probe, &(struct probe_finding){.subject = subject, .fact = fact});
}

static void probe_gap(struct probe *probe, const char *subject, const char *fact,
                      const char *consequence, const char *mend)
{
	probe_report(probe, &(struct probe_finding){
		.subject = subject,
		.verdict = PROBE_GAP,
		.fact = fact,
		.consequence = consequence,
		.mend = mend,
	});
}

/* "Linux 4.4 or newer", and more; valid until the next call. */
static const char *release_mend(struct probe *probe, const char *feature, const char *more)
{
	const char *since = kernel_feature_since(feature);

	free(probe->mend);
	probe->mend = since ? xasprintf("Linux %s or newer%s", since, more)
	                    : xasprintf("a newer kernel%s", more);
	return probe->mend;
}

/* Reports PROBE_FINE for r >= 0, else a gap with the fact "FILE: error". */
static void probe_report_result(struct probe *probe, const char *subject, const char *file, int r,
                                const char *consequence, const char *mend)
{
	_cleanup_(freep) char *fact = NULL;

	if (r >= 0) {
		probe_fine(probe, subject, file);
		return;
	}
	fact = xasprintf("%s: %s", file, strerror(-r));
	probe_report(probe, &(struct probe_finding){
		.subject = subject,
		.verdict = PROBE_GAP,
		.fact = fact,
		.error = -r,
		.consequence = consequence,
		.mend = r == -EMFILE ? "raise the limit: ulimit -n" : mend,
	});
}

/* Reports what makes recording impossible: the error `r`. A line of `why` is "FACT; MEND". */
static void probe_report_fatal(struct probe *probe, const char *subject, int r,
                               const char *consequence, struct buffer *why)
{
	char *mend = NULL;

	for (char *at = why->text; (at = strstr(at, "; ")); at += 2)
		mend = at;
	if (mend) {
		*mend = '\0';
		mend += 2;
	}
	probe_report(probe, &(struct probe_finding){
		.subject = subject,
		.verdict = PROBE_FATAL,
		.fact = why->text,
		.error = -r,
		.consequence = consequence,
		.mend = mend,
	});
}

static void probe_kernel(struct probe *probe)
{
	struct utsname name;

	if (uname(&name) == 0)
		probe_fine(probe, "kernel", name.release);
}

static void keep_first(void *state, const char *dir, const char *name)
{
	char **first = state;

	(void)name;
	if (!*first)
		*first = xstrdup(dir);
}

/* The path of this program, for sudo rules. */
static char *program_self(void)
{
	char path[PATH_BYTES];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path));

	return length > 0 && (size_t)length < sizeof(path) ? xasprintf("%.*s", (int)length, path)
	                                                   : xstrdup("/usr/bin/ftwait");
}

/* A rule with a pattern in it would let the user choose COMMAND. */
static void probe_sudo(struct probe *probe)
{
	static const char *const programs[] = {"sudo", "doas"};
	_cleanup_(buffer_release) struct buffer fact = buffer_of(2 * PATH_BYTES);
	_cleanup_(freep) char *self = program_self();
	_cleanup_(freep) char *path = NULL;
	size_t i = 0;

	while (i < ARRAY_SIZE(programs) && child_find(programs[i], &path) < 0)
		i++;
	if (!path) {
		probe_gap(probe, "sudo rule", "neither sudo nor doas is in PATH",
		          "no user can be allowed to record as root", "a prepared instance");
		return;
	}
	buffer_printf(&fact, i == 0 ? "%s; allow one command line, without *: #%u ALL=(root) "
	                              "NOPASSWD: %s record -d 10 -o -"
	                            : "%s; allow one command line: permit nopass %u as root cmd %s "
	                              "args record -d 10 -o -",
	              path, (unsigned)getuid(), self);
	probe_fine(probe, "sudo rule", fact.text);
}

/* Says how a user without access to tracefs can record on this machine, with the commands.
   `prepared`: the folder of an instance that was prepared for this user; NULL: none. */
static void probe_user_ways(struct probe *probe, const char *prepared)
{
	const struct tracing_scene here = tracing_scene_here();
	_cleanup_(buffer_release) struct buffer mend = buffer_of(2 * PATH_BYTES);
	_cleanup_(freep) char *name = xasprintf("user%u", (unsigned)getuid());

	if (prepared) {
		probe_fine(probe, "prepared instance", prepared);
	} else {
		buffer_puts(&mend, "as root, once in each boot: ");
		prepared_instance_describe_making(tracing_scene_place(&here)->tracing, name, &mend);
		buffer_printf(&mend, " (contrib/prepare-instance does it); then: ftwait record "
		                     "--instance=%s", name);
		probe_gap(probe, "prepared instance", "this user has none",
		          "a user without root can record only into one", mend.text);
	}
	probe_sudo(probe);
	probe_gap(probe, "file capability",
	          "CAP_DAC_OVERRIDE alone opens the tracefs; ftwait does not use it",
	          "a program that has it lets every user write to any file",
	          "one of the ways above");
}

/* After the error `r`. With an instance that was prepared for this user, what can be recorded is
   tried in that. */
static bool probe_user(struct probe *probe, int r, struct buffer *why)
{
	_cleanup_(freep) char *mend = NULL;
	char *dir = NULL, *end = strstr(why->text, "; ");
	_cleanup_(buffer_release) struct buffer unused = buffer_of(4096);

	prepared_instances_each(keep_first, &dir);
	if (!dir) {
		probe_report_fatal(probe, "tracefs", r, "nothing can be recorded", why);
		probe_user_ways(probe, NULL);
		return false;
	}
	mend = xasprintf("ftwait record --instance=%s", strrchr(dir, '/') + 1);
	if (end)
		*end = '\0';
	probe_report(probe, &(struct probe_finding){
		.subject = "tracefs",
		.verdict = PROBE_GAP,
		.fact = why->text,
		.error = -r,
		.consequence = "only a prepared instance can be recorded into",
		.mend = mend,
	});
	probe_user_ways(probe, dir);
	probe->tracefs = dir;
	buffer_clear(why);
	r = event_catalog_load_instance(dir, &probe->catalog);
	if (r == 0)
		r = prepared_instance_take(dir, &probe->prepared, &unused, why);
	if (r < 0)
		probe_report_fatal(probe, "instance", r, "nothing can be recorded now", why);
	return probe->prepared;
}

static bool probe_tracefs(struct probe *probe)
{
	static const char subject[] = "tracefs";
	_cleanup_(buffer_release) struct buffer why = buffer_of(4096);
	int r = tracing_mount_find(&probe->tracefs, &why);

	if (r == 0)
		r = event_catalog_load(probe->tracefs, &probe->catalog);
	if ((r == -EACCES || r == -EPERM) && geteuid() != 0) {
		r = probe_user(probe, r, &why) ? 0 : r;
	} else if (r < 0) {
		if (why.length == 0)
			(void)tracing_denial_explain_file(probe->tracefs, "available_events", -r,
			                                  &why);
		probe_report_fatal(probe, subject, r,
		                   r == -ENOENT ? "nothing can be recorded yet, nor tried"
		                                : "nothing can be recorded",
		                   &why);
	} else {
		probe_fine(probe, subject, probe->tracefs);
	}
	return r == 0;
}

static void on_stale(void *state, const struct stale_instance *stale)
{
	_cleanup_(freep) char *fact = xasprintf("%s holds %s event%s, %s", stale->name,
	                                        COUNT_TEXT(stale->events),
	                                        format_plural(stale->events),
	                                        SIZE_TEXT(stale->kib * 1024));

	probe_gap(state, "stale instance", fact, "what a killed recorder left behind takes memory",
	          "ftwait cleanup (the next \"ftwait record\" does the same)");
}

static bool probe_instance(struct probe *probe)
{
	const struct capture_options options = {
		.prepared = probe->prepared,
		.clock = clock_default(probe->tracefs),
		.buffer_bytes = 64u << 10,
		.stacks = CAPTURE_STACKS_SLEEP,
	};
	static const char subject[] = "instance";
	_cleanup_(freep) char *fact = xasprintf("%s, with clock %s",
	                                        probe->prepared ? "taken" : "made", options.clock);
	struct event_selection selection;
	_cleanup_(buffer_release) struct buffer why = buffer_of(4096);
	int r;

	event_selection_init(&selection, &probe->catalog);
	r = event_selection_add(&selection, "sched", &why);
	if (r == 0)
		r = capture_open(probe->tracefs, &options, &selection, &probe->session, &why);
	if (r < 0)
		probe_report_fatal(probe, subject, r, "nothing can be recorded", &why);
	else
		probe_fine(probe, subject, fact);
	event_selection_release(&selection);
	return r == 0;
}

static const struct group_gap *group_gap_find(const char *group)
{
	for (size_t i = 0; i < ARRAY_SIZE(group_gaps); i++)
		if (strcmp(group_gaps[i].group, group) == 0)
			return &group_gaps[i];
	return NULL;
}

/* "Linux 4.16 or newer, with CONFIG_NET". */
static void group_mend_append(const struct event_selection *selection, const struct group_gap *gap,
                              struct buffer *to)
{
	const char *since = selection->missing_count ? event_selection_missing_since(selection)
	                                             : kernel_feature_since(CATALOG_STRINGS_FILE);

	if (event_selection_lacks_waking(selection))
		buffer_puts(to, EVENT_SELECTION_WAKING_MEND "; or ");
	if (since)
		buffer_printf(to, "Linux %s or newer", since);
	else
		buffer_puts(to, "a newer kernel");
	if (gap && gap->mend)
		buffer_printf(to, ", %s", gap->mend);
}

static void probe_group(struct probe *probe, const char *group)
{
	_cleanup_(buffer_release) struct buffer mend = buffer_of(1000);
	_cleanup_(freep) char *subject = xasprintf("group %s", group);
	struct event_selection selection;
	struct probe_finding finding = {.subject = subject};
	_cleanup_(buffer_release) struct buffer fact = buffer_of(4096);
	size_t count = 0;

	event_selection_init(&selection, &probe->catalog);
	(void)event_selection_add(&selection, group, &fact);
	for (size_t i = 0; i < probe->catalog.count; i++)
		count += selection.is_selected[i];
	buffer_printf(&fact, "%zu event%s", count, format_plural(count));
	if (count == 0 && selection.missing_count == 0)
		buffer_puts(&fact, ": only some kernels have them");
	if (selection.missing_count > 0 || event_selection_lacks_strings(&selection)) {
		const struct group_gap *gap = group_gap_find(group);

		finding.verdict = PROBE_GAP;
		group_mend_append(&selection, gap, &mend);
		finding.consequence = gap ? gap->consequence : NULL;
		finding.mend = mend.text;
		buffer_puts(&fact, "; this kernel has no ");
		if (!event_selection_describe_missing(&selection, &fact))
			buffer_puts(&fact, CATALOG_STRINGS_FILE);
	}
	finding.fact = fact.text;
	probe_report(probe, &finding);
	event_selection_release(&selection);
}

/* Fills pages with marks of our own and splices one of them from any CPU. */
static int splice_try(struct probe *probe)
{
	char mark[MARK_BYTES];
	int pipe_fd[2], r = -EAGAIN;

	memset(mark, '.', sizeof(mark));
	mark[sizeof(mark) - 1] = '\0';
	(void)capture_session_begin(probe->session);
	for (int i = 0; i < MARKS; i++)
		(void)text_file_write_at(probe->session->dir, "trace_marker", mark);
	(void)capture_session_end(probe->session);
	if (pipe2(pipe_fd, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	for (unsigned cpu = 0; r == -EAGAIN && cpu < probe->session->cpu_count; cpu++) {
		_cleanup_(freep) char *path = xasprintf("%s/per_cpu/cpu%u/trace_pipe_raw",
		                                        probe->session->dir, cpu);
		_cleanup_(closep) int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

		if (fd < 0)
			r = -errno;
		else if (splice(fd, NULL, pipe_fd[1], NULL, probe->session->page_bytes,
		                SPLICE_F_NONBLOCK) > 0)
			r = 0;
		else if (errno != EAGAIN)
			r = -errno;
	}
	(void)close(pipe_fd[0]);
	(void)close(pipe_fd[1]);
	return r;
}

static void probe_buffer(struct probe *probe)
{
	uint64_t bytes = capture_buffer_bytes_default();
	char kib[32];
	_cleanup_(freep) char *file = NULL;
	int r;

	(void)snprintf(kib, sizeof(kib), "%" PRIu64, bytes / 1024);
	r = text_file_write_at(probe->session->dir, "buffer_size_kb", kib);
	file = r < 0 ? xasprintf("%s/buffer_size_kb", probe->session->dir)
	             : xasprintf("%s for each CPU", SIZE_TEXT(bytes));
	probe_report_result(probe, "buffer memory", file, r,
	                    "smaller buffers, events may be lost", "free memory, or use -b");
}

/* The top level's buffers have their full size only when somebody traces there: until then
   "7 (expanded: 1408)". Who sets the size of an instance before that leaves them small, on old
   kernels. */
static void probe_top_level(struct probe *probe)
{
	_cleanup_(freep) char *text = text_file_copy_line_at(probe->tracefs, "buffer_size_kb");
	_cleanup_(freep) char *fact = NULL;
	uint64_t kib;

	if (!text || probe->prepared)
		return;
	if (parse_u64(text, &kib) < 0 || kib > TOP_LEVEL_KIB_SMALL)
		return;
	fact = xasprintf("%s/buffer_size_kb: %s, and it no longer grows when it is used: an "
	                 "instance has been made", probe->tracefs, text);
	probe_gap(probe, "top level", fact,
	          "other tracers that use no instance lose events; ftwait does not",
	          release_mend(probe, FEATURE_OWN_EXPANSION,
	                       "; else before they trace: echo 1408 > buffer_size_kb"));
}

/* Tests what a second instance does for "-e syscalls" with COMMAND or -p. */
static void probe_tasks(struct probe *probe)
{
	const int32_t self = (int32_t)getpid();
	int r = capture_session_set_tasks(probe->session, &self, 1);

	if (!probe->session->has_own_filters)
		probe_gap(probe, "filters",
		          "those of an instance hold for the whole machine: ftwait writes none",
		          "system calls and a profile are not recorded, nor triggers of an event "
		          "with a condition",
		          release_mend(probe, "events/sched/sched_switch/trigger", ""));
	probe_report_result(probe, "calls of tasks", CAPTURE_TASK_FILES, r,
	                    "system calls are recorded of all tasks, or not at all",
	                    release_mend(probe, CAPTURE_FORKS_FILE,
	                                 "; else -e syscalls without COMMAND and -p"));
}

/* Says what kernels record of the strings of programs, which is more than paths. */
static void probe_strings(struct probe *probe)
{
	if (probe->catalog.has_strings)
		probe_fine(probe, "strings of calls",
		           "the group paths records paths. Nothing that is written is recorded, "
		           "unless -e names such an event (syscalls:sys_enter_write): it has the "
		           "first bytes (" CATALOG_STRINGS_FILE ")");
}

static void probe_profile(struct probe *probe)
{
	_cleanup_(freep) char *cpus = stack_tickless_cpus();
	_cleanup_(freep) char *rate = NULL;
	const char *why, *mend;

	if (stack_tick_function(&why, &mend)) {
		rate = xasprintf("%u ticks a second%s%s", stack_tick_hz(),
		                 cpus[0] ? "; none for a task that runs alone on CPUs " : "", cpus);
		probe_fine(probe, "profile", rate);
	} else {
		probe_gap(probe, "profile", why, "--profile records none", mend);
	}
}

/* probe_instance() has asked for stacks as a recorder does, before it enabled events. */
static void probe_stacks(struct probe *probe)
{
	static const char user_file[] = STACK_USER_FILE;
	static const char file[] = "events/sched/sched_switch/trigger";
	const char *dir = probe->session->dir;
	bool has_file = instance_has_triggers(dir);
	int r = probe->session->stacks ? 0 : has_file ? -EOPNOTSUPP : -ENOENT;

	probe_report_result(probe, "stacks",
	                    r == -EOPNOTSUPP ? "stacks of triggers, in this instance" : file, r,
	                    "--stacks records none",
	                    release_mend(probe, has_file ? FEATURE_OWN_TRIGGERS : file,
	                                 ", with CONFIG_STACKTRACE"));
	r = text_file_write_at(dir, user_file, "1");
	if (r == 0)
		r = text_file_write_at(dir, user_file, "0");
	if (r == 0 && !stack_user_is_supported())
		r = -EOPNOTSUPP;
	probe_report_result(probe, "program stacks", user_file, r,
	                    "--stacks=user records those of the kernel only",
	                    r == -ENOENT ? release_mend(probe, user_file, "")
	                                 : "a kernel with CONFIG_USER_STACKTRACE_SUPPORT, as on "
	                                   "x86_64");
	probe_profile(probe);
}

/* All checks that need the instance. */
static void probe_session(struct probe *probe)
{
	const char *dir = probe->session->dir;
	int r = splice_try(probe);

	probe_report_result(probe, "splice", "trace_pipe_raw", r,
	                    "pages are copied; recording costs more CPU time", "a newer kernel");
	r = text_file_write_at(dir, "buffer_percent", "50");
	probe_report_result(probe, "wake at half full", "buffer_percent", r,
	                    "the recorder wakes more often than it needs to",
	                    release_mend(probe, "buffer_percent", ""));
	r = probe->session->free_buffer_fd >= 0 ? 0 : -ENOENT;
	probe_report_result(probe, "disable on free", "options/disable_on_free", r,
	                    "after kill -9 of a recorder tracing goes on until \"ftwait cleanup\"",
	                    release_mend(probe, "options/disable_on_free", ""));
	probe_stacks(probe);
	probe_tasks(probe);
	probe_strings(probe);
	probe_buffer(probe);
	probe_top_level(probe);
}

static void probe_symbols(struct probe *probe)
{
	const struct tracing_scene here = tracing_scene_here();
	_cleanup_(buffer_release) struct buffer symbols = buffer_of(DATFILE_HEAD_BYTES_MAX / 2);
	int r = text_file_read("/proc/kallsyms", &symbols);

	if (r == 0 && symbols_are_hidden(&symbols))
		r = -EPERM;
	probe_report_result(probe, "kernel symbols", "/proc/kallsyms", r,
	                    "functions (timers, work, stacks) are shown as addresses",
	                    symbols_denial_mend(&here, -r));
}

static void probe_priority(struct probe *probe)
{
	struct drain_priority priority;

	drain_priority_begin(&priority);
	drain_priority_end(&priority);
	probe_report_result(probe, "priority", "real time", priority.error,
	                    "next to other busy sessions the buffers may overflow",
	                    "root, or CAP_SYS_NICE");
}

/* Without /proc a virtual machine looks like a real one. */
static void probe_machine(struct probe *probe)
{
	const struct tracing_scene here = tracing_scene_here();

	if (!tracing_scene_has_proc(&here))
		probe_gap(probe, "proc", "/proc is not mounted",
		          "tasks that began before have no name, and functions none",
		          "mount -t proc proc /proc");
	else if (machine_is_guest())
		probe_gap(probe, "machine", "virtual",
		          "CPU time that the host steals counts as running; only its sum is known",
		          "record on the host too");
	else
		probe_fine(probe, "machine", "real");
}

/* Limits that a control group sets for the recorder. */
static void probe_limits(struct probe *probe)
{
	_cleanup_(control_group_release) struct control_group_limits limits = {0};
	_cleanup_(freep) char *memory = NULL;
	_cleanup_(freep) char *cpu = NULL;

	control_group_read(&limits);
	if (limits.memory_file) {
		memory = xasprintf("%s: %s", limits.memory_file, SIZE_TEXT(limits.memory_bytes));
		probe_gap(probe, "memory limit", memory,
		          "a recorder or report that needs more is killed, or ends",
		          "a larger limit, a smaller -b; to report elsewhere");
	}
	if (limits.cpu_file) {
		cpu = xasprintf("%s: the time of %.2f CPUs; used up %s times so far",
		                limits.cpu_file, limits.cpus, COUNT_TEXT(limits.throttled));
		probe_gap(probe, "CPU limit", cpu, "a recorder that is held back loses events",
		          "a larger limit, a larger -b, fewer groups (-e)");
	}
	if (!memory && !cpu)
		probe_fine(probe, "limits", "no control group limits memory or CPU time");
}

enum probe_verdict capture_probe(void (*on_finding)(void *state,
                                                    const struct probe_finding *finding),
                                 void *state)
{
	struct probe probe = {.on_finding = on_finding, .state = state};

	probe_kernel(&probe);
	probe_machine(&probe);
	if (probe_tracefs(&probe)) {
		for (size_t i = 0; i < event_group_count; i++)
			probe_group(&probe, event_groups[i].name);
		if (!probe.prepared && stale_instances_find(probe.tracefs, on_stale, &probe) == 0)
			probe_fine(&probe, "stale instances", "none");
		if (probe_instance(&probe))
			probe_session(&probe);
	}
	probe_symbols(&probe);
	probe_priority(&probe);
	probe_limits(&probe);
	(void)capture_session_close(probe.session);
	(void)prepared_instance_free(probe.prepared);
	event_catalog_release(&probe.catalog);
	free(probe.tracefs);
	free(probe.mend);
	return probe.worst;
}

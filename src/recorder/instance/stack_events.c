/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stack_events.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "recorder/machine/text_file.h"
#include "words/kernel/kernel_feature.h"

#define SWITCH_FOLDER "events/sched/sched_switch/"
#define WAKING_FOLDER "events/sched/sched_waking/"
#define TICK_FOLDER   "events/timer/hrtimer_expire_entry/"
#define SLEEPS        "prev_state != 0"
#define HZ_MAX        100000u
#define CPU_LIST_BYTES_MAX 4096u

/* What is known without a try of where a kernel writes the stacks of triggers. */
enum trigger_place {
	PLACE_OWN,       /* into the instance of the trigger */
	PLACE_TOP_LEVEL, /* into the top level */
	PLACE_UNKNOWN,
};

/* Since 5.17 into the instance, and in stable releases of the next weeks. Distributions that call
   all of their releases 5.10.0 may have taken it over. An unreadable release counts as old. */
static enum trigger_place trigger_place_of(const char *text)
{
	static const unsigned fixed[][KERNEL_RELEASE_NUMBERS] = {
		{4, 14, 277}, {4, 19, 240}, {5, 4, 191}, {5, 10, 113}, {5, 15, 26}, {5, 16, 12},
	};
	unsigned release[KERNEL_RELEASE_NUMBERS];

	if (!kernel_release_parse(text, release))
		return PLACE_TOP_LEVEL;
	if (kernel_release_has(text, FEATURE_OWN_TRIGGERS))
		return PLACE_OWN;
	if (release[2] == 0 && (release[0] > fixed[0][0] ||
	                        (release[0] == fixed[0][0] && release[1] >= fixed[0][1])))
		return PLACE_UNKNOWN;
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		if (fixed[i][0] == release[0] && fixed[i][1] == release[1] &&
		    release[2] >= fixed[i][2])
			return PLACE_OWN;
	return PLACE_TOP_LEVEL;
}

/* Sleeps until the task has left the CPU, for a second at most. One short pause need not do that:
   if the host of a virtual machine is busy, the timer may expire before the task sleeps. */
static void sleep_surely(void)
{
	struct timespec pause = {.tv_nsec = 1000000};
	struct rusage before = {0}, after = {0};

	(void)getrusage(RUSAGE_THREAD, &before);
	do {
		(void)nanosleep(&pause, NULL);
		(void)getrusage(RUSAGE_THREAD, &after);
		pause.tv_nsec *= 2;
	} while (after.ru_nvcsw == before.ru_nvcsw && pause.tv_nsec < 1000000000);
}

/* Tries the trigger with one stack, of this task's own sleep. */
static bool trigger_try(const struct capture_session *session)
{
	_cleanup_(freep) char *trigger =
		xasprintf("stacktrace:1 if prev_pid == %d", (int)syscall(SYS_gettid));
	_cleanup_(freep) char *path = xasprintf("%s/trace", session->dir), *text = NULL;
	_cleanup_(closep) int fd = -1;

	if (text_file_write_at(session->dir, SWITCH_FOLDER "trigger", trigger) < 0 ||
	    text_file_write_at(session->dir, "tracing_on", "1") < 0)
		return false;
	sleep_surely();
	(void)text_file_write_at(session->dir, "tracing_on", "0");
	(void)text_file_write_at(session->dir, SWITCH_FOLDER "trigger", "!stacktrace");
	text = text_file_copy_at(session->dir, "trace");
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC); /* empties the buffer */
	/* other entries than stacks do not count */
	return text && strstr(text, "<stack trace>");
}

bool stack_triggers_work(const struct capture_session *session)
{
	struct utsname name = {0};
	enum trigger_place place;

	if (!instance_has_triggers(session->dir))
		return false;
	place = trigger_place_of(uname(&name) == 0 ? name.release : "");
	return place == PLACE_OWN || (place == PLACE_UNKNOWN && trigger_try(session));
}

bool instance_has_triggers(const char *dir)
{
	_cleanup_(freep) char *file = xasprintf("%s/" SWITCH_FOLDER "trigger", dir);

	return access(file, F_OK) == 0;
}

/*
 * Uses triggers because the option "stacktrace" takes a stack at every event, also where a task is
 * rescheduled on its return to user space. A preempted task is recorded with a state other than 0,
 * so it gets a stack, which shows whether a CPU limit held it back.
 */
static void set_kernel_stacks(struct capture_session *session, unsigned stacks)
{
	static const struct {
		enum capture_stacks kind;
		const char *file, *value;
	} rows[] = {
		{CAPTURE_STACKS_SLEEP, SWITCH_FOLDER "trigger", "stacktrace if " SLEEPS},
		{CAPTURE_STACKS_WAKE, WAKING_FOLDER "trigger", "stacktrace"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int r = stacks & rows[i].kind ? text_file_write_at(session->dir, rows[i].file,
		                                                   rows[i].value) : 0;

		if (r < 0)
			capture_session_note(session, "no stacks here: %s/%s: %s", session->dir,
			                     rows[i].file, strerror(-r));
		else
			session->stacks |= stacks & rows[i].kind;
	}
}

/* Writes each row. Returns 0; or -errno of the first refused row, and its file in *ret. */
static int write_all(const struct capture_session *session, const char *const (*rows)[2],
                     size_t count, const char **ret)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < count; i++) {
		*ret = rows[i][0];
		r = text_file_write_at(session->dir, rows[i][0], rows[i][1]);
	}
	return r;
}

/* The user stack follows each switch that puts the program to sleep. */
static void set_user_stacks(struct capture_session *session)
{
	static const char *const rows[][2] = {
		{SWITCH_FOLDER "filter", SLEEPS},
		{SWITCH_FOLDER "enable", "1"},
	};
	const char *file;
	int r = write_all(session, rows, ARRAY_SIZE(rows), &file);

	if (r == 0)
		session->stacks |= CAPTURE_STACKS_USER;
	else
		capture_session_note(session, "no stacks of programs here, only the kernel's: "
		                     "%s/%s: %s", session->dir, file, strerror(-r));
}

/* Names of the tick's function, the newest last. A kernel that has an older name never calls a
   newer one by a high-resolution timer. */
static const char *const tick_names[] = {
	"tick_sched_timer", "tick_nohz_highres_handler", "tick_nohz_handler",
};

/* "ffffffff814352e0 t tick_nohz_handler": index of its name; the array's size if none matches. */
static size_t line_find_tick(const char *line, uint64_t *ret_address)
{
	char name[64];
	size_t i = 0;

	if (!strstr(line, " tick_") || sscanf(line, "%" SCNx64 " %*c %63s", ret_address, name) != 2)
		return ARRAY_SIZE(tick_names);
	while (i < ARRAY_SIZE(tick_names) && strcmp(name, tick_names[i]) != 0)
		i++;
	return i;
}

static uint64_t tick_function_find(void)
{
	_cleanup_(fclosep) FILE *symbols = fopen("/proc/kallsyms", "re");
	uint64_t address = 0, found;
	size_t best = ARRAY_SIZE(tick_names);
	char line[512];

	while (symbols && best > 0 && fgets(line, sizeof(line), symbols)) {
		size_t at = line_find_tick(line, &found);

		if (at >= best)
			continue;
		best = at;
		address = found;
	}
	return address;
}

/* Whether ticks do not come from high-resolution timers: only expiries of these are traced. False
   if unknown. */
static bool ticks_are_hidden(void)
{
	_cleanup_(fclosep) FILE *timers = fopen("/proc/timer_list", "re");
	bool is_hidden = false;
	char line[512];
	int active;

	while (timers && !is_hidden && fgets(line, sizeof(line), timers))
		is_hidden = sscanf(line, " .hres_active : %d", &active) == 1 && active == 0;
	return is_hidden;
}

uint64_t stack_tick_function(const char **ret_why, const char **ret_mend)
{
	uint64_t function = tick_function_find();

	if (function == 0 && access("/proc/kallsyms", F_OK) < 0 && errno == ENOENT) {
		*ret_why = "without /proc/kallsyms the tick's timer is not known";
		*ret_mend = "a kernel with CONFIG_KALLSYMS; stacks of waits are recorded without "
		            "it, and \"ftwait report --kallsyms System.map\" names their functions";
	} else if (function == 0) {
		*ret_why = "/proc/kallsyms has no address of the tick's timer";
		*ret_mend = "be root; sysctl kernel.kptr_restrict=1";
	} else if (ticks_are_hidden()) {
		*ret_why = "the tick is no high-resolution timer";
		*ret_mend = "boot without highres=off and nohz=off";
		function = 0;
	}
	return function;
}

bool stack_user_is_supported(void)
{
	/* the names since 5.2 and before; architectures without support have neither function */
	static const char *const names[] = {" stack_trace_save_user\n", " save_stack_trace_user\n"};
	_cleanup_(fclosep) FILE *symbols = fopen("/proc/kallsyms", "re");
	bool is_empty = true;
	char line[512];

	while (symbols && fgets(line, sizeof(line), symbols)) {
		is_empty = false;
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			if (strstr(line, names[i]))
				return true;
	}
	return is_empty;
}

/* The coarse clocks advance with the ticks. */
uint32_t stack_tick_hz(void)
{
	struct timespec step;
	uint64_t ns;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &step) < 0 || step.tv_sec > 0 || step.tv_nsec <= 0)
		return 0;
	ns = (uint64_t)step.tv_nsec;
	return ns < UINT64_C(1000000000) / HZ_MAX ? 0 : (uint32_t)((1000000000 + ns / 2) / ns);
}

/* The file contains "(null)" or nothing if the machine was booted without nohz_full=. */
char *stack_tickless_cpus(void)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(CPU_LIST_BYTES_MAX);

	(void)text_file_read("/sys/devices/system/cpu/nohz_full", &text);
	return xstrndup(text.text, strspn(text.text, "0123456789-,"));
}

static void note_tickless(struct capture_session *session)
{
	_cleanup_(freep) char *cpus = stack_tickless_cpus();

	if (cpus[0])
		capture_session_note(session, "no samples of a task that runs alone on one of the "
		                     "CPUs %s: their ticks stop then (nohz_full)", cpus);
}

static void set_profile(struct capture_session *session, bool has_triggers)
{
	const char *obstacle = NULL, *mend = NULL, *file;
	uint64_t function = stack_tick_function(&obstacle, &mend);
	_cleanup_(freep) char *filter =
		xasprintf("function == 0x%" PRIx64 " && common_pid != 0", function);
	_cleanup_(freep) char *trigger = xasprintf("stacktrace if %s", filter);
	const char *const rows[][2] = {
		{TICK_FOLDER "filter", filter},
		{TICK_FOLDER "enable", "1"},
		{TICK_FOLDER "trigger", trigger},
	};
	int r;

	if (!session->has_own_filters) {
		function = 0;
		obstacle = "it has no filter of its own for the tick";
		mend = "Linux 3.14 or newer";
	}
	if (function == 0) {
		capture_session_note(session, "no profile here: %s (%s); recording without",
		                     obstacle, mend);
		return;
	}
	r = write_all(session, rows, ARRAY_SIZE(rows) - !has_triggers, &file);
	if (r < 0) {
		capture_session_note(session, "no profile here: %s/%s: %s; recording without",
		                     session->dir, file, strerror(-r));
		return;
	}
	session->has_profile = true;
	note_tickless(session);
}

void stack_events_set(struct capture_session *session, const struct capture_options *options,
                      bool has_triggers)
{
	int r;

	if (!has_triggers)
		capture_session_note(session, "no stacks of the kernel here: %s",
		                     instance_has_triggers(session->dir)
		                             ? "before Linux 5.17 it writes those of triggers into "
		                               "the buffer of the top level"
		                             : "before Linux 3.14 it has no triggers");
	if (options->part != CAPTURE_STACKS && !has_triggers)
		return;
	if (options->part != CAPTURE_STACKS) {
		set_kernel_stacks(session, options->stacks);
		return;
	}
	r = text_file_write_at(session->dir, STACK_USER_FILE, "1");
	if (r < 0)
		capture_session_note(session, "no stacks of programs here, only the kernel's: "
		                     "%s/" STACK_USER_FILE ": %s", session->dir, strerror(-r));
	else if (!stack_user_is_supported())
		capture_session_note(session,
		                     "no stacks of programs on this architecture, only those of "
		                     "the kernel");
	else if (options->stacks & CAPTURE_STACKS_USER)
		set_user_stacks(session);
	if (options->has_profile)
		set_profile(session, has_triggers);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prepared_instance.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "event_selection.h"
#include "instance_folder.h"
#include "recorder/machine/child.h"
#include "recorder/machine/text_file.h"
#include "tracing_access.h"

/*
 * Saves, clears and restores the event filters of a prepared instance (prepared_instance.h). The
 * kernel keeps filters while events are disabled; during a recording they would hide events.
 *
 * Triggers cannot be restored: removing one loses its counters and histograms. Therefore a recorder
 * refuses an instance with triggers.
 */

struct event_filters {
	struct event_filter {
		char *file; /* "events/sched/sched_switch/filter" */
		char *text; /* "prev_pid == 1" */
	} *filter;
	size_t count, capacity;
};

/* Calls on_folder for each folder in "DIR/UNDER", with the name "UNDER/FOLDER". Stops at the first
   call that does not return 0, and returns its result. */
static int folders_each(const char *dir, const char *under,
                        int (*on_folder)(void *state, const char *dir, const char *name),
                        void *state)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", dir, under);
	_cleanup_(closedirp) DIR *folder = opendir(path);
	struct dirent *entry;
	int r = 0;

	while (folder && r == 0 && (entry = readdir(folder))) {
		_cleanup_(freep) char *name = xasprintf("%s/%s", under, entry->d_name);

		if (entry->d_name[0] != '.' && entry->d_type == DT_DIR)
			r = on_folder(state, dir, name);
	}
	return r;
}

struct reading {
	struct event_filters *filters;
	struct buffer *why;
};

/* Refuses an event that has a trigger. Without one, the file lists the available triggers in
   comments. */
static int trigger_refuse(const struct reading *reading, const char *dir, const char *event)
{
	_cleanup_(freep) char *file = xasprintf("%s/trigger", event);
	_cleanup_(freep) char *text = text_file_copy_at(dir, file);

	if (!text || text[0] == '\0' || text[0] == '#' || text[0] == '\n')
		return 0;
	return buffer_fail(reading->why, -EBUSY, "%s/%s has a trigger: %.*s; remove it, or take "
	                   "another instance: a recorder could not restore it", dir, event,
	                   (int)strcspn(text, "\n"), text);
}

/* Adds the event's filter. It is one line; if there are more, the kernel refused the filter, and
   they say why. Such a filter has no effect and is not saved. */
static void filter_add(struct event_filters *filters, const char *dir, const char *event)
{
	_cleanup_(freep) char *file = xasprintf("%s/filter", event);
	_cleanup_(freep) char *text = text_file_copy_at(dir, file);
	char *end = text ? strchr(text, '\n') : NULL;

	if (!end || end[1] || strcmp(text, "none\n") == 0)
		return;
	*end = '\0';
	ARRAY_ADD(filters->filter, filters->count, filters->capacity) = (struct event_filter){
		.file = TAKE_PTR(file),
		.text = TAKE_PTR(text),
	};
}

static int event_read(void *state, const char *dir, const char *event)
{
	const struct reading *reading = state;

	filter_add(reading->filters, dir, event);
	return trigger_refuse(reading, dir, event);
}

static int system_read(void *state, const char *dir, const char *system)
{
	return folders_each(dir, system, event_read, state);
}

/* Reads the filters of all events. Returns 0, or -EBUSY and a line in `why` if an event has a
   trigger. In either case the caller calls event_filters_release(). */
static int event_filters_read(const char *dir, struct event_filters *filters, struct buffer *why)
{
	struct reading reading = {filters, why};

	*filters = (struct event_filters){0};
	return folders_each(dir, "events", system_read, &reading);
}

static int event_clear(void *state, const char *dir, const char *event)
{
	_cleanup_(freep) char *file = xasprintf("%s/trigger", event);
	_cleanup_(freep) char *text = text_file_copy_at(dir, file);

	(void)state;
	if (text && strncmp(text, "stacktrace", strlen("stacktrace")) == 0)
		(void)text_file_write_at(dir, file, "!stacktrace");
	return 0;
}

static int system_clear(void *state, const char *dir, const char *system)
{
	_cleanup_(freep) char *file = xasprintf("%s/filter", system);

	(void)text_file_write_at(dir, file, "0");
	return folders_each(dir, system, event_clear, state);
}

/* Removes all filters, and the triggers that recorders set (stack_events.h). */
static void event_filters_clear(const char *dir)
{
	(void)folders_each(dir, "events", system_clear, NULL);
}

/* Sets these filters. Errors are ignored, as nothing can be done about them. */
static void event_filters_write(const char *dir, const struct event_filters *filters)
{
	for (size_t i = 0; i < filters->count; i++)
		(void)text_file_write_at(dir, filters->filter[i].file, filters->filter[i].text);
}

static void event_filters_release(struct event_filters *filters)
{
	for (size_t i = 0; i < filters->count; i++) {
		free(filters->filter[i].file);
		free(filters->filter[i].text);
	}
	free(filters->filter);
	*filters = (struct event_filters){0};
}

#define MASK_BYTES_MAX (1u << 20)
#define LOCK_FD        3 /* of the guard */
#define PAUSE_NS       1000000
#define INSTANCES_PLACE TRACING_MOUNT_PLACE "/instances"
/* Where contrib/prepare-instance mounts them. */
#define PREPARED_PLACE  "/run/ftwait"
/* The recorder writes this byte to the guard when it ends. */
#define RETURNED 'r'

#define BUFFER_FILE   "buffer_size_kb"
#define CPU_MASK_FILE "tracing_cpumask"

/*
 * The settings that a recorder changes, in the order in which they are restored: a clock empties
 * the buffers, and tracing goes on last.
 */
static const struct {
	const char *file;
	const char *fresh; /* as a new instance has it; NULL: that differs, and stays */
	bool is_reset;     /* the recorder needs that value, and does not write another itself */
} settings[] = {
	{"set_event_pid", "", true},
	{"set_event_notrace_pid", "", true},
	{CPU_MASK_FILE, "", true}, /* fresh: all CPUs */
	{"trace_clock", "local", false},
	{"buffer_percent", "50", false},
	{"options/record-cmd", "1", false},
	{"options/overwrite", "1", false},
	{"options/event-fork", "0", true},
	{"options/markers", "1", true},
	{"options/stacktrace", "0", true},
	{"options/userstacktrace", "0", true},
	{"options/copy_trace_marker", "0", true},
	{"options/disable_on_free", "0", false},
	{CATALOG_STRINGS_FILE, NULL, false},
	{BUFFER_FILE, "1408", false},
	{"tracing_on", "1", false},
};

struct prepared_instance {
	char *dir;
	char *saved[ARRAY_SIZE(settings)]; /* NULL: the kernel has no such file */
	struct event_filters filters;
	int lock_fd;
	pid_t guard;  /* 0: none, or it has ended */
	int alive_fd; /* the guard reads it to its end; -1: closed */
	int guard_fd; /* the end that the guard reads; -1: closed */
};

bool prepared_instance_name_is_valid(const char *name)
{
	return name[0] && name[0] != '.' && !strchr(name, '/') &&
	       strncmp(name, INSTANCE_PREFIX, strlen(INSTANCE_PREFIX)) != 0;
}

bool prepared_instance_is_usable(const char *dir)
{
	static const char *const files[] = {"events/enable", "tracing_on", "buffer_size_kb"};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_(freep) char *path = xasprintf("%s/%s", dir, files[i]);

		if (access(path, W_OK) < 0)
			return false;
	}
	return true;
}

void prepared_instance_describe_making(const char *tracefs, const char *name, struct buffer *to)
{
	buffer_printf(to, "cd %s/instances && mkdir -p %s && chown -R %u %s && mkdir -p "
	                  PREPARED_PLACE "/%s && mount -o bind %s " PREPARED_PLACE "/%s", tracefs,
	              name, (unsigned)geteuid(), name, name, name, name);
}

/* The name of the instance that is mounted there; NULL: all of the tracefs is. A user who may not
   look gets another error than that there is no such folder. */
static const char *mounted_instance(const char *dir)
{
	_cleanup_(freep) char *instances = xasprintf("%s/instances", dir);
	const char *slash = strrchr(dir, '/');

	return slash && access(instances, F_OK) < 0 && errno == ENOENT ? slash + 1 : NULL;
}

/* Whether an instance is mounted there that is a folder of debugfs, as before Linux 4.1. */
static bool mount_is_of_debugfs(const struct mntent *mount)
{
	_cleanup_(freep) char *events = xasprintf("%s/events", mount->mnt_dir);

	return strcmp(mount->mnt_type, "debugfs") == 0 && access(events, F_OK) == 0;
}

/* Calls for each place where the tracefs, or an instance of it, is mounted. */
static void mounts_each(void (*on_mount)(void *state, const char *dir), void *state)
{
	struct mntent entry, *mount;
	FILE *table = setmntent("/proc/mounts", "re");
	char line[4096];

	while (table && (mount = getmntent_r(table, &entry, line, (int)sizeof(line))))
		if (strcmp(mount->mnt_type, "tracefs") == 0 || mount_is_of_debugfs(mount))
			on_mount(state, mount->mnt_dir);
	if (table)
		(void)endmntent(table);
}

struct listing {
	void (*on_instance)(void *state, const char *dir, const char *name);
	void *state;
};

static bool listing_try(const struct listing *listing, const char *dir, const char *name)
{
	bool is_found = prepared_instance_name_is_valid(name) && prepared_instance_is_usable(dir);

	if (is_found && listing->on_instance)
		listing->on_instance(listing->state, dir, name);
	return is_found;
}

static void listing_try_mount(void *state, const char *dir)
{
	const struct listing all = {0}, *listing = state;
	const char *name = mounted_instance(dir);
	_cleanup_(freep) char *listed = name ? xasprintf(INSTANCES_PLACE "/%s", name) : NULL;

	if (name && !listing_try(&all, listed, name))
		(void)listing_try(listing, dir, name);
}

/* Calls for each instance that this process may use, once. */
static void instances_each(struct listing *listing)
{
	_cleanup_(closedirp) DIR *instances = opendir(INSTANCES_PLACE);
	struct dirent *entry;

	while (instances && (entry = readdir(instances))) {
		_cleanup_(freep) char *dir = xasprintf(INSTANCES_PLACE "/%s", entry->d_name);

		(void)listing_try(listing, dir, entry->d_name);
	}
	mounts_each(listing_try_mount, listing);
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t length = strlen(name), bytes = strlen(suffix);

	return length > bytes && strcmp(name + length - bytes, suffix) == 0;
}

static void listing_add_main(void *state, const char *dir, const char *name)
{
	const struct listing *listing = state;

	if (!has_suffix(name, INSTANCE_CALLS_SUFFIX) && !has_suffix(name, INSTANCE_STACKS_SUFFIX))
		listing->on_instance(listing->state, dir, name);
}

void prepared_instances_each(void (*on_instance)(void *state, const char *dir, const char *name),
                             void *state)
{
	struct listing asked = {.on_instance = on_instance, .state = state};

	instances_each(&(struct listing){.on_instance = listing_add_main, .state = &asked});
}

struct place {
	const char *name;
	char *usable, *seen; /* folders; owned */
	char *tracefs;       /* the first mount; owned */
};

static void place_try(void *state, const char *mount)
{
	struct place *place = state;
	const char *mounted = mounted_instance(mount);
	_cleanup_(freep) char *dir = mounted ? xstrdup(mount)
	                                     : xasprintf("%s/instances/%s", mount, place->name);

	if (mounted && strcmp(mounted, place->name) != 0)
		return;
	if (!mounted && !place->tracefs)
		place->tracefs = xstrdup(mount);
	if (place->usable)
		return;
	if (prepared_instance_is_usable(dir))
		place->usable = TAKE_PTR(dir);
	else if (!place->seen && access(dir, F_OK) == 0)
		place->seen = TAKE_PTR(dir);
}

int prepared_instance_find(const char *name, char **ret_dir, struct buffer *why)
{
	const struct tracing_scene here = tracing_scene_here();
	const char *tracing = tracing_scene_place(&here)->tracing;
	struct place place = {.name = name};
	int r = 0;

	mounts_each(place_try, &place);
	if (!place.tracefs)
		place_try(&place, tracing);
	if (!place.tracefs) /* nothing is mounted there */
		place.tracefs = xstrdup(tracing);
	if (place.usable) {
		*ret_dir = TAKE_PTR(place.usable);
	} else {
		r = place.seen ? -EACCES : -ENOENT;
		buffer_printf(why, place.seen ? "--instance=%s: %s/instances/%s is not this user's"
		                              : "--instance=%s: no %s/instances/%s is visible",
		              name, place.tracefs, name);
		buffer_puts(why, "; as root: ");
		prepared_instance_describe_making(place.tracefs, name, why);
	}
	free(place.usable);
	free(place.seen);
	free(place.tracefs);
	return r;
}

/* "mono" of "local [mono] boot", "7" of "7 (expanded: 1408)"; tasks are one a line. */
static char *setting_read(const char *dir, const char *file)
{
	char *text = text_file_copy_at(dir, file), *begin = text ? strchr(text, '[') : NULL;

	if (!text)
		return NULL;
	if (begin)
		memmove(text, begin + 1, strlen(begin));
	if (strncmp(file, "set_event", strlen("set_event")) != 0)
		text[strcspn(text, begin ? "]" : " \n")] = '\0';
	return text;
}

static void setting_write(const char *dir, const char *file, const char *value)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", dir, file);
	/* truncation forgets tasks, and the buffers' content */
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		return;
	if (value[0])
		(void)!write(fd, value, strlen(value)); /* the guard has no output for errors */
	(void)close(fd);
}

/* Writes the setting of a new instance. */
static void setting_write_fresh(const char *dir, size_t setting)
{
	_cleanup_(buffer_release) struct buffer mask = buffer_of(MASK_BYTES_MAX);
	const char *file = settings[setting].file, *value = settings[setting].fresh;

	if (strcmp(file, CPU_MASK_FILE) == 0) {
		instance_cpus_mask_append(dir, &mask);
		value = mask.text;
	}
	setting_write(dir, file, value);
}

/* Stops tracing; clears events, filters, the triggers of recorders, and the buffers. */
static void instance_empty(const char *dir)
{
	(void)text_file_write_at(dir, "tracing_on", "0");
	(void)text_file_write_at(dir, "events/enable", "0");
	event_filters_clear(dir);
	setting_write(dir, "trace", "");
}

/* Errors have no remedy. */
static void instance_restore(const struct prepared_instance *prepared)
{
	const char *dir = prepared->dir;

	instance_empty(dir);
	event_filters_write(dir, &prepared->filters);
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		if (prepared->saved[i])
			setting_write(dir, settings[i].file, prepared->saved[i]);
}

/* Clears saved settings that would hide events from the recorder, or add some. */
static void instance_reset(const struct prepared_instance *prepared)
{
	if (prepared->filters.count)
		event_filters_clear(prepared->dir);
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		if (settings[i].is_reset && prepared->saved[i])
			setting_write_fresh(prepared->dir, i);
}

/* Waits for the recorder's word that its files are closed, or for its end. */
static void guard_wait(pid_t recorder)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	char word = 0;

	while (read(STDIN_FILENO, &word, 1) < 0 && errno == EINTR)
		;
	/* the kernel closes files in any order, but before the parent is another */
	while (word != RETURNED && getppid() == recorder)
		(void)nanosleep(&pause, NULL);
}

/* Keeps only the lock open. The recorder's output must be closed, as readers wait for its end. */
static _Noreturn void guard_run(const struct prepared_instance *prepared, int fd, pid_t recorder)
{
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (guard_process_begin(fd) < 0)
		_exit(1);
	for (int out = STDOUT_FILENO; out <= STDERR_FILENO; out++)
		if (dup2(nowhere, out) < 0)
			(void)close(out);
	if (prepared->lock_fd != LOCK_FD)
		(void)dup2(prepared->lock_fd, LOCK_FD);
	guard_process_close_from(LOCK_FD + 1);
	guard_wait(recorder);
	instance_restore(prepared);
	_exit(0);
}

static int guard_start(struct prepared_instance *prepared, struct buffer *why)
{
	pid_t recorder = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return buffer_fail(why, -EIO, "cannot make a pipe: %s", strerror(errno));
	prepared->guard = fork();
	if (prepared->guard == 0)
		guard_run(prepared, ends[0], recorder);
	/* open here, too: a write raises no SIGPIPE then if the guard has been killed */
	prepared->guard_fd = ends[0];
	prepared->alive_fd = ends[1];
	if (prepared->guard > 0)
		return 0;
	buffer_printf(why, "cannot start the process that restores %s: %s", prepared->dir,
	              strerror(errno));
	prepared->guard = 0;
	return -EAGAIN;
}

/* Whether a killed recorder has left it: nobody else sets this option. */
static bool instance_is_left(const char *dir)
{
	_cleanup_(freep) char *option = text_file_copy_at(dir, "options/disable_on_free");

	return option && option[0] == '1';
}

static int instance_check_free(const char *dir, struct buffer *why)
{
	_cleanup_(freep) char *events = text_file_copy_at(dir, "set_event");
	_cleanup_(freep) char *tracer = setting_read(dir, "current_tracer");
	const char *used = NULL;

	if (tracer && strcmp(tracer, "nop") != 0)
		used = tracer;
	else if (events && events[0])
		used = events;
	if (!used)
		return 0;
	return buffer_fail(why, -EBUSY, "%s is in use: %.*s is on; if nobody uses it: echo nop > "
	                   "%s/current_tracer; echo 0 > %s/events/enable", dir,
	                   (int)strcspn(used, "\n"), used, dir, dir);
}

/* Gives it the settings of a new instance. */
static void instance_make_fresh(const char *dir)
{
	instance_empty(dir);
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		if (settings[i].fresh)
			setting_write_fresh(dir, i);
}

/* Saves all that the recorder changes. Refuses what could not be restored. */
static int instance_save(struct prepared_instance *prepared, struct buffer *why)
{
	const char *dir = prepared->dir;

	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		prepared->saved[i] = setting_read(dir, settings[i].file);
		if (strcmp(settings[i].file, BUFFER_FILE) != 0 || !prepared->saved[i] ||
		    strcmp(prepared->saved[i], "X") != 0)
			continue;
		return buffer_fail(why, -EBUSY, "%s: the buffers of its CPUs differ in size; echo "
		                   "KIB > %s/%s, or take another instance: a recorder could not "
		                   "restore that", dir, dir, BUFFER_FILE);
	}
	return event_filters_read(dir, &prepared->filters, why);
}

struct cleaning {
	void (*on_cleaned)(void *state, const char *name);
	void *state;
	unsigned count;
};

static void instance_clean(void *state, const char *dir, const char *name)
{
	_cleanup_(closep) int lock = -1;
	struct cleaning *cleaning = state;
	struct stat is;

	/* root made the others for itself */
	if (stat(dir, &is) < 0 || (is.st_uid == 0 && is.st_gid == 0))
		return;
	cleaning->count++;
	lock = instance_is_left(dir) ? instance_lock_take(dir) : -1;
	if (lock < 0)
		return;
	instance_make_fresh(dir);
	cleaning->on_cleaned(cleaning->state, name);
}

unsigned prepared_instances_clean(void (*on_cleaned)(void *state, const char *name), void *state)
{
	struct cleaning cleaning = {on_cleaned, state, 0};

	instances_each(&(struct listing){.on_instance = instance_clean, .state = &cleaning});
	return cleaning.count;
}

static int prepared_take(struct prepared_instance *prepared, struct buffer *note,
                         struct buffer *why)
{
	int r;

	prepared->lock_fd = instance_lock_take_new(prepared->dir);
	if (prepared->lock_fd == -EWOULDBLOCK)
		return buffer_fail(why, -EBUSY, "%s is in use by another ftwait; wait for its end, "
		                   "or take another instance", prepared->dir);
	if (prepared->lock_fd < 0)
		return buffer_fail(why, prepared->lock_fd, "%s: %s", prepared->dir,
		                   strerror(-prepared->lock_fd));
	if (instance_is_left(prepared->dir)) {
		instance_make_fresh(prepared->dir);
		buffer_printf(note, "%s was left by a killed ftwait: its settings are those of a "
		                    "new instance now", prepared->dir);
	}
	/* first, as the kernel shows an event as on that has nothing but a trigger */
	r = instance_save(prepared, why);
	if (r == 0)
		r = instance_check_free(prepared->dir, why);
	if (r == 0)
		r = guard_start(prepared, why);
	if (r == 0)
		instance_reset(prepared);
	return r;
}

int prepared_instance_take(const char *dir, struct prepared_instance **ret, struct buffer *note,
                           struct buffer *why)
{
	struct prepared_instance *prepared = xcalloc(1, sizeof(*prepared));
	int r;

	prepared->dir = xstrdup(dir);
	prepared->lock_fd = -1;
	prepared->alive_fd = -1;
	prepared->guard_fd = -1;
	r = prepared_take(prepared, note, why);
	if (r < 0)
		(void)prepared_instance_free(prepared);
	else
		*ret = prepared;
	return r;
}

const char *prepared_instance_dir(const struct prepared_instance *prepared)
{
	return prepared->dir;
}

void prepared_instance_return(struct prepared_instance *prepared)
{
	const char word = RETURNED;

	if (prepared->alive_fd >= 0) {
		(void)!write(prepared->alive_fd, &word, 1);
		(void)close(prepared->alive_fd);
		(void)close(prepared->guard_fd);
	}
	prepared->alive_fd = -1;
	prepared->guard_fd = -1;
	while (prepared->guard > 0 && waitpid(prepared->guard, NULL, 0) < 0 && errno == EINTR)
		;
	prepared->guard = 0;
	closep(&prepared->lock_fd);
}

struct prepared_instance *prepared_instance_free(struct prepared_instance *prepared)
{
	if (!prepared)
		return NULL;
	prepared_instance_return(prepared);
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		free(prepared->saved[i]);
	event_filters_release(&prepared->filters);
	free(prepared->dir);
	free(prepared);
	return NULL;
}

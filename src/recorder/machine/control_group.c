/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "control_group.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "text_file.h"

#define GROUPS_BYTES (64u << 10) /* of /proc/PID/cgroup */
#define NOT_NOTED    UINT32_MAX

/* The hierarchies in order of preference: controllers, or a name; NULL: version 2. */
static const char *const preferred[] = {NULL, "name=systemd", "cpu", "memory"};

/* Whether the list "cpu,cpuacct" has the word. */
static bool list_has(const char *list, size_t length, const char *word)
{
	size_t word_bytes = strlen(word);

	for (const char *at = list, *end = list + length; at < end;) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		size_t bytes = (size_t)((comma ? comma : end) - at);

		if (bytes == word_bytes && memcmp(at, word, bytes) == 0)
			return true;
		at = comma ? comma + 1 : end;
	}
	return false;
}

/* Finds the line of the hierarchy with that controller, or that "name=..."; NULL: of version 2. */
static bool line_find(const char *groups, const char *controller, struct control_group_line *ret)
{
	for (const char *line = groups; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *end = line + strcspn(line, "\n");
		const char *list = memchr(line, ':', (size_t)(end - line));
		const char *path = list ? memchr(list + 1, ':', (size_t)(end - list - 1)) : NULL;
		size_t length;

		if (!path || sscanf(line, "%u:", &ret->hierarchy) != 1)
			continue;
		length = (size_t)(path - list) - 1;
		ret->path = path + 1;
		ret->length = (size_t)(end - path) - 1;
		if (controller ? list_has(list + 1, length, controller) : length == 0)
			return true;
	}
	return false;
}

void group_notes_init(struct group_notes *notes)
{
	*notes = (struct group_notes){0};
	intern_init(&notes->groups);
	map_init(&notes->number_of);
	map_init(&notes->is_noted);
}

void group_notes_release(struct group_notes *notes)
{
	intern_release(&notes->groups);
	map_release(&notes->number_of);
	map_release(&notes->is_noted);
}

/* "hierarchies 0 9 1": a controller may be in the hierarchy of another one. */
static void hierarchies_describe(const char *groups, struct buffer *to)
{
	unsigned seen[ARRAY_SIZE(preferred)];
	struct control_group_line line;
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(preferred); i++) {
		bool is_seen = !line_find(groups, preferred[i], &line);

		for (size_t k = 0; k < count && !is_seen; k++)
			is_seen = seen[k] == line.hierarchy;
		if (is_seen)
			continue;
		buffer_printf(to, "%s %u", count ? "" : "hierarchies", line.hierarchy);
		seen[count++] = line.hierarchy;
	}
	if (count)
		buffer_putc(to, '\n');
}

bool group_notes_choose(const char *groups, struct control_group_line *ret)
{
	static const char removed[] = " (deleted)";
	struct control_group_line line;
	bool is_found = false;

	for (size_t i = 0; i < ARRAY_SIZE(preferred); i++) {
		if (!line_find(groups, preferred[i], &line) || line.length == 0)
			continue;
		if (!is_found)
			*ret = line;
		is_found = true;
		if (line.length == 1 && *line.path == '/')
			continue;
		*ret = line;
		break;
	}
	if (is_found && ret->length > sizeof(removed) - 1 &&
	    memcmp(ret->path + ret->length - (sizeof(removed) - 1), removed,
	           sizeof(removed) - 1) == 0)
		ret->length -= sizeof(removed) - 1;
	return is_found;
}

/* The number of the group; a new one gets a line. NOT_NOTED: there are too many. */
static uint32_t group_number(struct group_notes *notes, const struct control_group_line *line,
                             struct buffer *to)
{
	_cleanup_(freep) char *text =
		xasprintf("%u %.*s", line->hierarchy, (int)line->length, line->path);
	uint32_t id = intern_adds(&notes->groups, text);
	uint32_t number = map_get(&notes->number_of, id);

	if (number != MAP_NONE)
		return number;
	if (notes->number_of.count >= PROCESS_GROUPS_MAX)
		return NOT_NOTED;
	number = (uint32_t)notes->number_of.count;
	map_put(&notes->number_of, id, number);
	buffer_printf(to, "cgroup %u %s\n", number, text);
	return number;
}

void group_notes_add(struct group_notes *notes, int32_t tgid, int32_t parent,
                       const char *groups, bool is_late, struct buffer *to)
{
	struct control_group_line line;
	uint32_t number = NOT_NOTED;

	if (map_get(&notes->is_noted, (uint64_t)tgid) != MAP_NONE)
		return;
	map_put(&notes->is_noted, (uint64_t)tgid, 1);
	if (!notes->has_hierarchies && *groups) {
		hierarchies_describe(groups, to);
		notes->has_hierarchies = true;
	}
	if (group_notes_choose(groups, &line))
		number = group_number(notes, &line, to);
	buffer_printf(to, "%s %d %d ", is_late ? "end-process" : "process", tgid, parent);
	if (number == NOT_NOTED)
		buffer_puts(to, "-\n");
	else
		buffer_printf(to, "%u\n", number);
}

void group_notes_look(struct group_notes *notes, int32_t tgid, int32_t parent, bool is_late,
                        struct buffer *to)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(GROUPS_BYTES);

	if (map_get(&notes->is_noted, (uint64_t)tgid) != MAP_NONE)
		return;
	(void)text_file_read(PROC_PATH("/proc/%d/cgroup", tgid), &text);
	group_notes_add(notes, tgid, parent, text.text, is_late, to);
}

#define TEXT_BYTES  (256u << 10)
#define VALUE_BYTES 4096
#define PATH_BYTES  4096
#define FOLDERS_MAX 64 /* maximal number of folders of one path, from the group up to the mount
                          point */
/* Version 1 has no word for "no limit": it shows the largest number of whole pages. */
#define V1_MEMORY_NONE (UINT64_C(1) << 62)

/* Reads a file of a group; false if it does not exist. */
static bool value_read(const char *folder, const char *name, struct buffer *ret)
{
	buffer_init(ret, VALUE_BYTES);
	return text_file_read_at(folder, name, ret) == 0;
}

static void take_memory(struct control_group_limits *limits, const char *folder, const char *name,
                        uint64_t none)
{
	_cleanup_(buffer_release) struct buffer text = {0};
	uint64_t bytes;

	if (!value_read(folder, name, &text) || !text_number(text.text, "", 10, &bytes) ||
	    bytes >= none || bytes >= limits->memory_bytes)
		return;
	free(limits->memory_file);
	limits->memory_file = xasprintf("%s/%s", folder, name);
	limits->memory_bytes = bytes;
}

static void take_cpus(struct control_group_limits *limits, const char *folder, const char *name,
                      uint64_t quota, uint64_t period)
{
	_cleanup_(buffer_release) struct buffer text = {0};
	double cpus = period ? (double)quota / (double)period : 0;

	if (cpus <= 0 || (limits->cpus > 0 && cpus >= limits->cpus))
		return;
	free(limits->cpu_file);
	limits->cpu_file = xasprintf("%s/%s", folder, name);
	limits->cpus = cpus;
	limits->throttled = 0;
	if (value_read(folder, "cpu.stat", &text))
		(void)text_number(text.text, "nr_throttled ", 10, &limits->throttled);
}

/* "max 100000", "50000 100000" */
static void take_v2(struct control_group_limits *limits, const char *folder)
{
	_cleanup_(buffer_release) struct buffer text = {0};
	uint64_t quota, period;

	take_memory(limits, folder, "memory.max", UINT64_MAX);
	if (value_read(folder, "cpu.max", &text) &&
	    sscanf(text.text, "%" SCNu64 " %" SCNu64, &quota, &period) == 2)
		take_cpus(limits, folder, "cpu.max", quota, period);
}

static void take_v1_memory(struct control_group_limits *limits, const char *folder)
{
	take_memory(limits, folder, "memory.limit_in_bytes", V1_MEMORY_NONE);
}

static void take_v1_cpu(struct control_group_limits *limits, const char *folder)
{
	_cleanup_(buffer_release) struct buffer quota_text = {0}, period_text = {0};
	int64_t quota = -1;
	uint64_t period;

	if (value_read(folder, "cpu.cfs_quota_us", &quota_text) &&
	    value_read(folder, "cpu.cfs_period_us", &period_text) &&
	    sscanf(quota_text.text, "%" SCNd64, &quota) == 1 && quota > 0 &&
	    sscanf(period_text.text, "%" SCNu64, &period) == 1)
		take_cpus(limits, folder, "cpu.cfs_quota_us", (uint64_t)quota, period);
}

typedef void (*limits_taker)(struct control_group_limits *limits, const char *folder);

/* The path of our group in a hierarchy, from "9:cpu,cpuacct:/a/b"; "" if it is not listed. */
static char *group_path(const char *groups, const char *controller)
{
	struct control_group_line line;

	return line_find(groups, controller, &line)
	               ? xstrndup(line.path, line.length)
	               : xstrdup("");
}

/* The action for each visited folder. */
struct folder_visit {
	limits_taker take; /* NULL: calls `visit` */
	struct control_group_limits *limits;
	void (*visit)(void *state, const char *folder, bool is_v1);
	void *state;
	bool is_v1;
};

/* Visits the group and its ancestors up to the mount point. In a container the path may be a path
   of the host, of which only the last part, or nothing, is visible in the container. */
static void take_folders(const char *mount, char *path, const struct folder_visit *visit)
{
	for (int i = 0; i < FOLDERS_MAX; i++) {
		_cleanup_(freep) char *folder = xasprintf("%s%s", mount, path);
		char *slash = strrchr(path, '/');

		folder[strlen(folder) - (folder[strlen(folder) - 1] == '/')] = '\0';
		if (visit->take)
			visit->take(visit->limits, folder);
		else
			visit->visit(visit->state, folder, visit->is_v1);
		if (!slash)
			return;
		*slash = '\0';
	}
}

/* A line of /proc/mounts: "cgroup /sys/fs/cgroup/cpu cgroup rw,relatime,cpu 0 0". */
static void take_mount(const char *line, const char *groups, struct folder_visit *visit)
{
	static const struct {
		const char *type, *controller;
		limits_taker take;
	} hierarchies[] = {
		{"cgroup2", NULL, take_v2},
		{"cgroup", "memory", take_v1_memory},
		{"cgroup", "cpu", take_v1_cpu},
	};
	char place[PATH_BYTES], type[32], options[PATH_BYTES];

	if (sscanf(line, "%*s %4095s %31s %4095s", place, type, options) != 3)
		return;
	for (size_t i = 0; i < sizeof(hierarchies) / sizeof(*hierarchies); i++) {
		const char *controller = hierarchies[i].controller;
		_cleanup_(freep) char *path = NULL;

		if (strcmp(type, hierarchies[i].type) != 0 ||
		    (controller && !list_has(options, strlen(options), controller)))
			continue;
		if (visit->visit && controller && strcmp(controller, "cpu") != 0)
			continue;
		path = group_path(groups, controller);
		visit->is_v1 = controller != NULL;
		visit->take = visit->visit ? NULL : hierarchies[i].take;
		take_folders(place, path, visit);
	}
}

static void take_mounts(const char *groups, const char *mounts, struct folder_visit *visit)
{
	for (const char *line = mounts; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		_cleanup_(freep) char *copy = xstrndup(line, strcspn(line, "\n"));

		take_mount(copy, groups, visit);
	}
}

void control_group_each_cpu(const char *groups, const char *mounts,
                            void (*visit)(void *state, const char *folder, bool is_v1),
                            void *state)
{
	take_mounts(groups, mounts, &(struct folder_visit){.visit = visit, .state = state});
}

/* The place of a mount of that version that may limit CPU time; false: the line is of another. */
static bool mount_has_cpu(const char *line, bool is_v1, char place[static PATH_BYTES])
{
	char type[32], options[PATH_BYTES];

	return sscanf(line, "%*s %4095s %31s %4095s", place, type, options) == 3 &&
	       strcmp(type, is_v1 ? "cgroup" : "cgroup2") == 0 &&
	       (!is_v1 || list_has(options, strlen(options), "cpu"));
}

void control_group_each_cpu_mount(const char *mounts,
                                  void (*visit)(void *state, const char *folder, bool is_v1),
                                  void *state)
{
	char place[PATH_BYTES];
	bool is_found = false;

	/* a controller is in one hierarchy: where version 1 has it, version 2 does not */
	for (int version = 1; version <= 2 && !is_found; version++) {
		const char *line = mounts;

		for (; *line; line += strcspn(line, "\n"), line += *line == '\n') {
			if (!mount_has_cpu(line, version == 1, place))
				continue;
			is_found = true;
			visit(state, place, version == 1);
		}
	}
}

void control_group_find(const char *groups, const char *mounts, struct control_group_limits *ret)
{
	*ret = (struct control_group_limits){.memory_bytes = UINT64_MAX};
	take_mounts(groups, mounts, &(struct folder_visit){.limits = ret});
}

/* The length of the mount's place if it is a hierarchy of cgroups that has the folder; 0: not. */
static size_t mount_prefix(const char *line, const char *folder)
{
	char place[PATH_BYTES], type[32];
	size_t length;

	if (sscanf(line, "%*s %4095s %31s", place, type) != 2 ||
	    (strcmp(type, "cgroup2") != 0 && strcmp(type, "cgroup") != 0))
		return 0;
	length = strlen(place);
	return strncmp(folder, place, length) == 0 && strchr("/", folder[length]) ? length : 0;
}

char *control_group_of_folder(const char *mounts, const char *folder)
{
	size_t prefix = 0, length;

	for (const char *line = mounts; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t other = mount_prefix(line, folder);

		prefix = other > prefix ? other : prefix;
	}
	length = strlen(folder + prefix);
	while (length > 1 && folder[prefix + length - 1] == '/')
		length--;
	return length ? xstrndup(folder + prefix, length) : xstrdup("/");
}

void control_group_read(struct control_group_limits *ret)
{
	_cleanup_(buffer_release) struct buffer groups = buffer_of(TEXT_BYTES);
	_cleanup_(buffer_release) struct buffer mounts = buffer_of(TEXT_BYTES);

	(void)text_file_read("/proc/self/cgroup", &groups);
	(void)text_file_read("/proc/self/mounts", &mounts);
	control_group_find(groups.text, mounts.text, ret);
}

uint64_t control_group_memory(void)
{
	_cleanup_(control_group_release) struct control_group_limits limits;

	control_group_read(&limits);
	return limits.memory_bytes;
}

void control_group_release(struct control_group_limits *limits)
{
	free(limits->memory_file);
	free(limits->cpu_file);
	*limits = (struct control_group_limits){.memory_bytes = UINT64_MAX};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "control_group.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
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
#define PATH_BYTES  4096
#define FOLDERS_MAX 64 /* maximal number of folders of one path, from the group up to the mount
                          point */
/* Version 1 has no word for "no limit": it shows the largest number of whole pages. */
#define V1_MEMORY_NONE (UINT64_C(1) << 62)

bool control_group_number(const char *folder, const char *file, uint64_t *ret)
{
	_cleanup_(freep) char *text = text_file_copy_at(folder, file);

	return text && text_number(text, "", 10, ret);
}

/* "max 100000", "50000 100000"; of version 1 each in a file, "-1" for "max" */
bool control_group_quota(const char *folder, bool is_v1, uint64_t *ret_quota, uint64_t *ret_period)
{
	_cleanup_(freep) char *text = is_v1 ? NULL : text_file_copy_at(folder, "cpu.max");
	bool is_read = is_v1 ? control_group_number(folder, "cpu.cfs_quota_us", ret_quota) &&
	                               control_group_number(folder, "cpu.cfs_period_us", ret_period)
	                     : text && sscanf(text, "%" SCNu64 " %" SCNu64, ret_quota,
	                                      ret_period) == 2;

	return is_read && *ret_quota > 0 && *ret_quota <= INT64_MAX && *ret_period > 0;
}

static void take_memory(struct control_group_limits *limits, const char *folder, const char *name,
                        uint64_t none)
{
	uint64_t bytes;

	if (!control_group_number(folder, name, &bytes) || bytes >= none ||
	    bytes >= limits->memory_bytes)
		return;
	free(limits->memory_file);
	limits->memory_file = xasprintf("%s/%s", folder, name);
	limits->memory_bytes = bytes;
}

static void take_limits(void *state, const char *folder, bool is_v1)
{
	struct control_group_limits *limits = state;
	_cleanup_(freep) char *stat = NULL;
	uint64_t quota, period;
	double cpus;

	take_memory(limits, folder, is_v1 ? "memory.limit_in_bytes" : "memory.max",
	            is_v1 ? V1_MEMORY_NONE : UINT64_MAX);
	if (!control_group_quota(folder, is_v1, &quota, &period))
		return;
	cpus = (double)quota / (double)period;
	if (limits->cpus > 0 && cpus >= limits->cpus)
		return;
	free(limits->cpu_file);
	limits->cpu_file = xasprintf("%s/%s", folder, is_v1 ? "cpu.cfs_quota_us" : "cpu.max");
	limits->cpus = cpus;
	limits->throttled = 0;
	stat = text_file_copy_at(folder, "cpu.stat");
	if (stat)
		(void)text_number(stat, "nr_throttled ", 10, &limits->throttled);
}

/* The action for each visited folder. */
struct folder_visit {
	const char *const *controllers; /* of version 1 */
	size_t controller_count;
	void (*visit)(void *state, const char *folder, bool is_v1);
	void *state;
};

/* Visits the group of the hierarchy with that controller, NULL: of version 2, and its ancestors up
   to the mount point. In a container the path may be a path of the host, of which only the last
   part, or nothing, is visible in the container. */
static void take_folders(const char *mount, const char *groups, const char *controller,
                         const struct folder_visit *visit)
{
	struct control_group_line line = {0};
	bool is_listed = line_find(groups, controller, &line);
	_cleanup_(freep) char *path = is_listed ? xstrndup(line.path, line.length) : xstrdup("");

	for (int i = 0; i < FOLDERS_MAX; i++) {
		_cleanup_(freep) char *folder = xasprintf("%s%s", mount, path);
		char *slash = strrchr(path, '/');

		folder[strlen(folder) - (folder[strlen(folder) - 1] == '/')] = '\0';
		visit->visit(visit->state, folder, controller != NULL);
		if (!slash)
			return;
		*slash = '\0';
	}
}

/* A hierarchy of control groups. */
struct hierarchy_mount {
	char place[PATH_BYTES], options[PATH_BYTES];
	bool is_v1;
};

/* Takes the next line of /proc/mounts: "cgroup /sys/fs/cgroup/cpu cgroup rw,relatime,cpu 0 0";
   false: it is of another file system. */
static bool mount_next(const char **mounts, struct hierarchy_mount *ret)
{
	char line[3 * PATH_BYTES], type[32];

	if (!text_line_next(mounts, line, sizeof(line)) ||
	    sscanf(line, "%*s %4095s %31s %4095s", ret->place, type, ret->options) != 3)
		return false;
	ret->is_v1 = strcmp(type, "cgroup") == 0;
	return ret->is_v1 || strcmp(type, "cgroup2") == 0;
}

static bool mount_has(const struct hierarchy_mount *mount, const char *controller)
{
	return list_has(mount->options, strlen(mount->options), controller);
}

static void take_mounts(const char *groups, const char *mounts, const struct folder_visit *visit)
{
	while (*mounts) {
		struct hierarchy_mount mount;

		if (!mount_next(&mounts, &mount))
			continue;
		if (!mount.is_v1)
			take_folders(mount.place, groups, NULL, visit);
		for (size_t i = 0; mount.is_v1 && i < visit->controller_count; i++)
			if (mount_has(&mount, visit->controllers[i]))
				take_folders(mount.place, groups, visit->controllers[i], visit);
	}
}

static const char *const controllers[] = {"cpu", "memory"};

void control_group_each_cpu(const char *groups, const char *mounts,
                            void (*visit)(void *state, const char *folder, bool is_v1),
                            void *state)
{
	take_mounts(groups, mounts, &(struct folder_visit){controllers, 1, visit, state});
}

void control_group_each_cpu_mount(const char *mounts,
                                  void (*visit)(void *state, const char *folder, bool is_v1),
                                  void *state)
{
	bool is_found = false;

	/* a controller is in one hierarchy: where version 1 has it, version 2 does not */
	for (int version = 1; version <= 2 && !is_found; version++)
		for (const char *at = mounts; *at;) {
			struct hierarchy_mount mount;

			if (!mount_next(&at, &mount) || mount.is_v1 != (version == 1) ||
			    (mount.is_v1 && !mount_has(&mount, "cpu")))
				continue;
			is_found = true;
			visit(state, mount.place, mount.is_v1);
		}
}

void control_group_find(const char *groups, const char *mounts, struct control_group_limits *ret)
{
	*ret = (struct control_group_limits){.memory_bytes = UINT64_MAX};
	take_mounts(groups, mounts, &(struct folder_visit){controllers, 2, take_limits, ret});
}

char *control_group_of_folder(const char *mounts, const char *folder)
{
	size_t prefix = 0, length;

	while (*mounts) {
		struct hierarchy_mount mount;

		if (!mount_next(&mounts, &mount))
			continue;
		length = strlen(mount.place);
		if (length > prefix && strncmp(folder, mount.place, length) == 0 &&
		    strchr("/", folder[length]))
			prefix = length;
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

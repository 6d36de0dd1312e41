/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracing_mount.h"

#include <errno.h>
#include <mntent.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <tracefs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"

#define TRACEFS_FILESYSTEM 0x74726163
#define DEBUGFS_FILESYSTEM 0x64626720 /* has the folder "tracing" itself, before Linux 4.1 */

static const char *const usual_places[] = {TRACING_MOUNT_PLACE, "/sys/kernel/debug/tracing"};

struct place_search {
	char *found;       /* owned */
	char *refused;     /* owned; the first tracefs that was found but cannot be used */
	int refused_errno; /* positive */
	bool is_empty;     /* the refused one contains no events */
};

static void place_refuse(struct place_search *search, const char *dir, int error, bool is_empty)
{
	if (search->refused)
		return;
	search->refused = xstrdup(dir);
	search->refused_errno = error;
	search->is_empty = is_empty;
}

/* Takes `dir` if it is a tracefs, or such a folder of debugfs, with instances; else keeps the first
   reason. */
static void place_try(struct place_search *search, const char *dir)
{
	_cleanup_(freep) char *instances = xasprintf("%s/instances", dir);
	_cleanup_(freep) char *events = xasprintf("%s/events", dir);
	struct statfs fs;

	if (search->found)
		return;
	if (statfs(dir, &fs) < 0) {
		if (errno != ENOENT)
			place_refuse(search, dir, errno, false);
		return;
	}
	if ((unsigned long)fs.f_type != TRACEFS_FILESYSTEM &&
	    ((unsigned long)fs.f_type != DEBUGFS_FILESYSTEM || access(events, F_OK) < 0))
		return;
	if (access(instances, R_OK | W_OK | X_OK) == 0)
		search->found = xstrdup(dir);
	else
		place_refuse(search, dir, errno, errno == ENOENT);
}

/* Tries mounts in unusual places. */
static void place_try_mounts(struct place_search *search)
{
	struct mntent entry, *mount;
	char line[4096];
	FILE *table;

	table = setmntent("/proc/mounts", "re");
	if (!table)
		return;
	while ((mount = getmntent_r(table, &entry, line, (int)sizeof(line))))
		if (strcmp(mount->mnt_type, "tracefs") == 0) {
			place_try(search, mount->mnt_dir);
		} else if (strcmp(mount->mnt_type, "debugfs") == 0) {
			_cleanup_(freep) char *dir = xasprintf("%s/tracing", mount->mnt_dir);

			place_try(search, dir);
		}
	(void)endmntent(table);
}

static int place_explain(const struct place_search *search, struct buffer *why)
{
	const struct tracing_scene here = tracing_scene_here();

	if (!search->refused)
		return tracing_denial_explain_unmounted(&here, why);
	if (search->is_empty) {
		tracing_denial_explain_empty(&here, search->refused, why);
		return -ENODEV;
	}
	buffer_printf(why, "%s: ", search->refused);
	tracing_denial_explain(&here, search->refused_errno, why);
	return -search->refused_errno;
}

int tracing_mount_find(char **ret_dir, struct buffer *why)
{
	struct place_search search = {0};
	int r = 0;

	/* failures are reported here; the library would print them */
	tracefs_set_loglevel(TEP_LOG_NONE);
	for (size_t i = 0; i < ARRAY_SIZE(usual_places); i++)
		place_try(&search, usual_places[i]);
	place_try_mounts(&search);
	if (search.found && tracefs_set_tracing_dir(search.found) == 0)
		*ret_dir = TAKE_PTR(search.found);
	else
		r = place_explain(&search, why);
	free(search.found);
	free(search.refused);
	return r;
}

int tracing_mount_make(const struct tracing_place **ret, struct buffer *why)
{
	const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
	const struct tracing_scene here = tracing_scene_here();
	const struct tracing_place *place = tracing_scene_place(&here);
	int error;

	*ret = place;
	if (mount(place->type, place->path, place->type, flags, NULL) == 0)
		return 0;
	error = errno;
	tracing_denial_explain_mount(&here, error, why);
	return -error;
}

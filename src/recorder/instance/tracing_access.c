/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracing_access.h"

#include <errno.h>
#include <linux/capability.h>
#include <mntent.h>
#include <stdint.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <tracefs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "recorder/machine/text_file.h"
#include "words/kernel/kernel_feature.h"

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
	if (search->is_empty)
		return tracing_denial_explain_empty(&here, search->refused, why);
	buffer_printf(why, "%s: ", search->refused);
	return tracing_denial_explain(&here, search->refused_errno, why);
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

	*ret = place;
	if (mount(place->type, place->path, place->type, flags, NULL) == 0)
		return 0;
	return tracing_denial_explain_mount(&here, errno, why);
}

#define FILE_SYSTEMS  "/proc/filesystems"
#define LOCKDOWN_FILE "/sys/kernel/security/lockdown"

struct tracing_scene tracing_scene_here(void)
{
	return (struct tracing_scene){.root = "", .user = geteuid()};
}

/* The text of a file of the scene; NULL if it cannot be read. */
static char *scene_read(const struct tracing_scene *scene, const char *file)
{
	return text_file_copy_at(scene->root, file + 1);
}

static bool scene_file_has(const struct tracing_scene *scene, const char *file, const char *word)
{
	_cleanup_(freep) char *text = scene_read(scene, file);

	return text && strstr(text, word);
}

bool tracing_scene_has_proc(const struct tracing_scene *scene)
{
	_cleanup_(freep) char *path = xasprintf("%s/proc/self/status", scene->root);

	return access(path, F_OK) == 0;
}

/* Evidence that the kernel is locked down. */
enum lockdown {
	LOCKDOWN_OFF,
	LOCKDOWN_SHOWN,  /* by LOCKDOWN_FILE */
	LOCKDOWN_BOOTED, /* locked down by the kernel's command line */
	LOCKDOWN_UNKNOWN,
};

static const char *const lockdown_reasons[] = {
	[LOCKDOWN_SHOWN] = "the kernel is locked down: " LOCKDOWN_FILE " says confidentiality",
	[LOCKDOWN_BOOTED] = "the kernel is locked down: /proc/cmdline has "
			    "lockdown=confidentiality",
	[LOCKDOWN_UNKNOWN] = NULL,
};

static enum lockdown lockdown_find(const struct tracing_scene *scene)
{
	_cleanup_(freep) char *text = scene_read(scene, LOCKDOWN_FILE);

	if (text)
		return strstr(text, "[confidentiality]") ? LOCKDOWN_SHOWN : LOCKDOWN_OFF;
	if (scene_file_has(scene, "/proc/self/mounts", " securityfs "))
		return LOCKDOWN_OFF;
	return scene_file_has(scene, "/proc/cmdline", "lockdown=confidentiality")
	               ? LOCKDOWN_BOOTED
	               : LOCKDOWN_UNKNOWN;
}

/* Root of a user namespace has no rights on the host's files. */
static bool user_is_of_namespace(const struct tracing_scene *scene)
{
	_cleanup_(freep) char *map = scene_read(scene, "/proc/self/uid_map");

	return map && !strstr(map, " 4294967295");
}

/* The first capability of root that this process lacks; NULL if it has all. */
static const char *capability_missing(const struct tracing_scene *scene)
{
	static const struct {
		unsigned number;
		const char *name;
	} rows[] = {
		{CAP_DAC_OVERRIDE, "CAP_DAC_OVERRIDE"},
		{CAP_SYS_ADMIN, "CAP_SYS_ADMIN"},
	};
	_cleanup_(freep) char *status = scene_read(scene, "/proc/self/status");
	uint64_t effective = UINT64_MAX;

	if (status)
		(void)text_number(status, "\nCapEff:", 16, &effective);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!(effective >> rows[i].number & 1))
			return rows[i].name;
	return NULL;
}

/* For a user who should be allowed everything. A locked-down kernel returns EPERM, never EACCES. */
static int root_denial_explain(const struct tracing_scene *scene, int error, struct buffer *why)
{
	const char *missing = capability_missing(scene);

	if (!tracing_scene_has_proc(scene))
		buffer_puts(why, " (why cannot be seen: /proc is not mounted); "
		                 "mount -t proc proc /proc, and try again");
	else if (user_is_of_namespace(scene))
		buffer_puts(why, " (root of a user namespace only, by /proc/self/uid_map); "
		                 "run ftwait as root of the host");
	else if (missing)
		buffer_printf(why,
		              " (root without %s, by /proc/self/status); give it that (a "
		              "container: --cap-add), or run ftwait on the host",
		              missing);
	else if (error == EPERM && lockdown_find(scene) == LOCKDOWN_UNKNOWN)
		buffer_puts(why, " (the kernel is locked down, or a security module forbids it); "
		                 "to see which: mount -t securityfs securityfs "
		                 "/sys/kernel/security, and read its file lockdown");
	else
		buffer_puts(why, " (a security module forbids it); allow it in SELinux, AppArmor "
		                 "or what /sys/kernel/security/lsm names");
	return -error;
}

int tracing_denial_explain(const struct tracing_scene *scene, int error, struct buffer *why)
{
	static const struct {
		int error;
		const char *mend;
	} rows[] = {
		{EROFS, "it is mounted read-only (a container?): run ftwait on the host"},
		{ENOMEM, "the kernel has no memory for buffers: free some, or stop other tracers"},
		{EMFILE, "raise the limit: ulimit -n"},
	};
	const char *reason = lockdown_reasons[lockdown_find(scene)];
	const char *mend = "see \"ftwait doctor\"";
	bool is_denied = error == EPERM || error == EACCES;

	buffer_puts(why, strerror(error));
	if (is_denied && reason)
		return buffer_fail(why, -error, " (%s); boot without lockdown", reason);
	if (is_denied && scene->user == 0)
		return root_denial_explain(scene, error, why);
	if (is_denied)
		mend = "run ftwait as root (sudo), in a container give it CAP_SYS_ADMIN and "
		       "/sys/kernel/tracing, or use a prepared instance (\"ftwait doctor\" says "
		       "how)";
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].error == error)
			mend = rows[i].mend;
	return buffer_fail(why, -error, "; %s", mend);
}

int tracing_denial_explain_file(const char *dir, const char *name, int error, struct buffer *why)
{
	const struct tracing_scene here = tracing_scene_here();

	buffer_printf(why, "%s/%s: ", dir, name);
	return tracing_denial_explain(&here, error, why);
}

const struct tracing_place *tracing_scene_place(const struct tracing_scene *scene)
{
	static const struct tracing_place places[] = {
		{"tracefs", TRACING_MOUNT_PLACE, TRACING_MOUNT_PLACE},
		{"debugfs", "/sys/kernel/debug", "/sys/kernel/debug/tracing"},
	};

	return &places[!scene_file_has(scene, FILE_SYSTEMS, "\ttracefs\n") &&
	               scene_file_has(scene, FILE_SYSTEMS, "\tdebugfs\n")];
}

int tracing_denial_explain_mount(const struct tracing_scene *scene, int error, struct buffer *why)
{
	const struct tracing_place *place = tracing_scene_place(scene);

	buffer_printf(why, "cannot mount %s at %s: ", place->type, place->path);
	if (error == EPERM || error == EACCES)
		return tracing_denial_explain(scene, error, why);
	buffer_printf(why, "%s; ", strerror(error));
	if (error == ENODEV)
		buffer_puts(why, "boot a kernel with CONFIG_FTRACE");
	else if (error == ENOENT)
		buffer_puts(why, "mount -t sysfs sysfs /sys");
	else
		buffer_printf(why, "try: mount -t %s %s %s", place->type, place->type, place->path);
	return -error;
}

int tracing_denial_explain_empty(const struct tracing_scene *scene, const char *dir,
                                 struct buffer *why)
{
	_cleanup_(freep) char *events = xasprintf("%s/events", dir);
	enum lockdown lockdown = lockdown_find(scene);

	if (access(events, F_OK) == 0)
		return buffer_fail(why, -ENODEV, "%s has no instances; Linux %s or newer", dir,
		                   kernel_feature_since(FEATURE_INSTANCES));
	buffer_printf(why, "%s shows no tracepoints ", dir);
	if (lockdown == LOCKDOWN_UNKNOWN)
		buffer_puts(why, "(most likely the kernel is locked down); to see: "
		                 "mount -t securityfs securityfs /sys/kernel/security, and read "
		                 "its file lockdown");
	else if (lockdown == LOCKDOWN_OFF)
		buffer_puts(why, "(and the kernel is not locked down); boot one with "
		                 "CONFIG_FTRACE, or where a container hides them run ftwait on "
		                 "the host");
	else
		buffer_printf(why, "(%s); boot without lockdown", lockdown_reasons[lockdown]);
	return -ENODEV;
}

int tracing_denial_explain_unmounted(const struct tracing_scene *scene, struct buffer *why)
{
	bool has_proc = tracing_scene_has_proc(scene);
	const struct tracing_place *place = tracing_scene_place(scene);
	bool is_debugfs = strcmp(place->type, "debugfs") == 0;

	if (has_proc && !is_debugfs && !scene_file_has(scene, FILE_SYSTEMS, "\ttracefs\n"))
		return buffer_fail(why, -ENODEV, "this kernel has neither tracefs nor debugfs "
		                   "(/proc/filesystems); boot one with CONFIG_FTRACE");
	if (is_debugfs && scene_file_has(scene, "/proc/self/mounts", " debugfs "))
		return buffer_fail(why, -ENODEV, "this kernel has no tracefs (/proc/filesystems), "
		                   "and its debugfs no folder \"tracing\"; boot one with "
		                   "CONFIG_FTRACE");
	return buffer_fail(why, -ENOENT, "no %s is mounted (looked at /sys/kernel/tracing, "
	                   "/sys/kernel/debug/tracing and /proc/mounts%s); as root \"ftwait "
	                   "record\" mounts it, or: mount -t %s %s %s", place->type,
	                   has_proc ? "" : ", but /proc is not mounted", place->type, place->type,
	                   place->path);
}

const char *symbols_denial_mend(const struct tracing_scene *scene, int error)
{
	if (!tracing_scene_has_proc(scene))
		return "mount -t proc proc /proc";
	if (error == ENOENT)
		return "\"ftwait report --kallsyms System.map\" names them, with the file of the "
		       "kernel's build; or a kernel with CONFIG_KALLSYMS";
	if (scene_file_has(scene, "/proc/sys/kernel/kptr_restrict", "2"))
		return "sysctl kernel.kptr_restrict=1";
	return "root with CAP_SYSLOG";
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracing_denial.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/parse.h"
#include "base/xalloc.h"
#include "recorder/machine/text_file.h"
#include "words/kernel/kernel_feature.h"

#define LOCKDOWN_FILE "/sys/kernel/security/lockdown"

struct tracing_scene tracing_scene_here(void)
{
	return (struct tracing_scene){.root = "", .user = geteuid()};
}

/* Reads a file of the scene; an empty text if that fails. */
static int scene_read(const struct tracing_scene *scene, const char *file, struct buffer *ret)
{
	buffer_init(ret, BUFFER_LIMIT_DEFAULT);
	return text_file_read_at(scene->root, file + 1, ret);
}

static bool scene_file_has(const struct tracing_scene *scene, const char *file, const char *word)
{
	struct buffer text;
	bool has = scene_read(scene, file, &text) == 0 && strstr(text.text, word);

	buffer_release(&text);
	return has;
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
	struct buffer text;
	int r = scene_read(scene, LOCKDOWN_FILE, &text);
	bool is_on = r == 0 && strstr(text.text, "[confidentiality]");

	buffer_release(&text);
	if (r == 0)
		return is_on ? LOCKDOWN_SHOWN : LOCKDOWN_OFF;
	if (scene_file_has(scene, "/proc/self/mounts", " securityfs "))
		return LOCKDOWN_OFF;
	return scene_file_has(scene, "/proc/cmdline", "lockdown=confidentiality")
	               ? LOCKDOWN_BOOTED
	               : LOCKDOWN_UNKNOWN;
}

/* Root of a user namespace has no rights on the host's files. */
static bool user_is_of_namespace(const struct tracing_scene *scene)
{
	struct buffer map;
	bool is_whole = true;

	if (scene_read(scene, "/proc/self/uid_map", &map) == 0)
		is_whole = strstr(map.text, " 4294967295");
	buffer_release(&map);
	return !is_whole;
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
	_cleanup_(freep) char *number = NULL;
	uint64_t effective = UINT64_MAX;
	struct buffer status;
	char *line;

	(void)scene_read(scene, "/proc/self/status", &status);
	line = strstr(status.text, "\nCapEff:\t");
	if (line) {
		number = xasprintf("0x%.16s", line + strlen("\nCapEff:\t"));
		if (parse_u64(number, &effective) < 0)
			effective = UINT64_MAX;
	}
	buffer_release(&status);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!(effective >> rows[i].number & 1))
			return rows[i].name;
	return NULL;
}

/* For a user who should be allowed everything. A locked-down kernel returns EPERM, never EACCES. */
static void root_denial_explain(const struct tracing_scene *scene, int error, struct buffer *why)
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
}

void tracing_denial_explain(const struct tracing_scene *scene, int error, struct buffer *why)
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
	if (is_denied && reason) {
		buffer_printf(why, " (%s); boot without lockdown", reason);
		return;
	}
	if (is_denied && scene->user == 0) {
		root_denial_explain(scene, error, why);
		return;
	}
	if (is_denied)
		mend = "run ftwait as root (sudo), in a container give it CAP_SYS_ADMIN and "
		       "/sys/kernel/tracing, or use a prepared instance (\"ftwait doctor\" says "
		       "how)";
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].error == error)
			mend = rows[i].mend;
	buffer_printf(why, "; %s", mend);
}

void tracing_denial_explain_file(const char *dir, const char *name, int error, struct buffer *why)
{
	const struct tracing_scene here = tracing_scene_here();

	buffer_printf(why, "%s/%s: ", dir, name);
	tracing_denial_explain(&here, error, why);
}

static bool kernel_has(const struct tracing_scene *scene, const char *file_system)
{
	return scene_file_has(scene, "/proc/filesystems", file_system);
}

const struct tracing_place *tracing_scene_place(const struct tracing_scene *scene)
{
	static const struct tracing_place places[] = {
		{"tracefs", TRACING_MOUNT_PLACE, TRACING_MOUNT_PLACE},
		{"debugfs", "/sys/kernel/debug", "/sys/kernel/debug/tracing"},
	};

	return &places[!kernel_has(scene, "\ttracefs\n") && kernel_has(scene, "\tdebugfs\n")];
}

void tracing_denial_explain_mount(const struct tracing_scene *scene, int error, struct buffer *why)
{
	const struct tracing_place *place = tracing_scene_place(scene);

	buffer_printf(why, "cannot mount %s at %s: ", place->type, place->path);
	if (error == ENODEV)
		buffer_printf(why, "%s; boot a kernel with CONFIG_FTRACE", strerror(error));
	else if (error == ENOENT)
		buffer_printf(why, "%s; mount -t sysfs sysfs /sys", strerror(error));
	else if (error == EPERM || error == EACCES)
		tracing_denial_explain(scene, error, why);
	else
		buffer_printf(why, "%s; try: mount -t %s %s %s", strerror(error), place->type,
		              place->type, place->path);
}

void tracing_denial_explain_empty(const struct tracing_scene *scene, const char *dir,
                                  struct buffer *why)
{
	_cleanup_(freep) char *events = xasprintf("%s/events", dir);
	enum lockdown lockdown = lockdown_find(scene);

	if (access(events, F_OK) == 0) {
		buffer_printf(why, "%s has no instances; Linux %s or newer", dir,
		              kernel_feature_since(FEATURE_INSTANCES));
		return;
	}
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
}

int tracing_denial_explain_unmounted(const struct tracing_scene *scene, struct buffer *why)
{
	bool has_proc = tracing_scene_has_proc(scene);
	const struct tracing_place *place = tracing_scene_place(scene);
	bool is_debugfs = strcmp(place->type, "debugfs") == 0;

	if (has_proc && !is_debugfs && !kernel_has(scene, "\ttracefs\n")) {
		buffer_puts(why, "this kernel has neither tracefs nor debugfs "
		                 "(/proc/filesystems); boot one with CONFIG_FTRACE");
		return -ENODEV;
	}
	if (is_debugfs && scene_file_has(scene, "/proc/self/mounts", " debugfs ")) {
		buffer_puts(why, "this kernel has no tracefs (/proc/filesystems), and its debugfs "
		                 "no folder \"tracing\"; boot one with CONFIG_FTRACE");
		return -ENODEV;
	}
	buffer_printf(why,
	              "no %s is mounted (looked at /sys/kernel/tracing, "
	              "/sys/kernel/debug/tracing and /proc/mounts%s); as root \"ftwait record\" "
	              "mounts it, or: mount -t %s %s %s",
	              place->type, has_proc ? "" : ", but /proc is not mounted", place->type,
	              place->type, place->path);
	return -ENOENT;
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "user_ways.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "prepared_instance.h"
#include "recorder/machine/text_file.h"
#include "tracing_access.h"

#define PATH_BYTES    4096
#define PATHS_DEFAULT "/usr/local/bin:/usr/bin:/bin"

static void keep_first(void *state, const char *dir, const char *name)
{
	char **first = state;

	(void)name;
	if (!*first)
		*first = xstrdup(dir);
}

char *user_ways_prepared(void)
{
	char *dir = NULL;

	prepared_instances_each(keep_first, &dir);
	return dir;
}

/* The program in a folder of PATH; NULL: there is none. The caller frees it. */
static char *program_find(const char *name)
{
	const char *at = getenv("PATH");

	for (at = at && *at ? at : PATHS_DEFAULT; *at; at += *at == ':') {
		size_t length = strcspn(at, ":");
		char *path = xasprintf("%.*s/%s", (int)length, at, name);

		if (length > 0 && access(path, X_OK) == 0)
			return path;
		free(path);
		at += length;
	}
	return NULL;
}

/* The path of this program, for sudo rules. */
static char *program_self(void)
{
	char path[PATH_BYTES];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path));

	return length > 0 && (size_t)length < sizeof(path) ? xasprintf("%.*s", (int)length, path)
	                                                   : xstrdup("/usr/bin/ftwait");
}

static void probe_prepared(const char *prepared, struct buffer *mend,
                           struct probe_finding *finding)
{
	const struct tracing_scene here = tracing_scene_here();
	_cleanup_(freep) char *name = xasprintf("user%u", (unsigned)getuid());

	finding->subject = "prepared instance";
	if (prepared) {
		finding->fact = prepared;
		return;
	}
	buffer_puts(mend, "as root, once in each boot: ");
	prepared_instance_describe_making(tracing_scene_place(&here)->tracing, name, mend);
	buffer_printf(mend, " (contrib/prepare-instance does it); then: ftwait record "
	                    "--instance=%s", name);
	finding->verdict = PROBE_GAP;
	finding->fact = "this user has none";
	finding->consequence = "a user without root can record only into one";
	finding->mend = mend->text;
}

/* A rule with a pattern in it would let the user choose COMMAND. */
static void probe_sudo(struct buffer *fact, struct probe_finding *finding)
{
	static const char *const programs[] = {"sudo", "doas"};
	_cleanup_(freep) char *self = program_self();
	_cleanup_(freep) char *path = NULL;
	size_t i = 0;

	while (i < ARRAY_SIZE(programs) && !(path = program_find(programs[i])))
		i++;
	finding->subject = "sudo rule";
	if (!path) {
		finding->verdict = PROBE_GAP;
		finding->fact = "neither sudo nor doas is in PATH";
		finding->consequence = "no user can be allowed to record as root";
		finding->mend = "a prepared instance";
		return;
	}
	buffer_printf(fact, i == 0 ? "%s; allow one command line, without *: #%u ALL=(root) "
	                             "NOPASSWD: %s record -d 10 -o -"
	                           : "%s; allow one command line: permit nopass %u as root cmd %s "
	                             "args record -d 10 -o -",
	              path, (unsigned)getuid(), self);
	finding->fact = fact->text;
}

void user_ways_probe(const char *prepared,
                     void (*on_finding)(void *state, const struct probe_finding *finding),
                     void *state)
{
	static const struct probe_finding capability = {
		.subject = "file capability",
		.verdict = PROBE_GAP,
		.fact = "CAP_DAC_OVERRIDE alone opens the tracefs; ftwait does not use it",
		.consequence = "a program that has it lets every user write to any file",
		.mend = "one of the ways above",
	};
	struct probe_finding instance = {0}, sudo = {0};
	_cleanup_(buffer_release) struct buffer mend = buffer_of(2 * PATH_BYTES);
	_cleanup_(buffer_release) struct buffer fact = buffer_of(2 * PATH_BYTES);

	probe_prepared(prepared, &mend, &instance);
	probe_sudo(&fact, &sudo);
	on_finding(state, &instance);
	on_finding(state, &sudo);
	on_finding(state, &capability);
}

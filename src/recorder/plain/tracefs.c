/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracefs.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/xalloc.h"

struct tracefs_instance {
	char *dir;
	bool is_new;
};

static char *tracing_dir;

void tracefs_set_loglevel(enum tep_loglevel level)
{
	(void)level;
}

int tracefs_set_tracing_dir(const char *dir)
{
	free(tracing_dir);
	tracing_dir = xstrdup(dir);
	return 0;
}

struct tracefs_instance *tracefs_instance_create(const char *name)
{
	struct tracefs_instance *instance = xcalloc(1, sizeof(*instance));
	int error;

	instance->dir = xasprintf("%s/instances/%s", tracing_dir, name);
	instance->is_new = mkdir(instance->dir, 0700) == 0;
	if (instance->is_new || errno == EEXIST)
		return instance;
	error = errno;
	tracefs_instance_free(instance);
	errno = error;
	return NULL;
}

bool tracefs_instance_is_new(const struct tracefs_instance *instance)
{
	return instance->is_new;
}

void tracefs_instance_free(struct tracefs_instance *instance)
{
	if (!instance)
		return;
	free(instance->dir);
	free(instance);
}


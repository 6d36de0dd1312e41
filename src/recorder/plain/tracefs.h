/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of libtracefs that capture/ uses, for builds without that library
 * (WITHOUT_LIBTRACEFS=1): it needs libtraceevent, 180 KB of code that capture/ has no use for.
 * The functions behave as in libtracefs, but do not limit the length of paths.
 */
#pragma once

#include <stdbool.h>

enum tep_loglevel {
	TEP_LOG_NONE,
};

struct tracefs_instance;

/* Does nothing: these functions print no messages. */
void tracefs_set_loglevel(enum tep_loglevel level);
/* Sets the directory that contains instances/; copied. Returns 0, or -1 if memory is short. */
int tracefs_set_tracing_dir(const char *dir);
/* Creates the instance, unless it exists. Returns NULL and sets errno on failure. */
struct tracefs_instance *tracefs_instance_create(const char *name);
/* Whether tracefs_instance_create() created it. */
bool tracefs_instance_is_new(const struct tracefs_instance *instance);
/* Frees the structure; the kernel keeps the instance. Accepts NULL. */
void tracefs_instance_free(struct tracefs_instance *instance);

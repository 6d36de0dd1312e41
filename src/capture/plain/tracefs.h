/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What capture/ uses of libtracefs, in place of the library's header (WITHOUT_LIBTRACEFS=1): the
 * library brings libtraceevent with it, 180 KB of formats that nothing here reads. Contracts are
 * the library's; paths are as long as memory allows.
 */
#pragma once

#include <stdbool.h>

enum tep_loglevel {
	TEP_LOG_NONE,
};

struct tracefs_instance;

/* Nothing is ever printed. */
void tracefs_set_loglevel(enum tep_loglevel level);
/* Where instances/ is from now on; copied. Returns 0, or -1 if there is no memory. */
int tracefs_set_tracing_dir(const char *dir);
/* Makes the instance, unless it is there. NULL and errno if that fails. */
struct tracefs_instance *tracefs_instance_create(const char *name);
/* Whether tracefs_instance_create() has made it. */
bool tracefs_instance_is_new(const struct tracefs_instance *instance);
/* Leaves the instance in the kernel; NULL: nothing. */
void tracefs_instance_free(struct tracefs_instance *instance);
/* Opens a file of the instance. Returns its descriptor, or -1 and errno. */
int tracefs_instance_file_open(const struct tracefs_instance *instance, const char *file, int mode);

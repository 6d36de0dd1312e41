/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a flight recorder: slow.dat is written as slow.1.dat, slow.2.dat and so on. Those
 * of earlier recorders with the same name count, too: numbers go on, and together they take up no
 * more than a limit, beyond which the oldest ones are removed.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct shot_file {
	uint64_t number;
	uint64_t bytes;
};

struct shot_names {
	char *prefix; /* path up to the number, with the dot; owned */
	const char *suffix; /* ".dat"; borrowed */
	struct shot_file *file; /* by number */
	size_t count, capacity;
};

/* `path`: as given with -o; borrowed. Looks for files that exist. */
void shot_names_init(struct shot_names *names, const char *path);
void shot_names_release(struct shot_names *names);
/* Numbers go from 1 on. */
uint64_t shot_names_next(const struct shot_names *names);
/* The caller frees it. */
char *shot_names_path(const struct shot_names *names, uint64_t number);
/* A file of that number, greater than all before, was written. */
void shot_names_add(struct shot_names *names, uint64_t number);
/* Removes the oldest ones, but never the newest, until all take up no more than that. Returns how
   many were removed. */
size_t shot_names_trim(struct shot_names *names, uint64_t bytes_max);

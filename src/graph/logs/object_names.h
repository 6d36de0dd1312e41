/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What objects that tasks wait for are called: block devices, files, and variables of programs.
 *
 * Names of block devices by number: "vda", "sda1", "dm-0 (vg-root)". A number that had several
 * names while the recording was made has only what they share, which may be nothing. A struct that
 * is all zero is empty. Bytes that a terminal might obey are escaped.
 *
 * Two machines may have devices of the same number. Those of the first machine keep theirs; those
 * of the others get numbers of a major that no device has, 4095.
 */
#pragma once

#include <stdint.h>

#include "base/data/intern.h"
#include "base/data/map.h"
#include "tally/tally.h"

/* Ids in names; 0: none. */
struct device_name {
	uint32_t name, mapped;
	uint32_t shown; /* both in one text */
};

/* Neither tally is initialized until there is one. */
struct device_names {
	TALLY(tally, struct device_name, device, count); /* by number */
	/* devices of other machines than the first, by machine and their number there */
	TALLY(foreign, uint64_t, foreign_key, foreign_count);
};

void device_names_release(struct device_names *devices);
/* Returns the number here of the device that has the number `dev` on `host`; 0 stays 0. */
uint32_t device_names_number(struct device_names *devices, uint32_t host, uint32_t dev);
/* Its number on its own machine. */
uint32_t device_names_own(const struct device_names *devices, uint32_t number);
/* The machine that has it. */
uint32_t device_names_host(const struct device_names *devices, uint32_t number);
/* A name of the device `dev` (major << 20 | minor). `mapped`: the device mapper's name; NULL:
   none. */
void device_names_add(struct device_names *devices, struct intern *names, uint32_t dev,
                      const char *name, const char *mapped);
/* The id in names of the device's name; 0: not known. */
uint32_t device_names_find(const struct device_names *devices, uint32_t dev);

/*
 * Files by the number of their file system and by inode, with their paths, as far as these are
 * known. Of several paths of one file the first one that is added counts. A struct that is all zero
 * is empty.
 */

#define FILE_NUMBER_MAX UINT16_MAX

struct file_name {
	uint64_t inode; /* the key are these two */
	uint32_t dev;
	uint32_t path; /* id in names; 0: not known */
};

struct file_names {
	TALLY(tally, struct file_name, file, count); /* not initialized until there is one;
	                                                tally_release() accepts that */
};

void file_names_add(struct file_names *files, struct intern *names, uint32_t dev, uint64_t inode,
                    const char *path);
/* The id in names of the file's path; 0: not known. */
uint32_t file_names_find(const struct file_names *files, uint32_t dev, uint64_t inode);
/* The file's number, from 1 on; adds the file if it is not known. 0: FILE_NUMBER_MAX is
   exceeded. */
uint16_t file_names_number(struct file_names *files, uint32_t dev, uint64_t inode);
/* The file with that number; NULL for 0. */
const struct file_name *file_names_at(const struct file_names *files, uint16_t number);

/*
 * Names of variables of programs at which tasks slept, by process and address. Each address is
 * looked up once, when a task is first seen to sleep there; at most USER_VARIABLES_MAX are kept,
 * with or without a name.
 */

#define USER_VARIABLES_MAX (1u << 18)

/* Ids in the timeline's names; 0: not known. */
struct user_variable {
	uint64_t address; /* the key are these two */
	int32_t tgid;
	uint32_t name;  /* "cache+0x8" */
	uint32_t futex; /* "futex cache+0x8" */
};

struct user_variables {
	TALLY(tally, struct user_variable, variable, count);
};

/* tally_release() releases it. */
void user_variables_init(struct user_variables *variables);
/* NULL: not looked up yet. Borrowed until the next one is added. */
const struct user_variable *user_variables_find(const struct user_variables *variables,
                                                int32_t tgid, uint64_t address);
/* Adds one that is not there yet; returns NULL if there is no room. */
const struct user_variable *user_variables_add(struct user_variables *variables,
                                               const struct user_variable *added);

/*
 * What all calls together show of words at which tasks sleep as for a condition or a semaphore,
 * enum futex_sign: the calls of one wait alone seldom show which of both it is. By process and by
 * the 8 bytes that the word lies in: a condition variable of glibc has two words there, a semaphore
 * has one.
 */
/* Adds a sign. `process` is any number that all threads of a process share. */
void futex_signs_add(struct map *signs, uint64_t process, uint64_t address, uint32_t sign);
/* All signs that were added; 0: none. */
uint32_t futex_signs_find(const struct map *signs, uint64_t process, uint64_t address);

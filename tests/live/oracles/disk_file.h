/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of its own on a real disk for oracles: unlinked, filled with data, written back.
 */
#pragma once

#include <stddef.h>

#define DISK_BLOCK_BYTES 4096u
#define DISK_FILE_BLOCKS 4096u
#define DISK_DEVICE_BYTES 32

/*
 * In the directory named by ORACLE_DIR, else the current one. `flags` go to open(2). Skips the
 * oracle where the file system has no disk behind it or refuses the flags.
 */
int disk_file_open(int flags);
/* Aligned for O_DIRECT. */
void *disk_block_new(void);
/* The numbers of the whole disk, on a partition of which the file may be: "254:0". */
void disk_file_device(int fd, char ret[DISK_DEVICE_BYTES]);

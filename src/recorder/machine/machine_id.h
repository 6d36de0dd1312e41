/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which machine this is. machine-id(5) is confidential: it must not get into files that are sent
 * around. So recordings have a hash of it that only ftwait makes. The ID cannot be found from it,
 * and other programs' hashes of the same ID cannot be matched with it.
 */
#pragma once

#define MACHINE_ID_FILE   "/etc/machine-id"
#define MACHINE_ID_DIGITS 32

/* The hash of the ID in the file, in lower-case hexadecimal digits: what `systemd-id128 machine-id
   --app-specific=6a98747a5ee843029dda917e9cdecd34` prints. Returns 0 or -errno: -ENOENT, also if
   the file has no ID so far, as at a first boot. */
int machine_id_read(const char *path, char ret[MACHINE_ID_DIGITS + 1]);

/* "boot ID\n" (ftwait/stream.h) for the running kernel; NULL if unknown. The caller frees it. */
char *boot_line(void);

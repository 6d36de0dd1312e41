/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/* "boot ID\n" (ftwait/stream.h) for the running kernel; NULL if unknown. The caller frees it. */
char *boot_line(void);

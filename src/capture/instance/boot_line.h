/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/* "boot ID\n", as ftwait/stream.h has it, for the kernel that runs; NULL if unknown. To be freed.
 */
char *boot_line(void);

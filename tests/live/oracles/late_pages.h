/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of which each page is there only when somebody says so (userfaultfd): who touches one
 * before sleeps until then, also in the kernel, with whatever locks it has. One thread at a time.
 */
#pragma once

#include <stddef.h>

/* So many pages that are not there; skips the oracle where that may not be had. */
char *late_pages_new(unsigned count);
size_t late_page_bytes(void);
/* Sleeps until somebody waits for a page. */
void late_page_await(void);
/* From now on the page that begins there is there, and empty. */
void late_page_fill(char *page);

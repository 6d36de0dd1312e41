/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files for those who run fuzz targets. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* NULL where it cannot be read; to be freed. */
uint8_t *fuzz_input_read(const char *path, size_t *ret_size);
/* Calls `take` for a file, or for each file of a folder; returns for how many. */
unsigned fuzz_input_each(const char *path, void (*take)(const char *path));

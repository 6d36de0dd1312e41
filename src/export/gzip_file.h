/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stream that compresses what is written to it with gzip.
 */
#pragma once

#include <stdio.h>

/*
 * The compressed data goes to `to`, which is not closed; fclose() writes the end, and returns EOF
 * with errno set if anything could not be written. NULL: see errno.
 */
FILE *gzip_file_open(FILE *to);

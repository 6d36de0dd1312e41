/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stream that packs what is written to it by gzip.
 */
#pragma once

#include <stdio.h>

/*
 * What is written goes on to `to`, which is not closed; fclose() writes the end, and is EOF with
 * errno set where anything could not be written. NULL: errno tells why.
 */
FILE *gzip_file_open(FILE *to);

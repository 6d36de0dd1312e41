/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stream that compresses with gzip what is written to it. */
#pragma once

#include <stdio.h>

/* The compressed data go to `to`, which is not closed. fclose() writes the end, and returns EOF
   with errno set if anything could not be written. Returns NULL with errno set on failure. */
FILE *gzip_file_open(FILE *to);

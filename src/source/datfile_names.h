/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of block devices and of files, from the lines `device` and `path` of option VERSION
 * (ftwait/stream.h). Lines that are malformed, or more than there is room for, are ignored.
 */
#pragma once

#include "source/file/datfile.h"
#include "source/text/text_line.h"

/* "MAJOR:MINOR NAME [MAPPED]" */
void datfile_take_device(struct datfile *datfile, struct text_line line);
/* "MAJOR:MINOR INODE PATH" */
void datfile_take_path(struct datfile *datfile, struct text_line line);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Version 7 after its magic: a chain of options sections has the offsets of the other sections. */
#pragma once

#include "source/file/datfile.h"

/* Reads all of it, and salvages what it can if the chain is broken. */
int datfile_read_sections(struct datfile *datfile, struct buffer *why);

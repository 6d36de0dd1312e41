/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Version 7 behind its magic: a chain of options sections says where the other sections are.
 */
#pragma once

#include "datfile.h"

/* Reads all of it, salvages what it can where the chain is broken. */
int datfile_read_sections(struct datfile *datfile, struct buffer *why);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many columns a character takes on a terminal, independent of the C library's locales: boards
 * often have only C, in which wcwidth() knows ASCII alone.
 */
#pragma once

#include <stdint.h>

/* 0 for characters that join the character before them, 2 for wide East Asian characters, else
   1. */
unsigned character_width(uint32_t code);

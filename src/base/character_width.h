/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many columns of a terminal a character takes, whatever locales the C library knows: boards
 * often have none but C, in which wcwidth() knows ASCII alone.
 */
#pragma once

#include <stdint.h>

/* 0 of what joins the character before it, 2 of East Asian wide ones, else 1. */
unsigned character_width(uint32_t code);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The version of this program, which the Makefile sets (VERSION there). A separate file, so that a
 * new version compiles only version.c again.
 */
#pragma once

/* Such as "1.0.0", or "1.0.0+12.g0123abc": 12 commits after 1.0.0. Without spaces, quotes or
   newlines. */
extern const char ftwait_version[];

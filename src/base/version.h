/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The version of this program. The Makefile decides it: its head says from what. Only version.c is
 * compiled again when it changes.
 */
#pragma once

/* Such as "1.0.0", or "1.0.0+12.g0123abc": 12 commits after it. No spaces, quotes or lines. */
extern const char ftwait_version[];

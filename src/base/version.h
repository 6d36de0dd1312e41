/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The version of this program, which stands in the file VERSION. A separate file, so that a
 * new version compiles only version.c again.
 */
#pragma once

/* Such as "1.1.0". */
extern const char ftwait_version[];

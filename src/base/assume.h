/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ASSUME(x) is assert(x) where a check would cost too much in a program that is installed: for each
 * event, segment or part. It is compiled in what developers, tests and fuzzers build (DEVELOPER=1,
 * SANITIZE=, COVERAGE=1); elsewhere x is not evaluated. Either must hold for every input.
 */
#pragma once

#include <assert.h>

#ifdef FTWAIT_CHECKED
#define ASSUME(x) assert(x)
#else
#define ASSUME(x) ((void)sizeof((x) ? 1 : 0))
#endif

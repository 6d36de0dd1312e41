/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finer questions than whether a key is a rare cause.
 *
 *	by leaf  of a key that many units have of which few are far: whether those with one leaf are
 *	         rare, as where an asked server is slow if it asks one of its own
 *	pooled   of tasks that had the CPU, but are no rare cause by themselves, as each has few
 *	         votes: whether it is rare that any of them had it
 */
#pragma once

#include "tail_measure.h"

/* At most so many. */
#define TAIL_FINER_MAX 32

/* Adds them to the reasons, for which there is room, and counts them in search->asked: p is
   corrected behind this. */
void tail_finer_ask(struct tail_search *search);
/* Keeps of these what is named, takes the votes of that from other reasons, and removes those
   without votes. */
void tail_finer_take(struct tail_search *search);

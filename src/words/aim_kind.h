/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of aims (ftwait/aim.h), and what a place of sleep shows of the aim. */
#pragma once

#include "ftwait/aim.h"
#include "ftwait/cause.h"
#include "words/cause/futex_kind.h"

/* The kind of aim of a task that sleeps for that enum purpose. AIM_NONE where tasks sleep at such a
   place for anything, as in poll(). */
enum aim_kind aim_of_purpose(unsigned purpose);
/* The same where only the call is known that its own time limit ended. */
enum aim_kind aim_of_call(enum sleep_call call);
/* The kind of aim of a task that sleeps at such a futex. */
enum aim_kind aim_of_futex(enum futex_kind kind);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a flight recorder (`record --ring --trigger`) saved a recording. */
#pragma once

#include <stdint.h>

#include "aim.h"
#include "nsec.h"

#define TRIGGER_CONDITION_MAX 4096 /* bytes */
#define TRIGGER_TEXT_MAX      1024 /* bytes */

struct trigger_note {
	nsec_t at;    /* when it fired, on the clock of the records */
	nsec_t since; /* when what fired it began, such as a wait; `at`: that has no duration */
	int32_t tid;  /* the task that fired it; 0: none */
	const char *condition; /* as --trigger has it; not empty; NULL: no trigger */
	enum aim_kind aim;    /* what the wait that fired it was for; AIM_NONE: not known */
	const char *aim_name; /* of its object, or in words; NULL: it has none */
	const char *text; /* in words: "mysqld[812] waited 212 ms for disk vda"; NULL: not known */
};

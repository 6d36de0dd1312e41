/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instants of a trace, for people. */
#pragma once

#include "base/text/format.h"
#include "ftwait/realtime.h"

/* "12.345678": seconds since the trace's begin, "-0.001000" before it; or a time of day:
   "03:12:05.345678", with its date if it is a day or more from the begin. */
char *format_instant_of(const struct instant_form *form, nsec_t time, char to[static FORMAT_BYTES]);
/* The same, in an array that lives as long as the block in which the macro is used, so that it can
   be an argument. */
#define INSTANT_OF(form, time) format_instant_of((form), (time), (char[FORMAT_BYTES]){0})
/* What stands behind an instant in prose: " s", or nothing behind a time of day. */
static inline const char *instant_unit(const struct instant_form *form)
{
	return form->realtime ? "" : " s";
}

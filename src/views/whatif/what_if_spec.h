/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a user asks to imagine: "timer:sleeper=0.5" says that the sleeps of tasks called sleeper
 * take half as long. Knows texts only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"

enum what_if_kind {
	WHAT_IF_TIMER, /* sleeps of these tasks, as long as they asked for */
	WHAT_IF_TASK,  /* these tasks' running */
	WHAT_IF_LOCK,  /* all time in which a task has that lock while others wait for it */
	WHAT_IF_DISK,  /* waits for that disk */
	WHAT_IF_NET,   /* always refused, with the reason */
	WHAT_IF_KINDS,
};

/* Factors are in millionths. */
#define FACTOR_ONE 1000000u

struct what_if_spec {
	enum what_if_kind kind;
	const char *text; /* as it was given; not ended by a NUL */
	size_t length;
	char *name; /* a glob, unless is_exact */
	bool is_exact;
	uint32_t factor; /* 0 to FACTOR_ONE */
};

struct what_if_specs {
	struct what_if_spec *spec;
	size_t count, capacity;
};

/* Reads "KIND:NAME=F,..."; a NAME may contain "," and "=". If the text is none, returns false and
   appends a phrase to `why`. The texts are borrowed. */
bool what_if_specs_read(struct what_if_specs *specs, const char *text, struct buffer *why);
void what_if_specs_release(struct what_if_specs *specs);
const char *what_if_kind_word(enum what_if_kind kind);
/* Whether the name is meant. */
bool what_if_spec_fits(const struct what_if_spec *spec, const char *name);
/* What of a stretch that is changed is saved. */
static inline nsec_t what_if_saves(const struct what_if_spec *spec, nsec_t length)
{
	return nsec_share(length, FACTOR_ONE - spec->factor, FACTOR_ONE);
}

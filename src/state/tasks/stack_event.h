/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks as events carry them: return addresses, innermost first. */
#pragma once

#include "state/core/tracker.h"

/* Deeper frames are left out. */
#define FRAMES_MAX 64

/* The frames of the event, in the byte order of this machine; returns how many, at most
   FRAMES_MAX. */
size_t stack_event_read(const struct machine *machine, const struct stack_event *stack,
                        uint64_t *ret);
/* A stack in words: an object of a pool, by hash. Each stack is put in words once, or again if it
   was forgotten. */
struct named_stack {
	uint64_t check; /* a second hash: the stacks themselves, of up to 512 bytes, are not kept */
	uint32_t name;
};

/*
 * The object of that stack in the pool, which begins as struct named_stack does; valid until the
 * next call. *ret_is_new: the rest of it is to be set. salt: what its words depend on besides the
 * frames.
 */
void *stack_keep(struct object_pool *stacks, const uint64_t *frame, size_t count, uint64_t salt,
                 bool *ret_is_new);

/* The functions that the frames are in; NULL for a function without a name. */
void stack_name(const struct machine *machine, const uint64_t *frame, size_t count,
                const char **ret);
/*
 * Id in the timeline's names of frames [first, count): functions with ";" between, addresses where
 * there are no names.
 */
uint32_t stack_intern(struct machine *machine, const uint64_t *frame, const char *const *name,
                      size_t first, size_t count);

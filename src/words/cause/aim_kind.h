/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of aims (ftwait/aim.h), and what a place of sleep shows of the aim. */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/aim.h"
#include "ftwait/cause.h"
#include "futex_kind.h"

/* The kind of aim of a task that sleeps for that enum purpose. AIM_NONE where tasks sleep at such a
   place for anything, as in poll(). */
enum aim_kind aim_of_purpose(unsigned purpose);
/* The kind of aim of a task that sleeps at such a futex. */
enum aim_kind aim_of_futex(enum futex_kind kind);

/* Aims in words, beside the words for causes (cause_words.h). All is printable UTF-8. */

/* "lock: /run/x", "pipe: data from a pipe", "work"; the aim must be known. */
void aim_words_append(struct buffer *to, const struct brief_aim *aim);
/* Appends ", for lock: /run/x" to the words for what ended the wait, where these do not say what it
   was for: a time limit or a signal ended it, a task handed over a lock, or nothing has. */
void aim_beside_append(struct buffer *to, const struct brief_aim *aim, enum cause_kind cause);
/* The same behind all words for the cause, which may name the aim already, as its purpose. */
void aim_behind_append(struct buffer *to, const struct brief_aim *aim, const struct cause *cause);

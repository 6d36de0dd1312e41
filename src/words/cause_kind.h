/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of causes, a row each: the name, the members that other kinds lack, in the order of
 * JSON, and the ones that identify a cause among others of its kind. A new member takes a line in
 * union cause_members (ftwait/cause.h), one in the row's list, and the tracker that fills it; also
 * one in `identity` if chains and graphs are to keep causes apart that differ in it.
 */
#pragma once

#include <stddef.h>

#include "base/buffer.h"
#include "ftwait/cause.h"

/* How a member is stored and written. The first ones belong to the cause itself, not to its
   members. */
enum member_type {
	MEMBER_TITLE,      /* the cause's name, with another key */
	MEMBER_WAKER,
	MEMBER_ORIGINATOR,
	MEMBER_WHAT,       /* the memory operation it was part of */
	MEMBER_U16,
	MEMBER_U32,
	MEMBER_U64,
	MEMBER_INDEX,      /* int32_t; below 0: not known */
	MEMBER_BOOL,
	MEMBER_STRING,     /* id in the cause's names */
	MEMBER_TIME,       /* uint32_t, ns; TIME_UNKNOWN */
	MEMBER_DEVICE,     /* uint32_t, major << 20 | minor; 0: not known */
	MEMBER_ADDRESS,    /* uint64_t; 0: not known. A string: readers that keep numbers as doubles
	                      would merge neighbours */
	MEMBER_CALL,       /* uint8_t, enum sleep_call: its name */
	MEMBER_CALL_WHAT,  /* the same: what it is for */
	MEMBER_LIMIT,      /* uint8_t, enum cpu_limit: its name */
	MEMBER_TYPE_COUNT,
};

struct cause_member {
	const char *key;     /* in JSON */
	enum member_type type;
	size_t offset;       /* in union cause_members */
	/* whether it is known, if its value does not show that; NULL: the value does */
	bool (*is_known)(const struct cause *cause);
	const char *words;   /* MEMBER_BOOL: written behind the cause's name if true */
};

enum name_use {
	NAME_IDENTIFIES, /* it identifies the cause among others of its kind */
	NAME_BESIDE,     /* it is only written */
	NAME_HIDDEN,     /* it is not even written */
};

#define CAUSE_MEMBERS_MAX 12

struct cause_kind_row {
	const char *name; /* as in JSON */
	const char *word; /* in a sentence */
	/* written behind the word; NULL: the name, if there is one */
	void (*text)(struct buffer *to, const struct cause *cause);
	/* written behind `name` if only the object is meant; NULL: the name */
	void (*object)(struct buffer *to, const struct cause *cause);
	enum name_use name_use;
	/* All bits of what identifies it among others of its kind; these members are 0 if not
	   known. */
	union cause_members identity;
	struct cause_member member[CAUSE_MEMBERS_MAX]; /* in the order of JSON; key NULL: the end */
};

extern const struct cause_kind_row cause_kinds[CAUSE_KIND_COUNT];

static inline const void *cause_member_at(const struct cause *cause,
                                          const struct cause_member *member)
{
	return (const char *)&cause->as + member->offset;
}

/* Whether JSON of that kind has a member of that type. */
bool cause_kind_has(enum cause_kind kind, enum member_type type);

/* Parts of the words, with a leading space if there are any. " eth0"; nothing for NULL: */
void name_append(struct buffer *to, const char *name);
/* The originator between two strings; nothing without one. */
void originator_append(struct buffer *to, const struct cause *cause, const char *before,
                       const char *after);
/* " for memory reclaim": the operation that the wait was part of, whatever ended it; " (for data
   from a pipe)": what the task slept for. */
void purpose_append(struct buffer *to, const struct cause *cause);
/* " held back by an I/O limit": the words of those members of the kind that are true. */
void member_words_append(struct buffer *to, const struct cause *cause);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of causes, a row each: how one is called, what it says that others do not, in which
 * order JSON tells that, and what tells it from others of its kind. A new member takes a line in
 * union cause_members (ftwait/cause.h), one in the row's list, and the tracker that fills it; it
 * needs one in `identity` if chains and graphs are to keep causes apart that differ in it, and
 * cause_phrases.c has the words of those that have their own.
 */
#pragma once

#include <stddef.h>

#include "base/buffer.h"
#include "ftwait/cause.h"

/* How a member is kept, and told. The first ones are of the cause itself, not of its members. */
enum member_type {
	MEMBER_TITLE,      /* the cause's name, by another key */
	MEMBER_WAKER,
	MEMBER_ORIGINATOR,
	MEMBER_WHAT,       /* what memory it was part of */
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
	/* whether it is known, where its value does not tell; NULL: the value does */
	bool (*is_known)(const struct cause *cause);
	const char *words;   /* MEMBER_BOOL: what is said behind the cause's name if it is so */
};

enum name_use {
	NAME_TELLS,  /* it tells the cause from others of its kind */
	NAME_BESIDE, /* it is only said */
	NAME_HIDDEN, /* not even that */
};

#define CAUSE_MEMBERS_MAX 12

struct cause_kind_row {
	const char *name; /* as JSON has it */
	const char *word; /* in a sentence */
	/* what is said after the word; NULL: the name, if it is told */
	void (*text)(struct buffer *to, const struct cause *cause);
	/* what is said after `name` where only the object is meant; NULL: the name */
	void (*object)(struct buffer *to, const struct cause *cause);
	enum name_use name_use;
	/* All bits of what tells it from others of its kind; these members are 0 if not known. */
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
/* A string among the members; NULL: none. */
const char *cause_string(const struct cause *cause, uint32_t id);

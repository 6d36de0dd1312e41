/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of causes. Each has a row with its name, what pictures draw for it, the groups of
 * events that show it, the members that other kinds lack, in the order of JSON, and the members
 * that identify a cause among others of its kind. A new member takes a line in union cause_members
 * (ftwait/cause.h), a line in the row's list, and the tracker that fills it in; it also takes a
 * line in `identity` if chains and graphs must keep causes apart that differ in it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text/buffer.h"
#include "ftwait/aim.h"
#include "ftwait/event.h"

/* How a member is stored and written. The first types are of members of the cause itself, not of
   union cause_members. */
enum member_type {
	MEMBER_TITLE,      /* the cause's name under another key */
	MEMBER_WAKER,
	MEMBER_ORIGINATOR,
	MEMBER_WHAT,       /* the memory operation that it was part of */
	MEMBER_DISK,       /* the name of the block device that another member has the numbers of */
	MEMBER_U16,
	MEMBER_U32,
	MEMBER_U64,
	MEMBER_INDEX,      /* int32_t; below 0: not known */
	MEMBER_BOOL,
	MEMBER_STRING,     /* id in the cause's names */
	MEMBER_TIME,       /* uint32_t, ns; TIME_UNKNOWN */
	MEMBER_DEVICE,     /* uint32_t, major << 20 | minor; 0: not known */
	MEMBER_ADDRESS,    /* uint64_t; 0: not known. It is written as a string, as readers that
	                      keep numbers as doubles would merge neighbours */
	MEMBER_CALL,       /* uint8_t, enum sleep_call: its name */
	MEMBER_CALL_WHAT,  /* the same, but its purpose is written */
	MEMBER_LIMIT,      /* uint8_t, enum cpu_limit: its name */
	MEMBER_TYPE_COUNT,
};

struct cause_member {
	const char *key;     /* in JSON */
	enum member_type type;
	size_t offset;       /* in union cause_members */
	/* whether the member is known; NULL: its value shows that */
	bool (*is_known)(const struct cause *cause);
	bool is_rare;        /* its key is absent where it is not known, instead of null */
	const char *words;   /* MEMBER_BOOL: written behind the cause's name if true */
};

enum name_use {
	NAME_IDENTIFIES, /* the name identifies the cause among others of its kind */
	NAME_BESIDE,     /* the name is only written */
	NAME_HIDDEN,     /* the name is not written either */
};

/* What of a cause says where a wake-up came from. */
enum cause_source {
	SOURCE_NAME = 1 << 0,
	SOURCE_ORIGINATOR = 1 << 1,
	SOURCE_WAKER = 1 << 2,
};

#define CAUSE_MEMBERS_MAX 15

/* A group of events that shows waits for a cause. Any of the kinds proves that it was recorded. */
struct showing_group {
	const char *name; /* in the catalog */
	const uint8_t *kinds;
};

#define SHOWING_GROUPS_MAX 2

/* How pictures over time draw a wait for it. */
struct cause_look {
	const char *class; /* in pages: src/html/classes.js */
	char letter;       /* in text */
	const char *color; /* of that: parameters of the escape sequence (SGR) */
};

struct cause_kind_row {
	const char *name; /* as in JSON */
	const char *word; /* in a sentence */
	const char *words; /* for people, in place of the name; NULL: the name */
	struct cause_look look;
	unsigned source; /* enum cause_source */
	const char *view; /* with more details of waits for it; NULL: none */
	/* written behind the word; NULL: the name, if there is one */
	void (*text)(struct buffer *to, const struct cause *cause);
	/* written behind `name` if only the object is meant; NULL: the cause's name */
	void (*object)(struct buffer *to, const struct cause *cause);
	enum name_use name_use;
	/* Each of these groups shows waits that the others do not; name NULL: the end. None: the
	   group sched shows them, without which there are no waits. */
	struct showing_group shown_by[SHOWING_GROUPS_MAX];
	bool holds_up;  /* a program that waits for it surely has something to do; of a lock that
	                   depends on more than the cause */
	enum aim_kind aim; /* what each wait for it is for; AIM_NONE: that depends on more */
	bool is_no_end; /* it ends no wait: it is a part of a path, or why a runnable task does not
	                   run */
	/* A mask of the members that identify a cause among others of its kind, with all their bits
	   set; members that are not known are 0. */
	union cause_members identity;
	struct cause_member member[CAUSE_MEMBERS_MAX]; /* in the order of JSON; key NULL: the end */
};

extern const struct cause_kind_row cause_kinds[CAUSE_KIND_COUNT];

static inline const void *cause_member_at(const struct cause *cause,
                                          const struct cause_member *member)
{
	return (const char *)&cause->as + member->offset;
}

static inline bool cause_ends_waits(enum cause_kind kind)
{
	return !cause_kinds[kind].is_no_end;
}

/* Whether JSON of that kind has a member of that type. */
bool cause_kind_has(enum cause_kind kind, enum member_type type);

/* Whether the kernel does it for reasons that no task shows. */
bool cause_kind_is_of_kernel(enum cause_kind kind);
/* What is said of a cause of the kind unknown. */
const char *unknown_words(const struct cause *cause);

/* These append parts of the words, with a leading space if they append anything. " eth0"; nothing
   for NULL: */
void name_append(struct buffer *to, const char *name);
/* Appends the originator between two strings; appends nothing if there is none. */
void originator_append(struct buffer *to, const struct cause *cause, const char *before,
                       const char *after);
/* Appends the operation that the wait was part of, whatever ended it: " for memory reclaim"; or
   what the task slept for: " (for data from a pipe)". */
void purpose_append(struct buffer *to, const struct cause *cause);
/* Whether the wait had a purpose that no other words show; appends that purpose between two
   strings: "for data from a pipe", "flock on /var/lib/x/lock". */
bool cause_has_remark(const struct cause *cause);
void remark_append(struct buffer *to, const struct cause *cause, const char *before,
                   const char *after);
/* Appends the words of the members that are true: " held back by an I/O limit". */
void member_words_append(struct buffer *to, const struct cause *cause);

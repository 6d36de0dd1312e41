/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small strict JSON reader (RFC 8259) for tests: the whole text becomes a tree. Integers of 64
 * bits are kept exactly. Depth is limited to JSON_DEPTH_MAX. The tree owns everything.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"

#define JSON_DEPTH_MAX 64

enum json_type {
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_TEXT,
	JSON_ARRAY,
	JSON_OBJECT,
};

struct json {
	enum json_type type;
	bool boolean;
	uint64_t number;   /* magnitude of an integer */
	bool is_negative;
	bool is_integer;
	double real;       /* of every number */
	char *text;        /* text: UTF-8; number: as written */
	char *key;         /* as a member of an object */
	struct json *item; /* first element or member */
	struct json *next; /* in the array or object it is in */
};

/* -EINVAL with "at byte N: ..." in `why`. */
int json_parse(const char *text, size_t length, struct json **ret, struct buffer *why);
/* Accepts NULL; returns NULL. */
struct json *json_free(struct json *json);
/* A member by its path, "health.open_waits", "waits.0.task": of an array by its index. NULL where
   there is none, or where json is NULL. */
const struct json *json_find(const struct json *json, const char *path);
size_t json_count(const struct json *json);
/* 0 where it is no unsigned integer. */
uint64_t json_u64(const struct json *json);
/* "" where it is no text. */
const char *json_text(const struct json *json);

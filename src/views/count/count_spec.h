/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a user wants to count: "block_rq_issue,by=task,sum=bytes,per=1s". Knows texts only. */
#pragma once

#include <stdbool.h>

#include "base/text/buffer.h"
#include "ftwait/nsec.h"

struct count_spec {
	char *event; /* a glob; owned, as the others are */
	char *by;    /* what events are told apart by; "event" unless it is given */
	char *sum;   /* a field; NULL: none */
	nsec_t per;  /* 0: not over time */
};

/* If the text is none, returns false and appends a phrase to `why`; *ret is to be released
   anyway. */
bool count_spec_read(const char *text, struct count_spec *ret, struct buffer *why);
void count_spec_release(struct count_spec *spec);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wake-ups of one CPU in the compact form, a column for each member. All zero: empty.
 */
#pragma once

#include "ftwait/event.h"
#include "ftwait/nsec.h"
#include "proto_writer.h"

struct perfetto_wakings {
	struct proto_writer time, tid, cpu, prio, comm, flags, strings;
	uint32_t string_count;
	uint32_t last_comm; /* index of the string that was added last + 1 */
	char last_text[16];
	nsec_t last; /* time of the last one */
};

void perfetto_wakings_release(struct perfetto_wakings *wakings);
void perfetto_wakings_clear(struct perfetto_wakings *wakings);
/* Not earlier than the last one. */
void perfetto_wakings_add(struct perfetto_wakings *wakings, const struct event *event);
/* Adds them to the current bundle, if there are any. */
void perfetto_wakings_put(const struct perfetto_wakings *wakings, struct proto_writer *to);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording as it is loaded for a report: its source, with what else is known of its machines and
 * gives things their names, and what may be spent to read it. The reports of one recording share
 * it, whatever they ask.
 *
 * Order of calls: loaded_init(); the caller sets what it has; then any number of reports borrow it;
 * loaded_release(). What is borrowed must live until then.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ftwait/host.h"
#include "ftwait/host_messages.h"
#include "ftwait/source.h"
#include "kernel_map.h"
#include "user_frames.h"

struct loaded {
	struct source *source; /* borrowed */
	struct host host[HOSTS_MAX]; /* the machines of a source that joins several */
	/* Name functions of programs, one for each machine; owned; NULL: they are not named. */
	struct user_frames *users[HOSTS_MAX];
	/* Symbols instead of those of the source, which is of one machine; borrowed. NULL: its
	   own. */
	const struct kernel_map *kernel;
	const struct host_messages *messages; /* between the machines; borrowed; NULL: none known */
	/* 1: no second thread; 2 or more: a second thread reads ahead; 0: the engine decides */
	uint64_t threads;
	size_t history_bytes; /* size of the history for views that do not need all of it; 0:
	                         according to this machine's memory */
};

void loaded_init(struct loaded *loaded, struct source *source);
void loaded_release(struct loaded *loaded);
/* The machines; none of a single recording. */
struct hosts loaded_hosts(struct loaded *loaded);

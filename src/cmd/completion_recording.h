/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values that come from a recording or /proc: tasks and CPUs. */
#pragma once

#include "candidate_list.h"
#include "completion_request.h"
#include "ftwait/source.h"

/* The recording, without its events; NULL: it is none. `path` NULL: the file that report reads by
   default. */
struct source *completion_recording_open(const char *path);
void completion_recording_closep(struct source **source);

void candidates_add_tids(const struct completion_request *request, struct candidate_list *to);
void candidates_add_pids(const struct completion_request *request, struct candidate_list *to);
void candidates_add_comms(const struct completion_request *request, struct candidate_list *to);
void candidates_add_tasks(const struct completion_request *request, struct candidate_list *to);
void candidates_add_cpus(const struct completion_request *request, struct candidate_list *to);
void candidates_add_processes(const struct completion_request *request,
                              struct candidate_list *to);

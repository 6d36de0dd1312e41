/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of completion_values.h that uses a recording or /proc: tasks and CPUs.
 */
#pragma once

#include "completion_values.h"
#include "ftwait/source.h"

/* Adds it if it begins as the list requires. `about` may be NULL, and is copied. */
void candidate_add(struct candidate_list *list, const char *text, const char *about);

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

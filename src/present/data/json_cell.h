/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cells and causes as JSON values; the forms are described in ftwait-json(5). Each call
 * writes exactly one value.
 */
#pragma once

#include "ftwait/report.h"
#include "json_writer.h"

void json_cell(struct json_writer *json, const struct cell *cell);
/* The members of a row, into an object that has begun: the columns that are for data. */
void json_row_members(struct json_writer *json, const struct column *columns, size_t count,
                      const struct cell *cells);
/* The member "labels": an object. */
void json_labels(struct json_writer *json, const struct label *labels, size_t count);
/* NULL becomes null. */
void json_task(struct json_writer *json, const struct task *task);
void json_member_task(struct json_writer *json, const char *key, const struct task *task);
void json_cause(struct json_writer *json, const struct cause *cause);
/* One of no known kind becomes null. */
void json_brief_aim(struct json_writer *json, const struct brief_aim *aim);

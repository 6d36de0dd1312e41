/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events that an answer rests on. */
#pragma once

#include "ftwait/fact.h"
#include "present/data/json_writer.h"

/* Puts them as an array, "evidence", and whether it is "inferred", as nothing is cited. The fact
   has the task and the stretch, of which both ends may be one instant. */
void explain_evidence_put(struct json_writer *json, const struct fact *fact);

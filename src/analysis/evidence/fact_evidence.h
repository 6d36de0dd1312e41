/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sentence is about, for its evidence (evidence.h): the wait that it names; else the longest
 * part of the stretch that it is about, or of what its task did, of the kind that its view is
 * about; of a chain without a task, of the path of the task that is asked for. Others, as sums of
 * things that are no waits, have none.
 */
#pragma once

#include "analysis/task_index.h"
#include "evidence.h"

struct fact_prover {
	const struct question *question; /* borrowed; resolved, and it has evidence */
	struct task_index tasks;
};

void fact_prover_init(struct fact_prover *prover, const struct question *question);
void fact_prover_release(struct fact_prover *prover);
/* Finds the evidence of a sentence. This is the function for presenter_options.prove; `prover` is a
   struct fact_prover. */
struct evidence_found fact_prove(void *prover, const struct fact *fact);

/* The longest wait of the track itself that begins in [begin, end), or goes on then. */
struct evidence_claim evidence_longest_wait(const struct timeline *timeline, uint32_t track,
                                            nsec_t begin, nsec_t end);
/* The longest stretch of the path of [begin, end) of the track, which stands for it. */
struct evidence_claim evidence_longest(struct timeline *timeline, uint32_t track, nsec_t begin,
                                       nsec_t end);

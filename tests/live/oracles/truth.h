/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an oracle knows of its own waits, printed at its end in the words that truth_check reads:
 *
 *	wait tid=N begin=NS end=NS least=NS kind=K[|K...] [waker=N] [not_waker=N] [own=BOOL]
 *		N waited at least `least` ns between begin and end, for that
 *	path tid=N begin=NS end=NS least=NS [of=N] [state=S[|S...]] [kind=K[|K...]]
 *		of N's critical path between begin and end at least `least` ns are such parts
 *
 * Times are CLOCK_MONOTONIC, the clock of `ftwait record`. Facts are kept in memory until
 * truth_print(), so that telling them causes no waits. Oracles exit with 77 and a reason on
 * standard error where the machine cannot do what they need.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define TRUTH_ROUNDS   20
#define TRUTH_PAUSE_NS 5000000u

uint64_t truth_now(void);
int truth_tid(void);
void truth_sleep(uint64_t duration);
/* Keeps the CPU busy. */
void truth_spin(uint64_t duration);
/* Pins the calling thread; false where that CPU may not be used. */
bool truth_pin(unsigned cpu);
void truth_add(const char *format, ...) __attribute__((format(printf, 1, 2)));
/*
 * How much of [begin, end) is surely what the oracle says, on a busy machine: half of it. 0 where
 * so little passed (the other side had been running all along) that nothing is sure.
 */
uint64_t truth_least(uint64_t begin, uint64_t end);
/* Prints all facts; returns the exit status. */
int truth_print(void);
_Noreturn void truth_skip(const char *why);
/* Ends the oracle with status 1 where a call that must work has failed. */
void truth_must(bool is_fine, const char *what);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task that sleeps: a timer that it armed itself.
 */
#include "truth.h"

int main(void)
{
	for (int i = 0; i < TRUTH_ROUNDS; i++) {
		uint64_t begin = truth_now();

		truth_sleep(TRUTH_PAUSE_NS);
		truth_add("wait tid=%d begin=%ju end=%ju least=%u kind=timer own=true\n",
		          truth_tid(), begin, truth_now(), TRUTH_PAUSE_NS / 10 * 9);
	}
	return truth_print();
}

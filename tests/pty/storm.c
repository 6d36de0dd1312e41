/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "storm.h"

#include <string.h>

#include "property/random.h"

#define KEYS_PER_SIZE   50
#define KEYS_PER_PAUSE  40 /* in a pause a report may come */
#define PAUSE_MS        80
#define COLUMNS_MOST    220
#define ROWS_MOST       60

static const char *const keys[] = {
	"\033[A", "\033[B", "\033[B", "\033[B", "\033OB", "\033[C", "\033[D", "\033[5~", "\033[6~",
	"\033[H", "\033[F", "\r", "\r", "\r", "u", "\x7f", "n", "p", "t", "e", "c", "l", "g", "v", "w",
	"s", "a", "y", "?", "\x0c", "j", "k", " ", "/", "/\r",
	/* a name of a file is never typed */
	"o\r", "D\r",
	"\033", "\033[999;999~", "\033[M", "\033]0;x\a", "\033[200~", "\x80", "\xff", "\xc3\xa9", "\t",
	"0", "9", "A", "z", "-", "x",
};

static void size_change(struct pty_job *job, struct random *random)
{
	size_t rows = 1 + random_below(random, ROWS_MOST);
	size_t columns = 1 + random_below(random, COLUMNS_MOST);

	if (random_chance(random, 20))
		rows = columns = 1 + random_below(random, 3);
	(void)pty_job_resize(job, rows, columns);
}

void storm_blow(struct pty_job *job, uint64_t seed, unsigned count)
{
	struct random random = {.state = seed};

	for (unsigned i = 0; i < count && !job->has_status; i++) {
		const char *key = keys[random_below(&random, sizeof(keys) / sizeof(*keys))];

		if (i % KEYS_PER_SIZE == 0)
			size_change(job, &random);
		(void)pty_job_type(job, key, strlen(key));
		pty_job_take(job, i % KEYS_PER_PAUSE ? random_below(&random, 3) : PAUSE_MS);
	}
}

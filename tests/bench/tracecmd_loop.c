/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracecmd_loop FILE: goes through all events by libtracecmd and does nothing with them but read
 * four fields of each switch: what any tool that is built on it takes at least.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <trace-cmd.h>

static const char *const names[] = {"prev_pid", "next_pid", "prev_state", "next_prio"};

#define FIELDS (sizeof(names) / sizeof(names[0]))

struct sums {
	struct tep_format_field *field[FIELDS];
	int switch_id;
	uint64_t events, sum;
};

static int on_event(struct tracecmd_input *handle, struct tep_record *record, int cpu, void *data)
{
	struct sums *sums = data;
	struct tep_handle *tep = tracecmd_get_tep(handle);

	(void)cpu;
	sums->events++;
	if (tep_data_type(tep, record) != sums->switch_id)
		return 0;
	for (size_t i = 0; i < FIELDS; i++) {
		unsigned long long value = 0;

		if (sums->field[i] &&
		    tep_read_number_field(sums->field[i], record->data, &value) == 0)
			sums->sum += value;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct tracecmd_input *handle = argc == 2 ? tracecmd_open(argv[1], 0) : NULL;
	struct sums sums = {.switch_id = -1};
	struct tep_event *event;

	if (!handle) {
		(void)fputs("tracecmd_loop FILE\n", stderr);
		return EXIT_FAILURE;
	}
	event = tep_find_event_by_name(tracecmd_get_tep(handle), "sched", "sched_switch");
	if (event)
		sums.switch_id = event->id;
	for (size_t i = 0; event && i < FIELDS; i++)
		sums.field[i] = tep_find_field(event, names[i]);
	(void)tracecmd_iterate_events(handle, NULL, 0, on_event, &sums);
	printf("%" PRIu64 " events, %" PRIu64 "\n", sums.events, sums.sum);
	tracecmd_close(handle);
	return EXIT_SUCCESS;
}

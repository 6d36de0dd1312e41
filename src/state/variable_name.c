/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "variable_name.h"

#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "words/cause/futex_kind.h"

/* Looks the address up, and keeps what was found, even if it was nothing. */
static const struct user_variable *variable_look_up(const struct machine *machine, int32_t tgid,
                                                    nsec_t time, uint64_t address)
{
	struct timeline *timeline = machine->timeline;
	struct user_variable found = {
		.address = address,
		.tgid = machine_process_id(machine, tgid),
	};
	_cleanup_(buffer_release) struct buffer text = {0};
	size_t prefix = sizeof(FUTEX_NAME_PREFIX) - 1;

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	buffer_puts(&text, FUTEX_NAME_PREFIX);
	if (machine->setup.user_variable(machine->setup.users, tgid, time, address, &text)) {
		found.name = intern_adds(&timeline->names, text.text + prefix);
		found.futex = intern_adds(&timeline->names, text.text);
	}
	return user_variables_add(&timeline->variables, &found);
}

const struct user_variable *variable_of_track(const struct machine *machine, uint32_t track,
                                              nsec_t time, uint64_t address)
{
	const struct track *sleeper = &machine->timeline->track[track];
	/* if the process is not known, the task is most often its first thread */
	int32_t tgid = sleeper->tgid > 0 ? sleeper->tgid : sleeper->tid;
	const struct user_variable *known;

	if (!machine->setup.user_variable || address == 0)
		return NULL;
	known = user_variables_find(&machine->timeline->variables,
	                            machine_process_id(machine, tgid), address);
	return known ? known : variable_look_up(machine, tgid, time, address);
}

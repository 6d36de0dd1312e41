/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contacts.h"

void contacts_init(struct contacts *contacts)
{
	map_init(&contacts->first);
}

void contacts_release(struct contacts *contacts)
{
	map_release(&contacts->first);
}

void contacts_forget(struct contacts *contacts, nsec_t now)
{
	map_clear(&contacts->first);
	contacts->count = 0;
	contacts->since = now;
}

static uint64_t pair_key(uint32_t a, uint32_t b)
{
	return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static bool process_began_since(const struct contacts *contacts, const struct machine *machine,
                                uint32_t leader)
{
	nsec_t born = machine->timeline->line[leader].born;

	return born != NSEC_NEVER && born >= contacts->since;
}

void contacts_note(struct contacts *contacts, const struct machine *machine, uint32_t line,
                   uint32_t waker)
{
	uint32_t process = machine_leader(machine, line), other = machine_leader(machine, waker);
	uint64_t key = pair_key(process, other);

	if (process == other || contacts->count >= CONTACTS_MAX ||
	    (!process_began_since(contacts, machine, process) &&
	     !process_began_since(contacts, machine, other)) ||
	    map_get(&contacts->first, key) != MAP_NONE)
		return;
	map_put(&contacts->first, key, other);
	contacts->count++;
}

bool contacts_is_caller(const struct contacts *contacts, const struct machine *machine,
                        uint32_t caller, uint32_t line)
{
	uint32_t process = machine_leader(machine, caller);
	uint32_t other = machine_leader(machine, line);

	return map_get(&contacts->first, pair_key(process, other)) == process;
}

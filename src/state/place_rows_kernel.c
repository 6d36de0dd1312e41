/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the kernel's own threads sleep, its delays, and the freezer. */
#include "place_rows.h"

#include "base/array.h"

static const struct place_row rows[] = {
	{"worker_thread", 1, .is_for_work = true},
	{"rescuer_thread", 1, .is_for_work = true},
	{"kthread_worker_fn", 1, .is_for_work = true},
	{"smpboot_thread_fn", 1, .is_for_work = true},
	{"irq_thread", 1, .is_for_work = true},
	{"io_wq_worker", 1, .is_for_work = true},
	{"kjournald2", 1, .is_for_work = true},
	{"msleep", 0, .call = CALL_MSLEEP},
	{"msleep_interruptible", 0, .call = CALL_MSLEEP},
	{"usleep_range", 0, .call = CALL_MSLEEP},
	{"usleep_range_state", 0, .call = CALL_MSLEEP},
	{"do_freezer_trap", 0, .is_frozen = true},
	{"get_signal", 0, .is_frozen = true},
	{"__refrigerator", 0, .is_frozen = true},
};

const struct place_group place_rows_kernel = {rows, ARRAY_SIZE(rows)};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cpu_weight.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/xalloc.h"
#include "control_group.h"
#include "recorder/machine/text_file.h"

#define GROUPS_BYTES  (64u << 10)
#define VALUE_BYTES   4096
#define PATH_BYTES    64
#define WEIGHT_USUAL  100u  /* cpu.weight */
#define SHARES_USUAL  1024u /* cpu.shares */
#define WEIGHT_IDLE   3u    /* of SCHED_IDLE, where nice 0 has 1024 */

#ifndef SCHED_IDLE
#define SCHED_IDLE 5
#endif

void cpu_weight_init(struct cpu_weight *weight)
{
	*weight = (struct cpu_weight){.per_mille = CPU_WEIGHT_USUAL};
}

void cpu_weight_release(struct cpu_weight *weight)
{
	free(weight->by);
	cpu_weight_init(weight);
}

static void weight_take(struct cpu_weight *weight, uint64_t value, uint64_t usual, const char *by)
{
	uint64_t per_mille = (value * CPU_WEIGHT_USUAL + usual / 2) / usual;

	if (per_mille >= weight->per_mille)
		return;
	weight->per_mille = (uint32_t)per_mille;
	free(weight->by);
	weight->by = xstrdup(by);
}

/* The number in the file of the folder; false: there is none. */
static bool number_read(const char *folder, const char *file, uint64_t *ret)
{
	_cleanup_(buffer_release) struct buffer text = {0};

	buffer_init(&text, VALUE_BYTES);
	return text_file_read_at(folder, file, &text) == 0 &&
	       sscanf(text.text, "%" SCNu64, ret) == 1 && *ret < UINT32_MAX;
}

static void weight_take_group(void *state, const char *folder, bool is_v1)
{
	uint64_t value;

	if (!is_v1 && number_read(folder, "cpu.idle", &value) && value)
		weight_take(state, WEIGHT_IDLE, SHARES_USUAL, folder);
	else if (number_read(folder, is_v1 ? "cpu.shares" : "cpu.weight", &value))
		weight_take(state, value, is_v1 ? SHARES_USUAL : WEIGHT_USUAL, folder);
}

void cpu_weight_find(struct cpu_weight *weight, const char *groups, const char *mounts)
{
	control_group_each_cpu(groups, mounts, weight_take_group, weight);
}

void cpu_weight_look(struct cpu_weight *weight, pid_t pid, const char *mounts)
{
	_cleanup_(buffer_release) struct buffer groups = {0};
	char path[PATH_BYTES];

	buffer_init(&groups, GROUPS_BYTES);
	(void)snprintf(path, sizeof(path), "/proc/%d/cgroup", (int)pid);
	if (text_file_read(path, &groups) == 0)
		cpu_weight_find(weight, groups.text, mounts);
	if (sched_getscheduler(pid) == SCHED_IDLE)
		weight_take(weight, WEIGHT_IDLE, SHARES_USUAL, "SCHED_IDLE");
}

void cpu_weight_describe(const struct cpu_weight *weight, struct buffer *to)
{
	if (weight->by)
		buffer_printf(to, "cpu-weight %" PRIu32 " %s\n", weight->per_mille, weight->by);
}

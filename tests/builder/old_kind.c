/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "old_kind.h"

#include <stdio.h>
#include <string.h>

#include "base/data/array.h"

/* Up to 4.13 a state is the task's own, without the bits of its exit. */
#define SWITCH_FIELDS                                                                      \
	"char prev_comm[16]; pid_t prev_pid; int prev_prio; long prev_state; "             \
	"char next_comm[16]; pid_t next_pid; int next_prio;"
#define SWITCH_PRINT(preempted, more)                                                      \
	"\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s "        \
	"next_pid=%d next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, "      \
	"REC->prev_state & (" preempted "-1) ? __print_flags(REC->prev_state & (" preempted \
	"-1), \"|\", { 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, "              \
	"{ 16, \"Z\" }, { 32, \"X\" }, { 64, \"x\" }, { 128, \"K\" }, { 256, \"W\" }, "      \
	"{ 512, \"P\" }" more ") : \"R\", REC->prev_state & " preempted " ? \"+\" : \"\", "  \
	"REC->next_comm, REC->next_pid, REC->next_prio"
#define WAKE_FIELDS "char comm[16]; pid_t pid; int prio; int success; int target_cpu;"
#define WAKE_OLD_PRINT                                                                     \
	"\"comm=%s pid=%d prio=%d success=%d target_cpu=%03d\", REC->comm, REC->pid, "      \
	"REC->prio, REC->success, REC->target_cpu"
#define WAKE_PRINT                                                                         \
	"\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, REC->prio, "     \
	"REC->target_cpu"
#define DEV_PRINT                                                                          \
	"((unsigned int) ((REC->dev) >> 20)), ((unsigned int) ((REC->dev) & ((1U << 20) - 1)))"
#define RQ_END_FIELDS                                                                      \
	"dev_t dev; sector_t sector; unsigned int nr_sector; int errors; char rwbs[8]; "   \
	"__data_loc char[] cmd;"
#define RQ_END_PRINT                                                                       \
	"\"%d,%d %s (%s) %llu + %u [%d]\", " DEV_PRINT ", REC->rwbs, __get_str(cmd), "      \
	"(unsigned long long)REC->sector, REC->nr_sector, REC->errors"

struct release {
	unsigned major, minor;
};

/* What kernels before `until` have, the oldest first; without fields: they have no such event. The
   lookups of routes are left out: they lack what is read, so that they are not recorded. */
static const struct {
	struct release until;
	struct kernel_event kind;
} old_kinds[] = {
	{{4, 2}, {"sched", "sched_switch", 319, SWITCH_FIELDS, SWITCH_PRINT("1024", ""),
	          {"@prev_", "@next_"}}},
	{{4, 8}, {"sched", "sched_switch", 319, SWITCH_FIELDS,
	          SWITCH_PRINT("2048", ", { 1024, \"N\" }"), {"@prev_", "@next_"}}},
	{{4, 14}, {"sched", "sched_switch", 319, SWITCH_FIELDS,
	           SWITCH_PRINT("4096", ", { 1024, \"N\" }"), {"@prev_", "@next_"}}},
	{{4, 3}, {.system = "sched", .name = "sched_waking"}},
	{{5, 11}, {"sched", "sched_waking", 322, WAKE_FIELDS, WAKE_PRINT, {"@", "target_cpu"}}},
	{{4, 3}, {"sched", "sched_wakeup", 321, WAKE_FIELDS, WAKE_OLD_PRINT,
	          {"@", "target_cpu"}}},
	{{5, 11}, {"sched", "sched_wakeup", 321, WAKE_FIELDS, WAKE_PRINT, {"@", "target_cpu"}}},
	{{4, 3}, {"sched", "sched_wakeup_new", 320, WAKE_FIELDS, WAKE_OLD_PRINT,
	          {"@", "target_cpu"}}},
	{{5, 11}, {"sched", "sched_wakeup_new", 320, WAKE_FIELDS, WAKE_PRINT,
	           {"@", "target_cpu"}}},
	{{4, 12}, {"block", "block_rq_complete", 1064, RQ_END_FIELDS, RQ_END_PRINT,
	           {"%dev", "+", "rwbs"}}},
	{{4, 12}, {"block", "block_rq_requeue", 1063, RQ_END_FIELDS, RQ_END_PRINT,
	           {"%dev", "+", "rwbs"}}},
	{{4, 16}, {"timer", "hrtimer_start", 379,
	           "void * hrtimer; void * function; s64 expires; s64 softexpires;",
	           "\"hrtimer=%p function=%pf expires=%llu softexpires=%llu\", REC->hrtimer, "
	           "REC->function, REC->expires, REC->softexpires",
	           {"hrtimer", "function", "expires", "softexpires"}}},
	{{5, 11}, {"timer", "hrtimer_start", 379,
	           "void * hrtimer; void * function; s64 expires; s64 softexpires; "
	           "enum hrtimer_mode mode;",
	           "\"hrtimer=%p function=%ps expires=%llu softexpires=%llu mode=%d\", "
	           "REC->hrtimer, REC->function, REC->expires, REC->softexpires, REC->mode",
	           {"hrtimer", "function", "expires", "softexpires", "mode"}}},
	{{4, 2}, {"timer", "timer_start", 384,
	          "void * timer; void * function; unsigned long expires; unsigned long now;",
	          "\"timer=%p function=%pf expires=%lu [timeout=%ld]\", REC->timer, "
	          "REC->function, REC->expires, (long)REC->expires - REC->now",
	          {"timer", "function", "expires"}}},
	{{5, 2}, {"timer", "timer_expire_entry", 383,
	          "void * timer; unsigned long now; void * function;",
	          "\"timer=%p function=%pf now=%lu\", REC->timer, REC->function, REC->now",
	          {"timer", "function"}}},
	{{5, 11}, {"workqueue", "workqueue_queue_work", 264,
	           "void * work; void * function; void * workqueue; unsigned int req_cpu; "
	           "unsigned int cpu;",
	           "\"work struct=%p function=%pf workqueue=%p req_cpu=%u cpu=%u\", REC->work, "
	           "REC->function, REC->workqueue, REC->req_cpu, REC->cpu",
	           {"work", "function", "workqueue"}}},
	{{5, 0}, {"workqueue", "workqueue_execute_end", 261, "void * work;",
	          "\"work struct %p\", REC->work", {"work"}}},
	{{4, 8}, {"napi", "napi_poll", 1300,
	          "struct napi_struct * napi; __data_loc char[] dev_name;",
	          "\"napi poll on napi struct %p for device %s\", REC->napi, __get_str(dev_name)",
	          {"dev_name"}}},
	{{5, 11}, {"skb", "kfree_skb", 1319,
	           "void * skbaddr; void * location; unsigned short protocol;",
	           "\"skbaddr=%p protocol=%u location=%p\", REC->skbaddr, REC->protocol, "
	           "REC->location",
	           {"location", "protocol"}}},
	{{4, 16}, {.system = "sock", .name = "inet_sock_set_state"}},
	{{4, 13}, {.system = "oom", .name = "mark_victim"}},
	{{5, 11}, {.system = "lock", .name = "contention_begin"}},
	{{5, 11}, {.system = "lock", .name = "contention_end"}},
	{{5, 11}, {.system = "lock", .name = "contended_release"}},
};

static bool release_is_before(const char *text, struct release first)
{
	struct release release;

	return text && sscanf(text, "%u.%u", &release.major, &release.minor) == 2 &&
	       (release.major < first.major ||
	        (release.major == first.major && release.minor < first.minor));
}

const struct kernel_event *old_kind_find(const char *release, const struct kernel_event *kind)
{
	for (size_t i = 0; kind && kind->system && i < ARRAY_SIZE(old_kinds); i++)
		if (strcmp(old_kinds[i].kind.name, kind->name) == 0 &&
		    strcmp(old_kinds[i].kind.system, kind->system) == 0 &&
		    release_is_before(release, old_kinds[i].until))
			return old_kinds[i].kind.fields ? &old_kinds[i].kind : NULL;
	return kind;
}

uint64_t old_kind_state(const char *release, uint64_t state)
{
	uint64_t old = state & 0xf;

	if (!release_is_before(release, (struct release){4, 14}))
		return state;
	if (state & (0x10 | 0x20))
		old |= 64; /* "x": its exit is not part of its state */
	if (state & 0x40)
		old |= 512;
	if (state & 0x80)
		old |= release_is_before(release, (struct release){4, 2}) ? 1 : 2 | 1024;
	if (state & 0x100)
		old |= release_is_before(release, (struct release){4, 2})   ? 1024
		       : release_is_before(release, (struct release){4, 8}) ? 2048
		                                                            : 4096;
	return old;
}

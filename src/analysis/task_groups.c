/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task_groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tables/cells.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/xalloc.h"
#include "sentences/prose.h"
#include "words/command_line.h"
#include "words/kernel/control_group_name.h"
#include "words/task_words.h"

#define GENERATIONS_MAX 64
#define NAME_BYTES_MAX  8192
#define KNOWN_PART      4  /* of the tasks of unknown groups */
#define COMM_BYTES      15 /* of the kernel's name of a task */
#define PID_INIT        1
#define PID_KTHREADD    2

/* What is needed only while the groups are made. */
struct grouping_state {
	struct task_groups *groups;
	const struct question *question;
	struct map parent_of; /* tgid of the parent, by tgid; of the snapshots */
	struct map by_tid;    /* the first track of each tid */
	struct map is_outer;  /* the recorder and its ancestors, by tgid */
};

/* The group that the track was in last within the window; NULL: not known. */
static const struct stay *track_stay(const struct question *question, uint32_t index)
{
	const struct track *track = &question->timeline->track[index];
	nsec_t end = question->resolved->end;

	return timeline_group_at(question->timeline, index,
	                         track->is_open ? end : nsec_min(end, track->end));
}

/* Appends what that process is called: as its first track or, where the kernel has only a part of
   that name or there is no track (MAP_NONE), as the program that it has executed before the trace,
   without its folder. Nothing if that is not known. */
static void process_name_append(const struct timeline *timeline, int32_t pid, uint32_t first,
                                struct buffer *to)
{
	uint32_t text = program_log_older(&timeline->programs, pid);
	const char *at = intern_text(&timeline->names, text), *comm = NULL, *program = NULL;
	_cleanup_(buffer_release) struct buffer word = buffer_of(COMMAND_LINE_TEXT_MAX);
	size_t length = 0;
	bool is_cut;

	if (first != MAP_NONE)
		comm = intern_text(&timeline->names, track_name(&timeline->track[first]));
	if (text && command_line_next(&at, &word, &is_cut) && word.length) {
		program = strrchr(word.text, '/');
		program = program && program[1] ? program + 1 : word.text;
		length = strlen(program);
	}
	/* the kernel keeps the first bytes of a long name, and Android gives it the last ones */
	if (comm && strlen(comm) == COMM_BYTES && length > COMM_BYTES &&
	    (memcmp(program, comm, COMM_BYTES) == 0 ||
	     memcmp(program + length - COMM_BYTES, comm, COMM_BYTES) == 0))
		comm = NULL;
	buffer_puts(to, comm ? comm : program ? program : "");
}

/* Whether the process is one of Android's from which all apps are forked: each of these is for
   itself. */
static bool process_forks_apps(const struct grouping_state *state, int32_t pid)
{
	const struct timeline *timeline = state->question->timeline;
	uint32_t index = map_get(&state->by_tid, (uint32_t)pid);
	uint32_t name = index == MAP_NONE ? program_log_older(&timeline->programs, pid)
	                                  : track_name(&timeline->track[index]);
	const char *text = intern_text(&timeline->names, name);

	return strncmp(text, "zygote", 6) == 0 || strncmp(text, "webview_zygote", 14) == 0;
}

/* The parent of a process; 0: not known, or it belongs to no tree of it. */
static int32_t parent_within(const struct grouping_state *state, int32_t pid)
{
	const struct timeline *timeline = state->question->timeline;
	uint32_t known = map_get(&state->parent_of, (uint32_t)pid);
	uint32_t index = map_get(&state->by_tid, (uint32_t)pid);
	const struct track *track = index == MAP_NONE ? NULL : &timeline->track[index];
	int32_t parent = known == MAP_NONE ? 0 : (int32_t)known, own;

	if (track && track->parent != TRACK_NONE)
		parent = track_process_id(&timeline->track[track->parent]);
	own = hosts_own_id(&timeline->hosts, parent);
	if (own == PID_INIT || own == PID_KTHREADD || parent == pid ||
	    map_get(&state->is_outer, (uint32_t)parent) != MAP_NONE ||
	    (parent > 0 && process_forks_apps(state, parent)))
		return 0;
	return parent;
}

/* The process tree of the track, by its root, and its name. */
static void tree_find(const struct grouping_state *state, uint32_t index, struct task_group *group,
                      struct buffer *name)
{
	const struct timeline *timeline = state->question->timeline;
	int32_t root = track_process_id(&timeline->track[index]), parent;

	for (unsigned i = 0; i < GENERATIONS_MAX; i++) {
		parent = parent_within(state, root);
		if (parent <= 0)
			break;
		root = parent;
	}
	group->kind = GROUP_TREE;
	group->key = UINT64_C(1) << 32 | (uint32_t)root;
	process_name_append(timeline, root, map_get(&state->by_tid, (uint32_t)root), name);
	if (name->length == 0) {
		prose_machine_append(name, timeline, group->machine);
		buffer_puts(name, "process");
	}
	buffer_printf(name, "[%d]", hosts_own_id(&timeline->hosts, root));
}

/* The index of the track's group, which is made if it is new. */
static uint32_t track_group(struct grouping_state *state, uint32_t index)
{
	const struct timeline *timeline = state->question->timeline;
	bool are_trees = state->groups->are_trees;
	const struct stay *stay = are_trees ? NULL : track_stay(state->question, index);
	struct task_group group = {.machine = timeline->track[index].host}, *found;
	_cleanup_(buffer_release) struct buffer name = buffer_of(NAME_BYTES_MAX);
	struct buffer clean;

	if ((!stay || stay->is_root) && track_is_kernel(timeline, index)) {
		group.kind = GROUP_KERNEL;
		buffer_puts(&name, "kernel threads");
	} else if (are_trees) {
		tree_find(state, index, &group, &name);
	} else if (stay) {
		group.kind = GROUP_CGROUP;
		group.path = stay->text;
		control_group_name_append(&name, intern_text(&timeline->names, stay->text));
	} else {
		group.kind = GROUP_UNKNOWN;
		buffer_puts(&name, "not recorded");
	}
	if (!group.key) /* it has no root */
		group.key = (uint64_t)group.machine << 48 |
		            (group.path ? group.path : UINT64_C(1) << 40 | group.kind);
	found = tally_of(&state->groups->groups, group.key);
	if (!found->name) {
		*found = group;
		buffer_init(&clean, NAME_BYTES_MAX);
		if (group.kind != GROUP_TREE) /* that is named by a task, which says the machine */
			prose_machine_append(&clean, timeline, group.machine);
		buffer_puts_clean(&clean, name.text, name.length);
		found->name = clean.text;
	}
	return tally_number(&state->groups->groups, found);
}

/* Whether the control groups of programs are known, and any is in one besides the root. Without a
   snapshot of them, events show only those of tasks that are moved meanwhile. */
static bool trace_has_groups(const struct question *question)
{
	const struct timeline *timeline = question->timeline;
	size_t known = 0, unknown = 0;
	bool has_any = false;

	for (uint32_t i = 0; timeline->groups.stays.count && i < timeline->track_count; i++) {
		const struct stay *stay = track_stay(question, i);

		has_any |= stay && !stay->is_root;
		if (timeline->track[i].is_idle || track_is_kernel(timeline, i))
			continue;
		known += stay != NULL;
		unknown += !stay;
	}
	return has_any && known >= unknown / KNOWN_PART;
}

static void state_init(struct grouping_state *state)
{
	const struct question *question = state->question;
	const struct timeline *timeline = question->timeline;
	int32_t outer = question->recording.recorder;

	map_init(&state->parent_of);
	map_init(&state->by_tid);
	map_init(&state->is_outer);
	EACH_OF(question->recording.processes, question->recording.process_count,
	        const struct known_process, known)
		map_put(&state->parent_of, (uint32_t)known->tgid, (uint32_t)known->parent);
	for (uint32_t i = 0; i < timeline->track_count; i++) {
		uint32_t tid = (uint32_t)track_id(&timeline->track[i]);

		if (!timeline->track[i].is_idle && map_get(&state->by_tid, tid) == MAP_NONE)
			map_put(&state->by_tid, tid, i);
	}
	for (unsigned i = 0; i < GENERATIONS_MAX && outer > 0; i++) {
		uint32_t parent = map_get(&state->parent_of, (uint32_t)outer);

		map_put(&state->is_outer, (uint32_t)outer, 1);
		outer = parent == MAP_NONE ? 0 : (int32_t)parent;
	}
}

/* Notes the processes of what is no control group. */
static void pids_find(struct task_groups *groups, const struct timeline *timeline)
{
	struct buffer *pids = xcalloc(groups->count + 1, sizeof(*pids));
	struct map is_listed;

	map_init(&is_listed);
	for (size_t i = 0; i < groups->count; i++)
		buffer_init(&pids[i], BUFFER_LIMIT_DEFAULT);
	for (uint32_t i = 0; i < timeline->track_count; i++) {
		const struct track *track = &timeline->track[i];
		const char *host = timeline->hosts.count ? timeline->hosts.host[track->host].name
		                                         : "";
		uint32_t group = groups->of_track[i], id = (uint32_t)track_process_id(track);
		struct buffer *to;

		if (group == TASK_GROUP_NONE || groups->group[group].kind == GROUP_CGROUP ||
		    map_get(&is_listed, id) != MAP_NONE)
			continue;
		map_put(&is_listed, id, 1);
		to = &pids[group];
		buffer_puts(to, to->length ? "," : "");
		host_number_append(to, host, track->tgid > 0 ? track->tgid : track->tid);
	}
	for (size_t i = 0; i < groups->count; i++)
		groups->group[i].pids = pids[i].text;
	free(pids);
	map_release(&is_listed);
}

void task_groups_init(struct task_groups *groups, const struct question *question,
                      bool only_cgroups)
{
	const struct timeline *timeline = question->timeline;
	struct grouping_state state = {.groups = groups, .question = question};

	*groups = (struct task_groups){
		.of_track = xcalloc(timeline->track_count, sizeof(*groups->of_track)),
		.track_count = timeline->track_count,
		.are_trees = !only_cgroups && !trace_has_groups(question),
	};
	tally_init(&groups->groups, sizeof(struct task_group), sizeof(uint64_t), TALLY_NO_LIMIT);
	state_init(&state);
	for (uint32_t i = 0; i < timeline->track_count; i++)
		groups->of_track[i] =
			timeline->track[i].is_idle ? TASK_GROUP_NONE : track_group(&state, i);
	pids_find(groups, timeline);
	map_release(&state.parent_of);
	map_release(&state.by_tid);
	map_release(&state.is_outer);
}

void task_groups_release(struct task_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		free(groups->group[i].name);
		free(groups->group[i].pids);
	}
	tally_release(&groups->groups);
	free(groups->of_track);
	*groups = (struct task_groups){0};
}

void task_group_cells(const struct task_groups *groups, const struct timeline *timeline,
                      uint32_t group, struct cell ret[static TASK_GROUP_CELLS])
{
	const struct task_group *of = &groups->group[group];

	ret[0] = (struct cell){.type = CELL_TEXT, .text = of->name};
	ret[1] = of->kind == GROUP_CGROUP ? cell_of_name(timeline, CELL_TEXT, of->path)
	                                  : (struct cell){.type = CELL_EMPTY};
}

struct cell task_group_pids(const struct task_groups *groups, uint32_t group)
{
	const char *pids = groups->group[group].pids;

	return (struct cell){.type = pids ? CELL_TEXT : CELL_EMPTY, .text = pids};
}

#define SHARES_MAX (1u << 17)

struct group_share {
	struct share_key { uint32_t group, by; } key;
	nsec_t total;
};

void group_shares_init(struct group_shares *self, const struct question *question,
                       const struct task_groups *groups, const struct group_stranger *strangers)
{
	*self = (struct group_shares){
		.question = question, .groups = groups, .stranger = strangers};
	tally_init(&self->shares, sizeof(struct group_share), sizeof(struct share_key), SHARES_MAX);
}

void group_shares_release(struct group_shares *self)
{
	tally_release(&self->shares);
}

void group_shares_add(struct group_shares *self, uint32_t group, uint32_t by, nsec_t total)
{
	struct group_share *share =
		total ? tally_row(&self->shares, &(struct share_key){group, by}) : NULL;

	if (share)
		share->total += total;
}

static bool share_is_of(const void *group, const void *share)
{
	return ((const struct group_share *)share)->key.group == *(const uint32_t *)group;
}

/* Of equal shares that of the first group is first. */
static uint64_t by_reversed(const void *share)
{
	return UINT32_MAX - ((const struct group_share *)share)->key.by;
}

static const struct relation_form form = {
	.order = {{RELATION_AT(struct group_share, total)}, {.of = by_reversed}},
	.is_shown = share_is_of,
};

/* What it is, if it is no group. */
static const struct group_stranger *stranger_of(const struct group_shares *self, uint32_t by)
{
	const struct group_stranger *stranger = self->stranger;

	assert(stranger); /* a view without them has groups only */
	while (stranger->by != by && stranger->by != TASK_GROUP_NONE)
		stranger++;
	return stranger;
}

static const struct column columns[] = {
	{"group", "GROUP", CELL_TEXT, 0},
	{"cgroup", "CGROUP", CELL_TEXT, COLUMN_DATA_ONLY},
	{"kind", "KIND", CELL_TEXT, 0},
	{"total_ns", "TOTAL", CELL_DURATION, 0},
};
static const struct column columns_of_groups[] = {
	{"group", "GROUP", CELL_TEXT, 0},
	{"cgroup", "CGROUP", CELL_TEXT, COLUMN_DATA_ONLY},
	{"total_ns", "TOTAL", CELL_DURATION, 0},
};

/* The cells are zeroes, which is CELL_EMPTY. */
static void share_cells(const struct group_shares *self, const struct group_share *share,
                        struct cell *ret)
{
	uint32_t by = share->key.by;

	if (by < self->groups->count)
		task_group_cells(self->groups, self->question->timeline, by, ret);
	ret += TASK_GROUP_CELLS;
	if (self->stranger)
		*ret++ = (struct cell){.type = CELL_TEXT, .text = stranger_of(self, by)->kind};
	*ret = (struct cell){.type = CELL_DURATION, .time = share->total};
}

static void share_append(struct buffer *to, const struct group_shares *self,
                         const struct group_share *share, nsec_t whole)
{
	uint32_t by = share->key.by;

	buffer_printf(to, "%s%s %s", to->length ? ", " : "",
		      by == share->key.group     ? "itself"
		      : by < self->groups->count ? self->groups->group[by].name
						 : stranger_of(self, by)->name,
		      RATIO_TEXT(nsec_ratio(share->total, whole)));
}

void group_shares_fill(const struct group_shares *self, uint32_t group, nsec_t whole, size_t most,
                       struct cell *ret, struct buffer *text)
{
	struct relation_rows rows = relation_choose(&self->shares, &form, &group, self->question);
	size_t width = self->stranger ? ARRAY_SIZE(columns) : ARRAY_SIZE(columns_of_groups);
	struct cell *cells = xcalloc(rows.count * width, sizeof(*cells));

	for (size_t i = 0; i < rows.count; i++) {
		share_cells(self, rows.row[i], &cells[i * width]);
		if (i < most)
			share_append(text, self, rows.row[i], whole);
	}
	ret->rows = (struct cell_rows){self->stranger ? columns : columns_of_groups, width, cells,
	                               rows.count};
	relation_rows_release(&rows);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfetto_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "source/source_notes.h"

#define WAKE   "1=comm 2=pid 3=prio 5=target_cpu"
#define RQ     "1=dev 2=sector 3=nr_sector 4=bytes 5=rwbs"
#define RQ_END "1=dev 2=sector 3=nr_sector 4=error 5=rwbs 7=error"
#define BIO    "1=dev 2=sector 3=nr_sector 4=rwbs"
#define WORK   "1=work 2=function"
#define RECLAIMED "1=nr_reclaimed"
#define FILE   "1=dev 2=ino"

const struct perfetto_event perfetto_events[] = {
	{3, "print:", "1=ip 2=buf"},
	{PERFETTO_SWITCH, "sched_switch:",
	 "1=prev_comm 2=prev_pid 3=prev_prio 4=prev_state 5=next_comm 6=next_pid 7=next_prio"},
	{11, "cpu_frequency:", "1=state 2=cpu_id"},
	{12, "cpu_frequency_limits:", NULL},
	{13, "cpu_idle:", "1=state"},
	{14, "clock_enable:", NULL},
	{15, "clock_disable:", NULL},
	{16, "clock_set_rate:", NULL},
	{17, "sched_wakeup:", WAKE},
	{18, "sched_blocked_reason:", "1=pid 2=caller 3=io_wait"},
	{19, "sched_cpu_hotplug:", NULL},
	{PERFETTO_WAKING, "sched_waking:", WAKE},
	{21, "ipi_entry:", ""},
	{22, "ipi_exit:", ""},
	{23, "ipi_ipi_raise:", NULL},
	{24, "softirq_entry:", "1=vec"},
	{25, "softirq_exit:", "1=vec"},
	{26, "softirq_raise:", "1=vec"},
	{35, "lowmemory_kill:", NULL},
	{36, "irq_handler_entry:", "1=irq 2=name"},
	{37, "irq_handler_exit:", "1=irq"},
	{43, "ext4_sync_file_enter:", FILE},
	{44, "ext4_sync_file_exit:", FILE},
	{45, "block_rq_issue:", RQ},
	{46, "mm_vmscan_direct_reclaim_begin:", ""},
	{47, "mm_vmscan_direct_reclaim_end:", RECLAIMED},
	{48, "mm_vmscan_kswapd_wake:", NULL},
	{49, "mm_vmscan_kswapd_sleep:", NULL},
	{50, "binder_transaction:", "1=debug_id 3=to_proc 4=to_thread 5=reply 7=flags"},
	{51, "binder_transaction_received:", "1=debug_id"},
	{56, "workqueue_activate_work:", NULL},
	{57, "workqueue_execute_end:", WORK},
	{58, "workqueue_execute_start:", WORK},
	{59, "workqueue_queue_work:", WORK},
	{67, "cgroup_attach_task:", "1=dst_root 3=pid 7=dst_path"},
	{97, "mm_filemap_add_to_page_cache:", "2=i_ino 4=s_dev"},
	{98, "mm_filemap_delete_from_page_cache:", NULL},
	{99, "mm_compaction_begin:", ""},
	{103, "mm_compaction_end:", ""},
	{113, "suspend_resume:", "1=action 2=val 3=start"},
	{PERFETTO_WAKEUP_NEW, "sched_wakeup_new:", WAKE},
	{117, "block_bio_complete:", "1=dev 2=sector 3=nr_sector 4=error 5=rwbs"},
	{119, "block_bio_queue:", BIO},
	{120, "block_bio_remap:", "1=dev 2=sector 3=nr_sector 4=old_dev 5=old_sector 6=rwbs"},
	{125, "block_rq_complete:", RQ_END},
	{126, "block_rq_insert:", RQ},
	{129, "block_rq_requeue:", RQ_END},
	{131, "block_split:", "1=dev 2=sector 3=new_sector 4=rwbs"},
	{235, "task_newtask:", "1=pid 2=comm 3=clone_flags"},
	{236, "task_rename:", "1=pid 3=newcomm"},
	{237, "sched_process_exec:", "1=filename 2=pid 3=old_pid"},
	{238, "sched_process_exit:", "1=comm 2=pid 4=prio"},
	{239, "sched_process_fork:", "2=parent_pid 3=child_comm 4=child_pid"},
	{240, "sched_process_free:", "1=comm 2=pid 3=prio"},
	{241, "sched_process_hang:", NULL},
	{242, "sched_process_wait:", "1=comm 2=pid 3=prio"},
	{255, "f2fs_sync_file_enter:", FILE},
	{256, "f2fs_sync_file_exit:", FILE},
	{313, "rss_stat:", NULL},
	{324, "signal_signal_deliver:", NULL},
	{325, "signal_generate:", "4=pid 5=result 6=sig"},
	{326, "oom_score_adj_update:", NULL},
	{PERFETTO_SYS_ENTER, "sys_enter:", "1=id 2=args"},
	{330, "sys_exit:", "1=id 2=ret"},
	{334, "mark_victim:", "1=pid"},
	{353, "sched_pi_setprio:", "2=newprio 3=oldprio 4=pid"},
	{359, "rss_stat_throttled:", NULL},
	{360, "netif_receive_skb:", "1=len 2=name 3=skbaddr"},
	{365, "napi_gro_receive_entry:", "7=len 10=name 15=skbaddr"},
	{491, "sched_migrate_task:", "2=pid 5=dest_cpu"},
	{551, "hrtimer_start:", "1=hrtimer 2=function 3=expires 4=softexpires 5=mode"},
	{553, "hrtimer_expire_entry:", "1=hrtimer 2=now 3=function"},
	{554, "hrtimer_expire_exit:", "1=hrtimer"},
	{555, "timer_start:", "1=timer 2=function"},
	{557, "timer_expire_entry:", "1=timer 3=function"},
	{558, "timer_expire_exit:", "1=timer"},
	{607, "mm_vmscan_memcg_reclaim_begin:", ""},
	{608, "mm_vmscan_memcg_reclaim_end:", RECLAIMED},
	{0, NULL, NULL},
};

enum {
	DESCRIPTOR_NUMBER = 1,
	DESCRIPTOR_EVENT = 2,
	MESSAGE_NAME = 1, /* of a DescriptorProto and its fields, as protobuf defines them */
	MESSAGE_FIELD = 2,
	FIELD_NUMBER = 3,
	GENERIC_NAME = 1,
};

const struct text_field *perfetto_rows_field(const struct perfetto_rows *rows,
                                             const struct perfetto_row *row, struct text_line name)
{
	const struct text_field *field;

	if (row->row == SIZE_MAX)
		return NULL;
	field = text_layout_field(rows->layout, row->row, name);
	if (!field && word_is(name, "type")) /* of file locks, from 6.9 on */
		field = text_layout_field(rows->layout, row->row, line_of("fl_type"));
	return field;
}

static struct perfetto_row *row_add(struct perfetto_rows *rows, const char *name, bool is_read)
{
	struct perfetto_row *row = &LIST_ADD(rows->row, struct perfetto_row);

	*row = (struct perfetto_row){.name = name, .name_bytes = strlen(name)};
	row->row = SIZE_MAX;
	if (is_read)
		row->row = text_layout_find(rows->layout,
		                            (struct text_line){name, name + row->name_bytes - 1});
	return row;
}

/* "NUMBER=NAME ..." */
static void row_add_fields(const struct perfetto_rows *rows, struct perfetto_row *row,
                           const char *fields)
{
	struct text_line rest = line_of(fields);

	while (rest.at < rest.end) {
		struct text_line name = line_word(&rest);
		struct text_line number = line_until(name, '=');

		name.at = number.end + 1;
		row->field[word_number(number, PERFETTO_FIELDS_MAX - 1)] =
			perfetto_rows_field(rows, row, name);
	}
}

void perfetto_rows_init(struct perfetto_rows *rows, const struct text_layout *layout)
{
	const struct perfetto_event *event = perfetto_events;

	*rows = (struct perfetto_rows){.layout = layout};
	map_init(&rows->by_number);
	map_init(&rows->by_name);
	intern_init(&rows->names);
	for (; event->number; event++) {
		map_put(&rows->by_number, event->number, (uint32_t)rows->count);
		row_add_fields(rows, row_add(rows, event->name, event->fields),
		               event->fields ? event->fields : "");
	}
}

void perfetto_rows_release(struct perfetto_rows *rows)
{
	free(rows->row);
	map_release(&rows->by_number);
	map_release(&rows->by_name);
	intern_release(&rows->names);
}

/* The number of a name that the trace has, which is kept with a colon. Names are those of
   tracepoints, or damaged. */
static uint32_t name_keep(struct perfetto_rows *rows, struct text_line name)
{
	char text[PERFETTO_NAME_BYTES];
	size_t length = line_length(name);

	if (length > sizeof(text) - 2)
		length = sizeof(text) - 2;
	for (size_t i = 0; i < length; i++)
		text[i] = char_is_name(name.at[i]) ? name.at[i] : '_';
	text[length] = ':';
	return intern_add(&rows->names, text, length + 1);
}

static void row_describe_field(const struct perfetto_rows *rows, struct perfetto_row *row,
                               struct wire content)
{
	struct wire_field field[FIELD_NUMBER + 1];

	(void)wire_read(content, field, ARRAY_SIZE(field));
	if (field[MESSAGE_NAME].at && field[FIELD_NUMBER].value < PERFETTO_FIELDS_MAX)
		row->field[field[FIELD_NUMBER].value] =
			perfetto_rows_field(rows, row, wire_line(wire_of(&field[MESSAGE_NAME])));
}

/* Reads a DescriptorProto; returns the index of its row, SIZE_MAX: it has no name. */
static size_t row_describe(struct perfetto_rows *rows, struct wire message)
{
	struct wire_field field, names[MESSAGE_NAME + 1];
	struct text_line name;
	struct perfetto_row *row;

	(void)wire_read(message, names, ARRAY_SIZE(names));
	name = wire_line(wire_of(&names[MESSAGE_NAME]));
	if (name.at == name.end || rows->count == PERFETTO_ROWS_MAX)
		return SIZE_MAX;
	row = row_add(rows, intern_text(&rows->names, name_keep(rows, name)), true);
	while (wire_next(&message, &field))
		if (field.number == MESSAGE_FIELD && field.type == WIRE_BYTES)
			row_describe_field(rows, row, wire_of(&field));
	return rows->count - 1;
}

void perfetto_rows_describe(struct perfetto_rows *rows, uint32_t sequence, struct wire descriptor)
{
	struct wire_field field[DESCRIPTOR_EVENT + 1];
	uint64_t number, key;
	size_t at;

	(void)wire_read(descriptor, field, ARRAY_SIZE(field));
	number = field[DESCRIPTOR_NUMBER].value;
	if (number < PERFETTO_DESCRIBED_MIN || number > UINT32_MAX || !field[DESCRIPTOR_EVENT].at)
		return;
	key = (uint64_t)sequence << 32 | number;
	if (map_get(&rows->by_number, key) != MAP_NONE) /* it is repeated */
		return;
	at = row_describe(rows, wire_of(&field[DESCRIPTOR_EVENT]));
	if (at != SIZE_MAX)
		map_put(&rows->by_number, key, (uint32_t)at);
}

const struct perfetto_row *perfetto_rows_find(const struct perfetto_rows *rows, uint32_t sequence,
                                              uint32_t number)
{
	uint64_t key = number < PERFETTO_DESCRIBED_MIN ? number : (uint64_t)sequence << 32 | number;
	uint32_t at = map_get(&rows->by_number, key);

	return at == MAP_NONE ? NULL : &rows->row[at];
}

const struct perfetto_row *perfetto_rows_named(struct perfetto_rows *rows, struct wire event)
{
	struct wire_field field;
	uint32_t name, at;

	while (wire_next(&event, &field)) {
		if (field.number != GENERIC_NAME || field.type != WIRE_BYTES || field.bytes == 0)
			continue;
		name = name_keep(rows, wire_line(wire_of(&field)));
		at = map_get(&rows->by_name, name);
		if (at == MAP_NONE && rows->count < PERFETTO_ROWS_MAX) {
			at = (uint32_t)rows->count;
			map_put(&rows->by_name, name, at);
			(void)row_add(rows, intern_text(&rows->names, name), true);
		}
		return at == MAP_NONE ? NULL : &rows->row[at];
	}
	return NULL;
}

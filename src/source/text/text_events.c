/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_events.h"

/* The "print fmt" of sched_switch: maps bits of prev_state to letters. text_value_state() sets
   these bits. */
#define STATE_PRINT                                                                            \
	"\"%s\", (REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, \"|\", "     \
	"{ 0x1, \"S\" }, { 0x2, \"D\" }, { 0x4, \"T\" }, { 0x8, \"t\" }, { 0x10, \"Z\" }, "    \
	"{ 0x20, \"X\" }, { 0x40, \"P\" }, { 0x80, \"I\" }) : \"R\", "                         \
	"REC->prev_state & 0x1000 ? \"+\" : \"\""

#define WAKE(event)                                                                            \
	{                                                                              \
		"sched", event, NULL, "comm:t pid:d prio:d target_cpu:d",              \
		{"comm={comm} pid={pid} prio={prio} target_cpu={target_cpu}",          \
		 "comm={comm} pid={pid} prio={prio} success={*} target_cpu={target_cpu}", \
		 "{comm}:{pid} [{prio}]{*} CPU:{target_cpu}"}, /* trace-cmd's form */  \
		NULL,                                                                  \
	}
#define LIFE(event)                                                                            \
	{"sched", event, NULL, "comm:t pid:d prio:d", {"comm={comm} pid={pid} prio={prio}"}, NULL}
#define CGROUP(event)                                                                          \
	{                                                                              \
		"cgroup", event, NULL, "id:l val:d path:s",                            \
		{"root={*} id={id} level={*} path={path} val={val}",                   \
		 "root={*} id={id} level={*} path={path}"}, NULL,                      \
	}
#define SOFTIRQ(event) {"irq", event, NULL, "vec:u", {"vec={vec}"}, NULL}
#define ONLY(system, event, text) {system, event, NULL, "", {text}, NULL}

#define RQ_FIELDS "dev:V sector:l nr_sector:u bytes:u error:d rwbs:t"
#define RQ(event)                                                                              \
	{                                                                              \
		"block", event, NULL, RQ_FIELDS,                                       \
		{"{dev} {rwbs} {bytes} ({*}) {sector} + {nr_sector}"}, NULL,           \
	}
#define RQ_END(event)                                                                          \
	{                                                                              \
		"block", event, NULL, RQ_FIELDS,                                       \
		{"{dev} {rwbs} ({*}) {sector} + {nr_sector} [{error}]",                \
		 "{dev} {rwbs} ({*}) {sector} + {nr_sector} {*} [{error}]",            \
		 "{dev} {rwbs} ({*}) {sector} + {nr_sector}"}, NULL,                   \
	}
#define PACKET(event)                                                                          \
	{                                                                              \
		"net", event, NULL, "skbaddr:x len:u name:s",                          \
		{"dev={name} skbaddr={skbaddr} len={len}",                             \
		 "dev={name} {*} skbaddr={skbaddr} {*} len={len}"}, NULL,              \
	}
#define FILE_LOCK(event)                                                                       \
	{                                                                              \
		"filelock", event, NULL, "s_dev:V i_ino:x fl_type:T ret:d",            \
		{"fl={*} dev={s_dev} ino={i_ino} {*} fl_type={fl_type} {*} ret={ret}", \
		 "fl={*} dev={s_dev} ino={i_ino} {*} type={fl_type} {*} ret={ret}"}, NULL, \
	}
#define SYNC(system, event, text) {system, event, NULL, "dev:V ino:l", {text}, NULL}
#define DIRTY(event) {"writeback", event, NULL, "ino:l", {"bdi {*}: ino={ino}"}, NULL}
#define MARK(printed, text) {"ftrace", "print", printed, "ip:x buf:r", {text}, NULL}

const struct text_event text_events[] = {
	{
		"sched", "sched_switch", NULL,
		"prev_comm:t prev_pid:d prev_prio:d prev_state:S next_comm:t next_pid:d "
		"next_prio:d",
		{"prev_comm={prev_comm} prev_pid={prev_pid} prev_prio={prev_prio} "
		 "prev_state={prev_state} ==> next_comm={next_comm} next_pid={next_pid} "
		 "next_prio={next_prio}",
		 /* trace-cmd's form */
		 "{prev_comm}:{prev_pid} [{prev_prio}] {prev_state} ==> "
		 "{next_comm}:{next_pid} [{next_prio}]"},
		STATE_PRINT,
	},
	WAKE("sched_waking"),
	WAKE("sched_wakeup"),
	WAKE("sched_wakeup_new"),
	{
		"sched", "sched_migrate_task", NULL, "pid:d dest_cpu:d",
		{"comm={*} pid={pid} prio={*} dest_cpu={dest_cpu}"}, NULL,
	},
	{
		"sched", "sched_pi_setprio", NULL, "pid:d oldprio:d newprio:d",
		{"comm={*} pid={pid} oldprio={oldprio} newprio={newprio}"}, NULL,
	},
	{
		"sched", "sched_process_fork", NULL, "parent_pid:d child_comm:t child_pid:d",
		{"comm={*} pid={parent_pid} child_comm={child_comm} child_pid={child_pid}"}, NULL,
	},
	{
		"sched", "sched_process_exec", NULL, "filename:s pid:d old_pid:d",
		{"filename={filename} pid={pid} old_pid={old_pid}"}, NULL,
	},
	LIFE("sched_process_exit"),
	LIFE("sched_process_free"),
	LIFE("sched_process_wait"),
	{
		"sched", "sched_blocked_reason", NULL, "pid:d caller:c io_wait:d",
		{"pid={pid} iowait={io_wait} caller={caller}"}, NULL,
	},
	{
		"task", "task_newtask", NULL, "pid:d comm:t clone_flags:x",
		{"pid={pid} comm={comm} clone_flags={clone_flags}"}, NULL,
	},
	{
		"task", "task_rename", NULL, "pid:d newcomm:t",
		{"pid={pid} oldcomm={*} newcomm={newcomm} oom_score_adj="}, NULL,
	},
	CGROUP("cgroup_freeze"),
	CGROUP("cgroup_unfreeze"),
	CGROUP("cgroup_notify_frozen"),
	{
		"cgroup", "cgroup_attach_task", NULL, "dst_root:d pid:d dst_path:s",
		{"dst_root={dst_root} {*} dst_path={dst_path} pid={pid}"}, NULL,
	},
	{
		"irq", "irq_handler_entry", NULL, "irq:d name:s",
		{"irq={irq} name={name}"}, NULL,
	},
	{"irq", "irq_handler_exit", NULL, "irq:d", {"irq={irq}"}, NULL},
	SOFTIRQ("softirq_raise"),
	SOFTIRQ("softirq_entry"),
	SOFTIRQ("softirq_exit"),
	{"ipi", "ipi_entry", NULL, "reason:s", {"({reason})"}, NULL},
	{
		"ipi", "ipi_raise", NULL, "target_mask:s reason:s",
		{"target_mask={target_mask} ({reason})"}, NULL,
	},
	ONLY("ipi", "ipi_exit", "("),
	ONLY("csd", "csd_function_entry", "func="),
	ONLY("csd", "csd_function_exit", "func="),
	ONLY("irq_vectors", "call_function_entry", "vector="),
	ONLY("irq_vectors", "call_function_exit", "vector="),
	ONLY("irq_vectors", "call_function_single_entry", "vector="),
	ONLY("irq_vectors", "call_function_single_exit", "vector="),
	ONLY("irq_vectors", "reschedule_entry", "vector="),
	ONLY("irq_vectors", "reschedule_exit", "vector="),
	{
		"timer", "hrtimer_start", NULL,
		"hrtimer:x function:f expires:l softexpires:l mode:M",
		{"hrtimer={hrtimer} function={function} expires={expires} "
		 "softexpires={softexpires} mode={mode}",
		 "hrtimer={hrtimer} function={function} expires={expires} "
		 "softexpires={softexpires}"}, NULL,
	},
	{
		"timer", "hrtimer_expire_entry", NULL, "hrtimer:x function:f now:l",
		{"hrtimer={hrtimer} function={function} now={now}",
		 /* in the order of the fields, as libtraceevent may print it */
		 "hrtimer={hrtimer} now={now} function={function}"}, NULL,
	},
	{"timer", "hrtimer_expire_exit", NULL, "hrtimer:x", {"hrtimer={hrtimer}"}, NULL},
	{
		"timer", "timer_start", NULL, "timer:x function:f",
		{"timer={timer} function={function} expires={*}"}, NULL,
	},
	{
		"timer", "timer_expire_entry", NULL, "timer:x function:f",
		{"timer={timer} function={function} now={*}", "timer={timer} now={*}"}, NULL,
	},
	{"timer", "timer_expire_exit", NULL, "timer:x", {"timer={timer}"}, NULL},
	{"power", "cpu_idle", NULL, "state:u", {"state={state} cpu_id="}, NULL},
	{
		"power", "cpu_frequency", NULL, "state:u cpu_id:u",
		{"state={state} cpu_id={cpu_id}"}, NULL,
	},
	{
		"power", "suspend_resume", NULL, "action:s val:d start:b",
		{"{action}[{val}] {start}"}, NULL,
	},
	RQ("block_rq_issue"),
	RQ("block_rq_insert"),
	RQ_END("block_rq_complete"),
	RQ_END("block_rq_requeue"),
	{
		"block", "block_bio_queue", NULL, RQ_FIELDS,
		{"{dev} {rwbs} {sector} + {nr_sector} ["}, NULL,
	},
	{
		"block", "block_bio_complete", NULL, RQ_FIELDS,
		{"{dev} {rwbs} {sector} + {nr_sector} [{error}]"}, NULL,
	},
	{
		"block", "block_split", NULL, "dev:V sector:l new_sector:l rwbs:t",
		{"{dev} {rwbs} {sector} / {new_sector} ["}, NULL,
	},
	{
		"block", "block_bio_remap", NULL,
		"dev:V sector:l nr_sector:u old_dev:V old_sector:l rwbs:t",
		{"{dev} {rwbs} {sector} + {nr_sector} <- ({old_dev}) {old_sector}"}, NULL,
	},
	PACKET("netif_receive_skb"),
	PACKET("netif_rx"),
	PACKET("net_dev_queue"),
	PACKET("napi_gro_receive_entry"),
	PACKET("napi_gro_frags_entry"),
	{
		"qdisc", "qdisc_dequeue", NULL, "skbaddr:x",
		{"dequeue ifindex={*} skbaddr={skbaddr}"}, NULL,
	},
	{
		"napi", "napi_poll", NULL, "dev_name:s",
		{"napi poll on napi struct {*} for device {dev_name} work {*}",
		 "napi poll on napi struct {*} for device {dev_name}"}, NULL,
	},
	{
		"workqueue", "workqueue_queue_work", NULL, "work:x function:f",
		{"work struct={work} function={function} "}, NULL,
	},
	{
		"workqueue", "workqueue_execute_start", NULL, "work:x function:f",
		{"work struct {work}: function {function}"}, NULL,
	},
	{
		"workqueue", "workqueue_execute_end", NULL, "work:x function:f",
		{"work struct {work}: function {function}", "work struct {work}"}, NULL,
	},
	{
		"signal", "signal_generate", NULL, "sig:d pid:d result:d",
		{"sig={sig} errno={*} comm={*} pid={pid} grp={*} res={result}",
		 "sig={sig} errno={*} comm={*} pid={pid}"}, NULL,
	},
	{
		"signal", "signal_deliver", NULL, "sig:d sa_handler:x",
		{"sig={sig} errno={*} sa_handler={sa_handler}"}, NULL,
	},
	{"oom", "mark_victim", NULL, "pid:d", {"pid={pid}"}, NULL},
	{
		"lock", "contention_begin", NULL, "lock_addr:x flags:L",
		{"{lock_addr} (flags={flags})"}, NULL,
	},
	{
		"lock", "contention_end", NULL, "lock_addr:x ret:d",
		{"{lock_addr} (ret={ret})"}, NULL,
	},
	{"lock", "contended_release", NULL, "lock_addr:x", {"{lock_addr}"}, NULL},
	FILE_LOCK("flock_lock_inode"),
	FILE_LOCK("posix_lock_inode"),
	FILE_LOCK("fcntl_setlk"),
	ONLY("vmscan", "mm_vmscan_direct_reclaim_begin", "order="),
	ONLY("vmscan", "mm_vmscan_memcg_reclaim_begin", "order="),
	ONLY("vmscan", "mm_vmscan_memcg_softlimit_reclaim_begin", "order="),
	ONLY("vmscan", "mm_vmscan_node_reclaim_begin", "nid="),
	{
		"vmscan", "mm_vmscan_direct_reclaim_end", NULL, "nr_reclaimed:l",
		{"nr_reclaimed={nr_reclaimed}"}, NULL,
	},
	{
		"vmscan", "mm_vmscan_memcg_reclaim_end", NULL, "nr_reclaimed:l",
		{"nr_reclaimed={nr_reclaimed}"}, NULL,
	},
	{
		"vmscan", "mm_vmscan_memcg_softlimit_reclaim_end", NULL, "nr_reclaimed:l",
		{"nr_reclaimed={nr_reclaimed}"}, NULL,
	},
	{
		"vmscan", "mm_vmscan_node_reclaim_end", NULL, "nr_reclaimed:l",
		{"nr_reclaimed={nr_reclaimed}"}, NULL,
	},
	ONLY("vmscan", "mm_vmscan_throttled", "nid="),
	ONLY("compaction", "mm_compaction_begin", "zone_start="),
	ONLY("compaction", "mm_compaction_end", "zone_start="),
	{
		"writeback", "balance_dirty_pages", NULL, "pause:l bdi:s",
		{"bdi {bdi}: {*} pause={pause}"}, NULL,
	},
	{
		"filemap", "mm_filemap_add_to_page_cache", NULL, "s_dev:V i_ino:x order:u",
		{"dev {s_dev} ino {i_ino} {*} order={order}", "dev {s_dev} ino {i_ino} "}, NULL,
	},
	DIRTY("writeback_dirty_folio"),
	DIRTY("writeback_dirty_page"),
	SYNC("ext4", "ext4_sync_file_enter", "dev {dev} ino {ino}"),
	SYNC("ext4", "ext4_sync_file_exit", "dev {dev} ino {ino}"),
	SYNC("f2fs", "f2fs_sync_file_enter", "dev = ({dev}), ino = {ino},"),
	SYNC("f2fs", "f2fs_sync_file_exit", "dev = ({dev}), ino = {ino},"),
	{"xfs", "xfs_file_fsync", NULL, "dev:V ino:x", {"dev {dev} ino {ino}"}, NULL},
	{
		"binder", "binder_transaction", NULL,
		"debug_id:d to_proc:d to_thread:d reply:d flags:x",
		{"transaction={debug_id} dest_node={*} dest_proc={to_proc} dest_thread={to_thread} "
		 "reply={reply} flags={flags}"}, NULL,
	},
	{
		"binder", "binder_transaction_received", NULL, "debug_id:d",
		{"transaction={debug_id}"}, NULL,
	},
	{"raw_syscalls", "sys_enter", NULL, "id:l args:a", {"NR {id} ({args})"}, NULL},
	{"raw_syscalls", "sys_exit", NULL, "id:l ret:l", {"NR {id} = {ret}"}, NULL},
	MARK("tracing_mark_write:", "{buf}"),
	MARK("0:", "{buf}"), /* kernels before about 3.8 print 0 for the name of the function */
	MARK("print:", "{*}: {buf}"), /* trace-cmd's form */
	{0},
};

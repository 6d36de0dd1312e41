/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_events.h"

/* The "print fmt" of sched_switch: maps bits of prev_state to letters. text_value_state() sets
   these bits. */
#define STATE_PRINT                                                                            \
	"\"%s\", (REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, \"|\", "     \
	"{ 0x1, \"S\" }, { 0x2, \"D\" }, { 0x4, \"T\" }, { 0x8, \"t\" }, { 0x10, \"Z\" }, "    \
	"{ 0x20, \"X\" }, { 0x40, \"P\" }, { 0x80, \"I\" }) : \"R\", "                         \
	"REC->prev_state & 0x1000 ? \"+\" : \"\""

#define ROW(system_, name_, fields_, ...)                                                      \
	.system = system_, .name = name_, .fields = fields_, .pattern = {__VA_ARGS__}
#define EVENT(...) {ROW(__VA_ARGS__)}

#define WAKE(event)                                                                            \
	EVENT("sched", event, "comm:t pid:d prio:d target_cpu:d",                              \
	      "comm={comm} pid={pid} prio={prio} target_cpu={target_cpu}",                     \
	      "comm={comm} pid={pid} prio={prio} success={*} target_cpu={target_cpu}",         \
	      "{comm}:{pid} [{prio}]{*} CPU:{target_cpu}") /* trace-cmd's form */
#define LIFE(event)                                                                            \
	EVENT("sched", event, "comm:t pid:d prio:d", "comm={comm} pid={pid} prio={prio}")
#define CGROUP(event)                                                                          \
	EVENT("cgroup", event, "id:l val:d path:s",                                            \
	      "root={*} id={id} level={*} path={path} val={val}",                              \
	      "root={*} id={id} level={*} path={path}")
#define SOFTIRQ(event) EVENT("irq", event, "vec:u", "vec={vec}")
#define RQ_FIELDS      "dev:V sector:l nr_sector:u bytes:u error:d rwbs:t"
#define RQ(event)                                                                              \
	EVENT("block", event, RQ_FIELDS, "{dev} {rwbs} {bytes} ({*}) {sector} + {nr_sector}")
#define RQ_END(event)                                                                          \
	EVENT("block", event, RQ_FIELDS,                                                       \
	      "{dev} {rwbs} ({*}) {sector} + {nr_sector} [{error}]",                           \
	      "{dev} {rwbs} ({*}) {sector} + {nr_sector} {*} [{error}]",                       \
	      "{dev} {rwbs} ({*}) {sector} + {nr_sector}")
#define PACKET(event)                                                                          \
	EVENT("net", event, "skbaddr:x len:u name:s",                                          \
	      "dev={name} skbaddr={skbaddr} len={len}",                                        \
	      "dev={name} {*} skbaddr={skbaddr} {*} len={len}")
#define FILE_LOCK(event)                                                                       \
	EVENT("filelock", event, "s_dev:V i_ino:x fl_type:T ret:d",                            \
	      "fl={*} dev={s_dev} ino={i_ino} {*} fl_type={fl_type} {*} ret={ret}",            \
	      "fl={*} dev={s_dev} ino={i_ino} {*} type={fl_type} {*} ret={ret}")
#define RECLAIM_END(event) EVENT("vmscan", event, "nr_reclaimed:l", "nr_reclaimed={nr_reclaimed}")
#define DIRTY(event)       EVENT("writeback", event, "ino:l", "bdi {*}: ino={ino}")
#define MARK(word, text)   {ROW("ftrace", "print", "ip:x buf:r", text), .printed = word}

const struct text_event text_events[] = {
	{
		ROW("sched", "sched_switch",
		    "prev_comm:t prev_pid:d prev_prio:d prev_state:S next_comm:t next_pid:d "
		    "next_prio:d",
		    "prev_comm={prev_comm} prev_pid={prev_pid} prev_prio={prev_prio} "
		    "prev_state={prev_state} ==> next_comm={next_comm} next_pid={next_pid} "
		    "next_prio={next_prio}",
		    /* trace-cmd's form */
		    "{prev_comm}:{prev_pid} [{prev_prio}] {prev_state} ==> "
		    "{next_comm}:{next_pid} [{next_prio}]"),
		.print_format = STATE_PRINT,
	},
	WAKE("sched_waking"),
	WAKE("sched_wakeup"),
	WAKE("sched_wakeup_new"),
	EVENT("sched", "sched_migrate_task", "pid:d dest_cpu:d",
	      "comm={*} pid={pid} prio={*} dest_cpu={dest_cpu}"),
	EVENT("sched", "sched_pi_setprio", "pid:d oldprio:d newprio:d",
	      "comm={*} pid={pid} oldprio={oldprio} newprio={newprio}"),
	EVENT("sched", "sched_process_fork", "parent_pid:d child_comm:t child_pid:d",
	      "comm={*} pid={parent_pid} child_comm={child_comm} child_pid={child_pid}"),
	EVENT("sched", "sched_process_exec", "filename:s pid:d old_pid:d",
	      "filename={filename} pid={pid} old_pid={old_pid}"),
	LIFE("sched_process_exit"),
	LIFE("sched_process_free"),
	LIFE("sched_process_wait"),
	EVENT("sched", "sched_blocked_reason", "pid:d caller:c io_wait:d",
	      "pid={pid} iowait={io_wait} caller={caller}"),
	EVENT("task", "task_newtask", "pid:d comm:t clone_flags:x",
	      "pid={pid} comm={comm} clone_flags={clone_flags}"),
	EVENT("task", "task_rename", "pid:d newcomm:t",
	      "pid={pid} oldcomm={*} newcomm={newcomm} oom_score_adj="),
	CGROUP("cgroup_freeze"),
	CGROUP("cgroup_unfreeze"),
	CGROUP("cgroup_notify_frozen"),
	EVENT("cgroup", "cgroup_attach_task", "dst_root:d pid:d dst_path:s",
	      "dst_root={dst_root} {*} dst_path={dst_path} pid={pid}"),
	EVENT("irq", "irq_handler_entry", "irq:d name:s", "irq={irq} name={name}"),
	EVENT("irq", "irq_handler_exit", "irq:d", "irq={irq}"),
	SOFTIRQ("softirq_raise"),
	SOFTIRQ("softirq_entry"),
	SOFTIRQ("softirq_exit"),
	EVENT("ipi", "ipi_entry", "reason:s", "({reason})"),
	EVENT("ipi", "ipi_raise", "target_mask:s reason:s",
	      "target_mask={target_mask} ({reason})"),
	EVENT("ipi", "ipi_exit", "", "("),
	EVENT("csd", "csd_function_entry", "", "func="),
	EVENT("csd", "csd_function_exit", "", "func="),
	EVENT("irq_vectors", "call_function_entry", "", "vector="),
	EVENT("irq_vectors", "call_function_exit", "", "vector="),
	EVENT("irq_vectors", "call_function_single_entry", "", "vector="),
	EVENT("irq_vectors", "call_function_single_exit", "", "vector="),
	EVENT("irq_vectors", "reschedule_entry", "", "vector="),
	EVENT("irq_vectors", "reschedule_exit", "", "vector="),
	EVENT("timer", "hrtimer_start", "hrtimer:x function:f expires:l softexpires:l mode:M",
	      "hrtimer={hrtimer} function={function} expires={expires} "
	      "softexpires={softexpires} mode={mode}",
	      "hrtimer={hrtimer} function={function} expires={expires} "
	      "softexpires={softexpires}"),
	EVENT("timer", "hrtimer_expire_entry", "hrtimer:x function:f now:l",
	      "hrtimer={hrtimer} function={function} now={now}",
	      /* in the order of the fields, as libtraceevent may print it */
	      "hrtimer={hrtimer} now={now} function={function}"),
	EVENT("timer", "hrtimer_expire_exit", "hrtimer:x", "hrtimer={hrtimer}"),
	EVENT("timer", "timer_start", "timer:x function:f",
	      "timer={timer} function={function} expires={*}"),
	EVENT("timer", "timer_expire_entry", "timer:x function:f",
	      "timer={timer} function={function} now={*}", "timer={timer} now={*}"),
	EVENT("timer", "timer_expire_exit", "timer:x", "timer={timer}"),
	EVENT("power", "cpu_idle", "state:u", "state={state} cpu_id="),
	EVENT("power", "cpu_frequency", "state:u cpu_id:u", "state={state} cpu_id={cpu_id}"),
	EVENT("power", "suspend_resume", "action:s val:d start:b", "{action}[{val}] {start}"),
	RQ("block_rq_issue"),
	RQ("block_rq_insert"),
	RQ_END("block_rq_complete"),
	RQ_END("block_rq_requeue"),
	EVENT("block", "block_bio_queue", RQ_FIELDS, "{dev} {rwbs} {sector} + {nr_sector} ["),
	EVENT("block", "block_bio_complete", RQ_FIELDS,
	      "{dev} {rwbs} {sector} + {nr_sector} [{error}]"),
	EVENT("block", "block_split", "dev:V sector:l new_sector:l rwbs:t",
	      "{dev} {rwbs} {sector} / {new_sector} ["),
	EVENT("block", "block_bio_remap",
	      "dev:V sector:l nr_sector:u old_dev:V old_sector:l rwbs:t",
	      "{dev} {rwbs} {sector} + {nr_sector} <- ({old_dev}) {old_sector}"),
	PACKET("netif_receive_skb"),
	PACKET("netif_rx"),
	PACKET("net_dev_queue"),
	PACKET("napi_gro_receive_entry"),
	PACKET("napi_gro_frags_entry"),
	EVENT("qdisc", "qdisc_dequeue", "skbaddr:x", "dequeue ifindex={*} skbaddr={skbaddr}"),
	EVENT("napi", "napi_poll", "dev_name:s",
	      "napi poll on napi struct {*} for device {dev_name} work {*}",
	      "napi poll on napi struct {*} for device {dev_name}"),
	EVENT("workqueue", "workqueue_queue_work", "work:x function:f",
	      "work struct={work} function={function} "),
	EVENT("workqueue", "workqueue_execute_start", "work:x function:f",
	      "work struct {work}: function {function}"),
	EVENT("workqueue", "workqueue_execute_end", "work:x function:f",
	      "work struct {work}: function {function}", "work struct {work}"),
	EVENT("signal", "signal_generate", "sig:d pid:d result:d",
	      "sig={sig} errno={*} comm={*} pid={pid} grp={*} res={result}",
	      "sig={sig} errno={*} comm={*} pid={pid}"),
	EVENT("signal", "signal_deliver", "sig:d sa_handler:x",
	      "sig={sig} errno={*} sa_handler={sa_handler}"),
	EVENT("oom", "mark_victim", "pid:d", "pid={pid}"),
	EVENT("lock", "contention_begin", "lock_addr:x flags:L", "{lock_addr} (flags={flags})"),
	EVENT("lock", "contention_end", "lock_addr:x ret:d", "{lock_addr} (ret={ret})"),
	EVENT("lock", "contended_release", "lock_addr:x", "{lock_addr}"),
	FILE_LOCK("flock_lock_inode"),
	FILE_LOCK("posix_lock_inode"),
	FILE_LOCK("fcntl_setlk"),
	EVENT("vmscan", "mm_vmscan_direct_reclaim_begin", "", "order="),
	EVENT("vmscan", "mm_vmscan_memcg_reclaim_begin", "", "order="),
	EVENT("vmscan", "mm_vmscan_memcg_softlimit_reclaim_begin", "", "order="),
	EVENT("vmscan", "mm_vmscan_node_reclaim_begin", "", "nid="),
	RECLAIM_END("mm_vmscan_direct_reclaim_end"),
	RECLAIM_END("mm_vmscan_memcg_reclaim_end"),
	RECLAIM_END("mm_vmscan_memcg_softlimit_reclaim_end"),
	RECLAIM_END("mm_vmscan_node_reclaim_end"),
	EVENT("vmscan", "mm_vmscan_throttled", "", "nid="),
	EVENT("compaction", "mm_compaction_begin", "", "zone_start="),
	EVENT("compaction", "mm_compaction_end", "", "zone_start="),
	EVENT("writeback", "balance_dirty_pages", "pause:l bdi:s", "bdi {bdi}: {*} pause={pause}"),
	EVENT("filemap", "mm_filemap_add_to_page_cache", "s_dev:V i_ino:x order:u",
	      "dev {s_dev} ino {i_ino} {*} order={order}", "dev {s_dev} ino {i_ino} "),
	DIRTY("writeback_dirty_folio"),
	DIRTY("writeback_dirty_page"),
	EVENT("ext4", "ext4_sync_file_enter", "dev:V ino:l", "dev {dev} ino {ino}"),
	EVENT("ext4", "ext4_sync_file_exit", "dev:V ino:l", "dev {dev} ino {ino}"),
	EVENT("f2fs", "f2fs_sync_file_enter", "dev:V ino:l", "dev = ({dev}), ino = {ino},"),
	EVENT("f2fs", "f2fs_sync_file_exit", "dev:V ino:l", "dev = ({dev}), ino = {ino},"),
	EVENT("xfs", "xfs_file_fsync", "dev:V ino:x", "dev {dev} ino {ino}"),
	EVENT("binder", "binder_transaction", "debug_id:d to_proc:d to_thread:d reply:d flags:x",
	      "transaction={debug_id} dest_node={*} dest_proc={to_proc} dest_thread={to_thread} "
	      "reply={reply} flags={flags}"),
	EVENT("binder", "binder_transaction_received", "debug_id:d", "transaction={debug_id}"),
	EVENT("raw_syscalls", "sys_enter", "id:l args:a", "NR {id} ({args})"),
	EVENT("raw_syscalls", "sys_exit", "id:l ret:l", "NR {id} = {ret}"),
	MARK("tracing_mark_write:", "{buf}"),
	MARK("0:", "{buf}"), /* kernels before about 3.8 print 0 for the name of the function */
	MARK("print:", "{*}: {buf}"), /* trace-cmd's form */
	{0},
};

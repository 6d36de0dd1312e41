/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of all tracepoints, by trade; `ftwait list` shows them in this order. */
#include "tracepoint.h"

/* What every row has, of which the kind is the last; then other members, and at last the fields. */
#define ROW(system_, name_, group_, use_, ...)                                                 \
	{.system = system_, .name = name_, .group = group_, .use = use_, .kind = __VA_ARGS__}
#define OPTIONAL(system, name, group, use, ...)                                                \
	ROW(system, name, group, use, __VA_ARGS__, .is_optional = true)
#define FIELDS(...) .field = {__VA_ARGS__}

const struct tracepoint tracepoints[] = {

/* The scheduler and the life of tasks. */
#define WAKE(event, kind, use)                                                                 \
	ROW("sched", event, "sched", use, kind,                                                \
	    FIELDS(FIELD_NUMBER("pid", wake.tid),                                              \
	           FIELD_NUMBER_IF_ANY("prio", wake.priority),                                 \
	           FIELD_TEXT_IF_ANY("comm", wake.comm),                                       \
	           FIELD_NUMBER_IF_ANY("target_cpu", wake.cpu)))
#define CGROUP(event, kind, use)                                                               \
	OPTIONAL("cgroup", event, "sched", use, kind,                                          \
	         FIELDS(FIELD_NUMBER("id", cgroup.id),                                         \
	                FIELD_NUMBER_IF_ANY("val", cgroup.is_frozen),                          \
	                FIELD_TEXT_IF_ANY("path", cgroup.path)))

	ROW("sched", "sched_switch", "sched", "who runs, who waits and in which state",
	    EVENT_SCHED_SWITCH,
	    FIELDS(FIELD_NUMBER("prev_pid", sched_switch.prev_tid),
	           FIELD_NUMBER("next_pid", sched_switch.next_tid),
	           FIELD_NUMBER("prev_state", sched_switch.raw_state),
	           FIELD_NUMBER_IF_ANY("prev_prio", sched_switch.prev_priority),
	           FIELD_NUMBER_IF_ANY("next_prio", sched_switch.next_priority),
	           FIELD_TEXT("prev_comm", sched_switch.prev_comm),
	           FIELD_TEXT("next_comm", sched_switch.next_comm))),
	WAKE("sched_waking", EVENT_SCHED_WAKING, "who wakes whom"),
	WAKE("sched_wakeup", EVENT_SCHED_WAKEUP, "on which CPU; if it slept; wakers, before 4.3"),
	WAKE("sched_wakeup_new", EVENT_SCHED_WAKEUP_NEW, "new tasks"),
	ROW("sched", "sched_migrate_task", "sched", "on which CPU a task is queued",
	    EVENT_SCHED_MIGRATE,
	    FIELDS(FIELD_NUMBER("pid", migrate.tid), FIELD_NUMBER("dest_cpu", migrate.to_cpu))),
	OPTIONAL("sched", "sched_pi_setprio", "sched", "which priority a lock lends its owner",
	         EVENT_PI_SETPRIO,
	         FIELDS(FIELD_NUMBER("pid", pi_setprio.tid),
	                FIELD_NUMBER("oldprio", pi_setprio.old_priority),
	                FIELD_NUMBER("newprio", pi_setprio.new_priority))),
	ROW("sched", "sched_process_fork", "sched", "who started whom", EVENT_PROCESS_FORK,
	    FIELDS(FIELD_NUMBER("child_pid", process.tid),
	           FIELD_NUMBER("parent_pid", process.other_tid),
	           FIELD_TEXT_IF_ANY("child_comm", process.comm))),
	ROW("sched", "sched_process_exec", "sched", "new names, threads that replace their leader",
	    EVENT_PROCESS_EXEC,
	    FIELDS(FIELD_NUMBER("pid", process.tid),
	           FIELD_NUMBER("old_pid", process.other_tid),
	           FIELD_TEXT_IF_ANY("filename", process.comm))),
	ROW("sched", "sched_process_exit", "sched", "when a task ends", EVENT_PROCESS_EXIT,
	    FIELDS(FIELD_NUMBER("pid", process.tid))),
	ROW("sched", "sched_process_free", "sched", "when its tid may be used again",
	    EVENT_PROCESS_FREE, FIELDS(FIELD_NUMBER("pid", process.tid))),
	ROW("sched", "sched_process_wait", "sched", "which child is waited for", EVENT_PROCESS_WAIT,
	    FIELDS(FIELD_NUMBER("pid", process.tid))), /* 0: any */
	ROW("task", "task_newtask", "sched", "new tasks, by vfork or not", EVENT_NEWTASK,
	    FIELDS(FIELD_NUMBER("pid", process.tid),
	           FIELD_TEXT_IF_ANY("comm", process.comm),
	           FIELD_NUMBER_IF_ANY("clone_flags", process.clone_flags))),
	/* the pid is gone from 6.12 on: the renamed task is then the current one */
	ROW("task", "task_rename", "sched", "new names", EVENT_TASK_RENAME,
	    FIELDS(FIELD_NUMBER_IF_ANY("pid", process.tid), FIELD_TEXT("newcomm", process.comm))),
	CGROUP("cgroup_freeze", EVENT_CGROUP_FREEZE, "who freezes tasks"),
	CGROUP("cgroup_unfreeze", EVENT_CGROUP_UNFREEZE, "who thaws them"),
	CGROUP("cgroup_notify_frozen", EVENT_CGROUP_FROZEN, "when they all are frozen"),
	OPTIONAL("cgroup", "cgroup_attach_task", "sched", "which cgroup a process is moved into",
	         EVENT_CGROUP_ATTACH,
	         FIELDS(FIELD_NUMBER("pid", cgroup.tid),
	                FIELD_NUMBER("dst_root", cgroup.hierarchy),
	                FIELD_TEXT("dst_path", cgroup.path))),

/* Where in the kernel a task went to sleep. */

	/* Android kernels only */
	OPTIONAL("sched", "sched_blocked_reason", "sched", "where a task sleeps, without stacks",
	         EVENT_BLOCKED_REASON,
	         FIELDS(FIELD_NUMBER("pid", blocked.tid),
	                FIELD_NUMBER("caller", blocked.caller),
	                FIELD_NUMBER("io_wait", blocked.io_wait))),
	/* no event to enable: triggers and options add it */
	ROW("ftrace", "kernel_stack", NULL, "where a task sleeps", EVENT_STACK,
	    FIELDS(FIELD_NUMBER("size", stack.count), FIELD_REST("caller", stack.frames))),
	/* no event to enable; a 0 ends the stack if it has fewer frames */
	ROW("ftrace", "user_stack", NULL, "where in a program it sleeps", EVENT_USER_STACK,
	    FIELDS(FIELD_NUMBER("tgid", stack.tgid), FIELD_REST("caller", stack.frames))),

/* Interrupts: hard, soft, and between processors. */
#define SOFTIRQ(event, kind, use)                                                              \
	ROW("irq", event, "irq", use, kind, FIELDS(FIELD_NUMBER("vec", irq.number)))
#define IPI(system, event, group, ...)                                                         \
	OPTIONAL(system, event, group, "calls between CPUs as causes", __VA_ARGS__)
#define REASON                                                                                 \
	FIELD_TEXT_IF_ANY("reason", ipi.reason), FIELD_NUMBER_IF_ANY("reason", ipi.address)

	ROW("irq", "irq_handler_entry", "irq", "interrupts as causes, by number and name",
	    EVENT_IRQ_ENTRY,
	    FIELDS(FIELD_NUMBER("irq", irq.number), FIELD_TEXT_IF_ANY("name", irq.name))),
	ROW("irq", "irq_handler_exit", "irq", "where an interrupt ends", EVENT_IRQ_EXIT,
	    FIELDS(FIELD_NUMBER("irq", irq.number))),
	SOFTIRQ("softirq_raise", EVENT_SOFTIRQ_RAISE, "delays of soft interrupts, sends over "
	                                              "loopback"),
	SOFTIRQ("softirq_entry", EVENT_SOFTIRQ_ENTRY, "soft interrupts as causes, RCU"),
	SOFTIRQ("softirq_exit", EVENT_SOFTIRQ_EXIT, "where a soft interrupt ends"),
	IPI("ipi", "ipi_entry", "irq", EVENT_IPI_ENTRY, FIELDS(REASON)),
	IPI("ipi", "ipi_exit", "irq", EVENT_IPI_EXIT),
	OPTIONAL("ipi", "ipi_raise", "irq", "which CPU a queued wake-up came from", EVENT_IPI_RAISE,
	         .replaces = "sched:sched_waking",
	         FIELDS(REASON, FIELD_TEXT_IF_ANY("target_cpus", ipi.targets),
	                FIELD_TEXT_IF_ANY("target_mask", ipi.mask))),
	IPI("csd", "csd_function_entry", "irq", EVENT_CSD_ENTRY),
	IPI("csd", "csd_function_exit", "irq", EVENT_IPI_EXIT),
	/* x86, where csd events describe the relevant ones as well */
	IPI("irq_vectors", "call_function_entry", NULL, EVENT_IPI_ENTRY),
	IPI("irq_vectors", "call_function_exit", NULL, EVENT_IPI_EXIT),
	IPI("irq_vectors", "call_function_single_entry", NULL, EVENT_IPI_ENTRY),
	IPI("irq_vectors", "call_function_single_exit", NULL, EVENT_IPI_EXIT),
	IPI("irq_vectors", "reschedule_entry", "irq", EVENT_RESCHEDULE_ENTRY,
	    .replaces = "sched:sched_waking"),
	IPI("irq_vectors", "reschedule_exit", "irq", EVENT_IPI_EXIT,
	    .replaces = "sched:sched_waking"),

/* The block layer. */
#define BLOCK(event, kind, use, ...)                                                           \
	ROW("block", event, "block", use, kind,                                                \
	    FIELDS(FIELD_NUMBER("dev", block.dev),                                             \
	           FIELD_NUMBER("sector", block.sector),                                       \
	           FIELD_NUMBER("nr_sector", block.sectors),                                   \
	           FIELD_NUMBER_IF_ANY("bytes", block.bytes),                                  \
	           FIELD_TEXT_IF_ANY("rwbs", block.rwbs), __VA_ARGS__))

	BLOCK("block_bio_queue", EVENT_BLOCK_QUEUE, "who submitted a request, and when", {0}),
	BLOCK("block_rq_insert", EVENT_BLOCK_INSERT, "the same for requests queued otherwise", {0}),
	BLOCK("block_rq_issue", EVENT_BLOCK_ISSUE, "queue time against device time", {0}),
	BLOCK("block_rq_requeue", EVENT_BLOCK_REQUEUE, "requests that are issued again", {0}),
	BLOCK("block_rq_complete", EVENT_BLOCK_COMPLETE, "disk requests as causes, their errors",
	      FIELD_NUMBER_IF_ANY("error", block.error)),
	ROW("block", "block_split", "block", "since when the rest of a split request is queued",
	    EVENT_BLOCK_DERIVE,
	    FIELDS(FIELD_NUMBER("dev", block.dev),
	           FIELD_NUMBER("dev", block.from_dev),
	           FIELD_NUMBER("new_sector", block.sector),
	           FIELD_NUMBER("sector", block.from_sector))),
	ROW("block", "block_bio_remap", "block",
	    "who submitted what a stacked device sends to a lower one", EVENT_BLOCK_DERIVE,
	    FIELDS(FIELD_NUMBER("dev", block.dev),
	           FIELD_NUMBER("old_dev", block.from_dev),
	           FIELD_NUMBER("sector", block.sector),
	           FIELD_NUMBER("old_sector", block.from_sector),
	           FIELD_NUMBER_IF_ANY("nr_sector", block.sectors))),
	ROW("block", "block_bio_complete", "block", "when a request to a stacked device ended",
	    EVENT_BLOCK_DERIVE,
	    FIELDS(FIELD_NUMBER("dev", block.from_dev),
	           FIELD_NUMBER("sector", block.from_sector),
	           FIELD_NUMBER("nr_sector", block.sectors),
	           FIELD_NUMBER_IF_ANY("error", block.error))),

/*
 * Network devices and sockets. Events of a socket are recorded from its own point of view: saddr
 * and sport are of this host, daddr and dport of the peer, whichever way the packet went. The
 * arrays that end in _v6 hold IPv4 addresses too, mapped. tcp_probe has the sock since 6.10.
 */
#define PACKET(group, event, kind, use)                                                        \
	ROW("net", event, group, use, kind,                                                    \
	    FIELDS(FIELD_NUMBER("skbaddr", net.packet),                                        \
	           FIELD_NUMBER_IF_ANY("len", net.bytes),                                      \
	           FIELD_TEXT_IF_ANY("name", net.dev)))
#define RESENT(event, ...)                                                                     \
	OPTIONAL("tcp", event, "net", "segments sent again: peers that do not answer",         \
	         EVENT_SOCKET_RETRANSMIT, FIELDS(__VA_ARGS__))
#define RESET(event)                                                                           \
	OPTIONAL("tcp", event, "net", "connections that were aborted", EVENT_SOCKET_RESET,     \
	         FIELDS(FIELD_NUMBER("skaddr", socket.socket)))
/* Of local sockets, those calls that waited in vain. 64 is MSG_DONTWAIT, which reads show. */
#define TRANSFER(event, kind)                                                                  \
	OPTIONAL("sock", event, "net", "bytes of connections, their turns", kind,              \
	         .filter = "family == 2 || family == 10 || "                                   \
	                   "(family == 1 && ret < 0 && !(flags & 64))",                        \
	         FIELDS(FIELD_NUMBER("sk", transfer.socket),                                   \
	                FIELD_NUMBER("family", transfer.family),                               \
	                FIELD_NUMBER("protocol", transfer.protocol),                           \
	                FIELD_NUMBER("ret", transfer.result),                                  \
	                FIELD_NUMBER("flags", transfer.flags)))
/* The filter leaves out routes of received packets, which are looked up without a protocol. */
#define ROUTE(system, event)                                                                   \
	OPTIONAL(system, event, "net", "addresses of datagrams", EVENT_NET_ROUTE,              \
	         .filter = "proto == 17",                                                      \
	         FIELDS(FIELD_NUMBER("sport", socket.local_port),                              \
	                FIELD_NUMBER("dport", socket.peer_port),                               \
	                FIELD_NUMBER("proto", socket.state),                                   \
	                FIELD_BYTES("dst", socket.peer),                                       \
	                FIELD_BYTES("src", socket.local)))

	PACKET("net", "netif_receive_skb", EVENT_NET_RECEIVE, "packets as causes"),
	PACKET("net", "net_dev_queue", EVENT_NET_QUEUE, "who sent what this machine receives"),
	PACKET(NULL, "napi_gro_receive_entry", EVENT_NET_ARRIVE, "closer clocks of machines"),
	PACKET(NULL, "napi_gro_frags_entry", EVENT_NET_ARRIVE, "closer clocks of machines"),
	/* loopback packets are recognized by the device in net_dev_queue */
	OPTIONAL("net", "netif_rx", "net", "packets that cross between network namespaces",
	         EVENT_NET_CROSS, .filter = "name != \"lo\"",
	         FIELDS(FIELD_NUMBER("skbaddr", net.packet),
	                FIELD_TEXT_IF_ANY("name", net.dev))),
	/* often the queue is empty */
	OPTIONAL("qdisc", "qdisc_dequeue", "net", "packets that stood in a device's queue",
	         EVENT_NET_DEQUEUE, .filter = "skbaddr != 0",
	         FIELDS(FIELD_NUMBER("skbaddr", net.packet))),
	/* closing a local or netlink socket also frees messages by kfree_skb */
	OPTIONAL("skb", "kfree_skb", "net", "packets that were dropped, and why", EVENT_NET_DROP,
	         .filter = "protocol != 0",
	         FIELDS(FIELD_NUMBER_IF_ANY("reason", drop.reason),
	                FIELD_NUMBER("location", drop.location),
	                FIELD_NUMBER("protocol", drop.protocol))),
	ROW("napi", "napi_poll", "net", "where a batch of packets ends", EVENT_NAPI_POLL,
	    FIELDS(FIELD_TEXT_IF_ANY("dev_name", net.dev))),
	ROW("sock", "inet_sock_set_state", "net", "connections: peer, port, lifetime",
	    EVENT_SOCKET_STATE, .also = "tcp",
	    FIELDS(FIELD_NUMBER("skaddr", socket.socket),
	           FIELD_NUMBER("newstate", socket.state),
	           FIELD_NUMBER("sport", socket.local_port),
	           FIELD_NUMBER("dport", socket.peer_port),
	           FIELD_BYTES("daddr_v6", socket.peer),
	           FIELD_TEXT_IF_ANY("saddr_v6", socket.local))), /* bytes */
	OPTIONAL("tcp", "tcp_probe", "net", "which connection a packet is for",
	         EVENT_SOCKET_RECEIVE,
	         FIELDS(FIELD_NUMBER_IF_ANY("skaddr", socket.socket),
	                FIELD_NUMBER("sport", socket.local_port),
	                FIELD_NUMBER("dport", socket.peer_port),
	                FIELD_BYTES("daddr", socket.peer),
	                FIELD_TEXT_IF_ANY("saddr", socket.local))), /* bytes */
	RESENT("tcp_retransmit_skb",
	       FIELD_NUMBER("skaddr", socket.socket),
	       FIELD_NUMBER_IF_ANY("sport", socket.local_port),
	       FIELD_NUMBER_IF_ANY("dport", socket.peer_port),
	       FIELD_TEXT_IF_ANY("daddr_v6", socket.peer)), /* bytes */
	/* its skaddr is the listening sock: the connection has none yet */
	RESENT("tcp_retransmit_synack",
	       FIELD_NUMBER("sport", socket.local_port), FIELD_NUMBER("dport", socket.peer_port)),
	ROUTE("fib", "fib_table_lookup"),
	ROUTE("fib6", "fib6_table_lookup"),
	RESET("tcp_send_reset"),
	RESET("tcp_receive_reset"),
	TRANSFER("sock_send_length", EVENT_SOCKET_SEND),
	TRANSFER("sock_recv_length", EVENT_SOCKET_TAKE),
	/* AF_UNIX sockets have this event for every message, without any packet */
	OPTIONAL("sock", "sk_data_ready", "net", "which socket a packet is for", EVENT_SOCKET_READY,
	         .filter = "family != 1", FIELDS(FIELD_NUMBER("skaddr", socket.socket))),

/* Contended locks: the kernel's own, and futexes where their calls were recorded. */
#define LOCK(event, kind, use, is_optional_)                                                   \
	ROW("lock", event, "lock", use, kind, .is_optional = is_optional_,                     \
	    FIELDS(FIELD_NUMBER("lock_addr", lock.address),                                    \
	           FIELD_NUMBER_IF_ANY("flags", lock.flags),                                   \
	           FIELD_NUMBER_IF_ANY("ret", lock.result)))
#define FILE_LOCK(event, kind, use)                                                            \
	OPTIONAL("filelock", event, "lock", use, kind,                                         \
	         FIELDS(FIELD_NUMBER("s_dev", file_lock.dev),                                  \
	                FIELD_NUMBER("i_ino", file_lock.inode),                                \
	                FIELD_NUMBER_IF_ANY("type", file_lock.type), /* from 6.9 on */         \
	                FIELD_NUMBER_IF_ANY("fl_type", file_lock.type),                        \
	                FIELD_NUMBER("ret", file_lock.result),                                 \
	                FIELD_NUMBER_IF_ANY("fl_start", file_lock.begin),                      \
	                FIELD_NUMBER_IF_ANY("fl_end", file_lock.end)))
#define MMAP_LOCK(event, kind, use)                                                            \
	OPTIONAL("mmap_lock", event, "mmap_lock", use, kind,                                   \
	         FIELDS(FIELD_NUMBER("mm", mmap_lock.mm),                                      \
	                FIELD_NUMBER("write", mmap_lock.is_write),                             \
	                FIELD_NUMBER_IF_ANY("success", mmap_lock.is_success)))

	LOCK("contention_begin", EVENT_LOCK_BEGIN, "sleeps for kernel locks, by kind", false),
	LOCK("contention_end", EVENT_LOCK_END, "who got a lock after waiting for it", false),
	/* from 7.2 on */
	LOCK("contended_release", EVENT_LOCK_RELEASE, "who released a lock, for certain", true),
	ROW("syscalls", "sys_enter_futex", NULL, "which futex a task waits at", EVENT_FUTEX_ENTER,
	    FIELDS(FIELD_NUMBER("uaddr", futex.address),
	           FIELD_NUMBER_IF_ANY("op", futex.call.op),
	           FIELD_NUMBER_IF_ANY("val", futex.call.wakes),
	           FIELD_NUMBER_IF_ANY("utime", futex.call.moves),
	           FIELD_NUMBER_IF_ANY("uaddr2", futex.call.to))),
	ROW("syscalls", "sys_exit_futex", NULL, "the end of that", EVENT_FUTEX_EXIT,
	    FIELDS(FIELD_NUMBER_IF_ANY("ret", futex.result))),
	FILE_LOCK("flock_lock_inode", EVENT_FLOCK, "who waits for a file lock, who had it"),
	FILE_LOCK("posix_lock_inode", EVENT_POSIX_LOCK, "the same for fcntl()"),
	FILE_LOCK("fcntl_setlk", EVENT_POSIX_LOCK_END, "which of them were given up"),
	MMAP_LOCK("mmap_lock_start_locking", EVENT_MMAP_LOCK_ASK, "who waits for an address space"),
	MMAP_LOCK("mmap_lock_acquire_returned", EVENT_MMAP_LOCK_GOT, "who holds it"),
	MMAP_LOCK("mmap_lock_released", EVENT_MMAP_LOCK_RELEASE, "until when"),

/* The timer wheel and high resolution timers. */
#define TIMER(event, use, address, ...)                                                        \
	ROW("timer", event, "timer", use, __VA_ARGS__,                                         \
	    FIELDS(FIELD_NUMBER(address, timer.timer),                                         \
	           FIELD_NUMBER_IF_ANY("function", timer.function)))

	ROW("timer", "hrtimer_start", "timer", "who armed a timer; sleeps", EVENT_HRTIMER_START,
	    FIELDS(FIELD_NUMBER("hrtimer", timer.timer),
	           FIELD_NUMBER_IF_ANY("function", timer.function),
	           FIELD_NUMBER_IF_ANY("expires", timer.expires),
	           FIELD_NUMBER_IF_ANY("softexpires", timer.soft_expires),
	           FIELD_NUMBER_IF_ANY("mode", timer.mode))),
	/* the ends of sleeps and time-outs, without which an interrupt seems to end them */
	ROW("timer", "hrtimer_expire_entry", "timer", "timers as causes", EVENT_HRTIMER_ENTRY,
	    .part_of = "sched", .part_filter = "function.function == hrtimer_wakeup",
	    FIELDS(FIELD_NUMBER("hrtimer", timer.timer),
	           FIELD_NUMBER_IF_ANY("function", timer.function),
	           FIELD_NUMBER_IF_ANY("now", timer.now))),
	TIMER("hrtimer_expire_exit", "where a timer's call ends", "hrtimer", EVENT_HRTIMER_EXIT),
	TIMER("timer_start", "who armed a timeout, delayed work", "timer", EVENT_TIMER_START),
	TIMER("timer_expire_entry", "timeouts as causes", "timer", EVENT_TIMER_ENTRY,
	      .part_of = "sched", .part_filter = "function.function == process_timeout"),
	TIMER("timer_expire_exit", "where a timeout's call ends", "timer", EVENT_TIMER_EXIT),

/* Idle states and frequencies of CPUs, and system suspend. */

	ROW("power", "cpu_idle", "idle", "what wakes an idle CPU, also if no task runs then",
	    EVENT_CPU_IDLE, FIELDS(FIELD_NUMBER("state", idle.state))),
	OPTIONAL("power", "cpu_frequency", "idle", "how fast a CPU runs (--format perfetto)",
	         EVENT_CPU_FREQUENCY,
	         FIELDS(FIELD_NUMBER("state", frequency.khz),
	                FIELD_NUMBER("cpu_id", frequency.cpu))),
	OPTIONAL("power", "suspend_resume", "idle",
	         "when the system was suspended, and its tasks frozen for that", EVENT_SUSPEND,
	         FIELDS(FIELD_TEXT_IF_ANY("action", suspend.action),
	                FIELD_NUMBER_IF_ANY("action", suspend.address), /* in the kernel's form */
	                FIELD_NUMBER("val", suspend.value),
	                FIELD_NUMBER("start", suspend.is_begin))),

/* Work queues and signals: work that one task does for another. */
#define WORK(event, kind, use)                                                                 \
	ROW("workqueue", event, "workqueue", use, kind,                                        \
	    FIELDS(FIELD_NUMBER("work", work.work),                                            \
	           FIELD_NUMBER_IF_ANY("function", work.function)))

	WORK("workqueue_queue_work", EVENT_WORK_QUEUE, "who queued a work item, and when"),
	WORK("workqueue_execute_start", EVENT_WORK_START, "what a kworker does, and for whom"),
	WORK("workqueue_execute_end", EVENT_WORK_END, "where a work item ends"),
	ROW("signal", "signal_generate", "signal", "signals as causes, and who sent them",
	    EVENT_SIGNAL_GENERATE,
	    FIELDS(FIELD_NUMBER("sig", signal.number),
	           FIELD_NUMBER_IF_ANY("pid", signal.tid),
	           FIELD_NUMBER_IF_ANY("result", signal.result))),
	ROW("signal", "signal_deliver", "signal", "which signal a task died of",
	    EVENT_SIGNAL_DELIVER,
	    FIELDS(FIELD_NUMBER("sig", signal.number),
	           FIELD_NUMBER("sa_handler", signal.handler))),

/* Tasks that have to make room in memory, or are throttled for filling it. */
#define MEMORY(system, event, also_, kind, what_, is_optional_, use)                           \
	ROW(system, event, "mm", use, kind, .also = also_, .what = what_,                      \
	    .is_optional = is_optional_, /* at the end of a reclaim: */                        \
	    FIELDS(FIELD_NUMBER_IF_ANY("nr_reclaimed", memory.pages)))
#define BEGIN(system, event, also, what, is_optional)                                          \
	MEMORY(system, event, also, EVENT_MEMORY_BEGIN, what, is_optional,                     \
	       "time spent in reclaim or compaction")
#define END(system, event, also, what, is_optional)                                            \
	MEMORY(system, event, also, EVENT_MEMORY_END, what, is_optional, "the end of that")
/* Reclaims are rare, and no wait shows them: without these events the report would only say that
   the task runs. So they are recorded with every choice of groups. */
#define ALWAYS "sched"

	BEGIN("vmscan", "mm_vmscan_direct_reclaim_begin", ALWAYS, MEMORY_RECLAIM, false),
	END("vmscan", "mm_vmscan_direct_reclaim_end", ALWAYS, MEMORY_RECLAIM, false),
	BEGIN("vmscan", "mm_vmscan_node_reclaim_begin", NULL, MEMORY_RECLAIM, true),
	END("vmscan", "mm_vmscan_node_reclaim_end", NULL, MEMORY_RECLAIM, true),
	BEGIN("vmscan", "mm_vmscan_memcg_reclaim_begin", ALWAYS, MEMORY_MEMCG_RECLAIM, true),
	END("vmscan", "mm_vmscan_memcg_reclaim_end", ALWAYS, MEMORY_MEMCG_RECLAIM, true),
	BEGIN("vmscan", "mm_vmscan_memcg_softlimit_reclaim_begin", NULL, MEMORY_MEMCG_RECLAIM,
	      true),
	END("vmscan", "mm_vmscan_memcg_softlimit_reclaim_end", NULL, MEMORY_MEMCG_RECLAIM, true),
	BEGIN("compaction", "mm_compaction_begin", NULL, MEMORY_COMPACTION, true),
	END("compaction", "mm_compaction_end", NULL, MEMORY_COMPACTION, true),
	/* the length of the pause is not needed: the event comes after it */
	MEMORY("vmscan", "mm_vmscan_throttled", NULL, EVENT_MEMORY_THROTTLED, MEMORY_THROTTLE, true,
	       "reclaims that had to pause"),
	/* one event a pause, for tasks that write: recorded with the requests that it is for */
	ROW("writeback", "balance_dirty_pages", "block",
	    "throttling of tasks that write faster than the disk", EVENT_MEMORY_THROTTLE,
	    .also = "mm", .what = MEMORY_THROTTLE,
	    FIELDS(FIELD_NUMBER("pause", memory.pause), FIELD_TEXT_IF_ANY("bdi", memory.bdi))),
	/* without it an OOM kill would look like a kill by the task that allocated memory */
	ROW("oom", "mark_victim", "mm", "which task the OOM killer kills", EVENT_OOM_VICTIM,
	    .also = "signal", FIELDS(FIELD_NUMBER("pid", process.tid))),

/* Files by file system and inode: those whose data are read into the page cache, and those that are
   synced. Most events are of one file system each. */
#define SYNC(system, event, kind, use)                                                         \
	OPTIONAL(system, event, "files", use, kind,                                            \
	         FIELDS(FIELD_NUMBER("dev", file.dev), FIELD_NUMBER("ino", file.inode)))
#define DIRTY(event)                                                                           \
	OPTIONAL("writeback", event, "files", "pages that are written, not read",              \
	         EVENT_FILE_DIRTY, FIELDS(FIELD_NUMBER("ino", file.inode)))

	ROW("filemap", "mm_filemap_add_to_page_cache", "files",
	    "for which file a task reads from a disk", EVENT_FILE_ADD,
	    FIELDS(FIELD_NUMBER("s_dev", file.dev),
	           FIELD_NUMBER("i_ino", file.inode),
	           FIELD_NUMBER_IF_ANY("order", file.order))), /* since 6.1 */
	DIRTY("writeback_dirty_folio"),
	DIRTY("writeback_dirty_page"), /* before 5.18 */
	SYNC("ext4", "ext4_sync_file_enter", EVENT_FILE_SYNC, "which file a task syncs"),
	SYNC("ext4", "ext4_sync_file_exit", EVENT_FILE_SYNC_END, "until when"),
	SYNC("f2fs", "f2fs_sync_file_enter", EVENT_FILE_SYNC, "which file a task syncs"),
	SYNC("f2fs", "f2fs_sync_file_exit", EVENT_FILE_SYNC_END, "until when"),
	SYNC("xfs", "xfs_file_fsync", EVENT_FILE_SYNC_CALL,
	     "which file a task syncs, if system calls are recorded, too"),

/* Binder, by which Android's processes call each other. */
#define SEND(system, event)                                                                    \
	OPTIONAL(system, event, "binder", "who calls whom, and the answers",                   \
	         EVENT_BINDER_SEND,                                                            \
	         FIELDS(FIELD_NUMBER("debug_id", binder.id),                                   \
	                FIELD_NUMBER("to_proc", binder.process),                               \
	                FIELD_NUMBER("to_thread", binder.thread),                              \
	                FIELD_NUMBER("reply", binder.is_reply),                                \
	                FIELD_NUMBER("flags", binder.flags)))

	SEND("binder", "binder_transaction"),
	SEND("rust_binder", "rust_binder_transaction"), /* from 6.18 on, without the next one */
	OPTIONAL("binder", "binder_transaction_received", "binder",
	         "which thread serves a call, and since when", EVENT_BINDER_TAKE,
	         FIELDS(FIELD_NUMBER("debug_id", binder.id))),

/* System calls, where they were recorded: they show what a sleeper asked for. */

	ROW("raw_syscalls", "sys_enter", "syscalls", "futexes by address, waiting for work",
	    EVENT_SYSCALL_ENTER, .also = "paths",
	    FIELDS(FIELD_NUMBER("id", syscall.number),
	           FIELD_FIRST_OF("args", syscall.argument, 6),
	           FIELD_TEXT_IF_ANY("args", syscall.arguments))), /* only a few are used */
	ROW("raw_syscalls", "sys_exit", "syscalls", "how long a call took, its result",
	    EVENT_SYSCALL_EXIT, .also = "paths",
	    FIELDS(FIELD_NUMBER_IF_ANY("ret", syscall.result))),

/*
 * System calls that name a file, with the path, as kernels record it that have the file
 * syscall_user_buf_size (seen in 7.2). Those that are given data, such as write(), are left out on
 * purpose: such a kernel would record these, too.
 */
#define CALL(name, use, ...)                                                                   \
	OPTIONAL("syscalls", "sys_enter_" name, "paths", use, EVENT_SYSCALL_PATH,              \
	         .needs_strings = true,                                                        \
	         FIELDS(FIELD_NUMBER("__syscall_nr", path.number), __VA_ARGS__))
/* of a file, and of two */
#define ONE(name, use, argument)                                                               \
	CALL(name, use, FIELD_TEXT_IF_ANY("__" argument "_val", path.path))
#define TWO(name, use, first, second)                                                          \
	CALL(name, use, FIELD_TEXT_IF_ANY("__" first "_val", path.path),                       \
	     FIELD_TEXT_IF_ANY("__" second "_val", path.to))

	ONE("open", "files that are opened", "filename"),
	ONE("openat", "files that are opened", "filename"),
	ONE("openat2", "files that are opened", "filename"),
	ONE("creat", "files that are made", "pathname"),
	ONE("execve", "programs, also those that are not there", "filename"),
	ONE("execveat", "programs, also those that are not there", "filename"),
	ONE("newfstatat", "files that are looked up", "filename"),
	ONE("statx", "files that are looked up", "filename"),
	ONE("access", "files that are looked up", "filename"),
	ONE("faccessat", "files that are looked up", "filename"),
	ONE("faccessat2", "files that are looked up", "filename"),
	ONE("readlink", "links that are read", "path"),
	ONE("readlinkat", "links that are read", "pathname"),
	ONE("statfs", "file systems that are looked up", "pathname"),
	ONE("unlink", "files that are removed", "pathname"),
	ONE("unlinkat", "files that are removed", "pathname"),
	ONE("rmdir", "folders that are removed", "pathname"),
	ONE("mkdir", "folders that are made", "pathname"),
	ONE("mkdirat", "folders that are made", "pathname"),
	TWO("rename", "files that are renamed", "oldname", "newname"),
	TWO("renameat", "files that are renamed", "oldname", "newname"),
	TWO("renameat2", "files that are renamed", "oldname", "newname"),
	TWO("link", "links that are made", "oldname", "newname"),
	TWO("linkat", "links that are made", "oldname", "newname"),
	TWO("symlink", "links that are made", "oldname", "newname"),
	TWO("symlinkat", "links that are made", "oldname", "newname"),
	ONE("truncate", "files that are cut", "path"),
	ONE("chmod", "files whose owner or mode changes", "filename"),
	ONE("fchmodat", "files whose owner or mode changes", "filename"),
	ONE("chown", "files whose owner or mode changes", "filename"),
	ONE("fchownat", "files whose owner or mode changes", "filename"),
	ONE("utimensat", "files whose times change", "filename"),
	ONE("chdir", "folders that are entered", "filename"),
	TWO("mount", "file systems that are mounted", "dev_name", "dir_name"),
	ONE("umount", "file systems that are unmounted", "name"),

/* What programs write into the trace. There is no event to enable: all writes are recorded. */

	ROW("ftrace", "print", NULL, "marks of programs (trace_marker)", EVENT_MARK,
	    FIELDS(FIELD_REST("buf", mark.text))),
	ROW("ftrace", "raw_data", NULL, "marks of programs (trace_marker_raw)", EVENT_MARK_RAW,
	    FIELDS(FIELD_NUMBER("id", mark.id), FIELD_REST("buf", mark.text))),
	{0},
};

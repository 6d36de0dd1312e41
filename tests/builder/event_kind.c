/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event_kind.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"

#define STATE_MASK                                                                     \
	"((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | "            \
	"0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) - 1)"
#define STATE_TABLE                                                                    \
	"{ 0x00000001, \"S\" }, { 0x00000002, \"D\" }, { 0x00000004, \"T\" }, "            \
	"{ 0x00000008, \"t\" }, { 0x00000010, \"X\" }, { 0x00000020, \"Z\" }, "            \
	"{ 0x00000040, \"P\" }, { 0x00000080, \"I\" }"
#define STATE_BIT                                                                      \
	"(((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | " \
	"0x00000020 | 0x00000040) + 1) << 1)"
#define SWITCH_PRINT(preempted)                                                        \
	"\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s "       \
	"next_pid=%d next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, "     \
	"(REC->prev_state & " STATE_MASK ") ? __print_flags(REC->prev_state & " STATE_MASK \
	", \"|\", " STATE_TABLE ") : \"R\", REC->prev_state & " preempted               \
	" ? \"+\" : \"\", REC->next_comm, REC->next_pid, REC->next_prio"
#define WAKE_FIELDS "char comm[16]; pid_t pid; int prio; int target_cpu;"
#define WAKE_PRINT                                                                     \
	"\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, REC->prio, "     \
	"REC->target_cpu"
#define LIFE_FIELDS "char comm[16]; pid_t pid; int prio;"
#define LIFE_PRINT  "\"comm=%s pid=%d prio=%d\", REC->comm, REC->pid, REC->prio"
#define SOFTIRQ_PRINT                                                                  \
	"\"vec=%u [action=%s]\", REC->vec, __print_symbolic(REC->vec, { 0, \"HI\" }, "     \
	"{ 1, \"TIMER\" }, { 2, \"NET_TX\" }, { 3, \"NET_RX\" }, { 4, \"BLOCK\" }, "       \
	"{ 5, \"IRQ_POLL\" }, { 6, \"TASKLET\" }, { 7, \"SCHED\" }, { 8, \"HRTIMER\" }, "  \
	"{ 9, \"RCU\" })"
#define DEV_PRINT                                                                      \
	"((unsigned int) ((REC->dev) >> 20)), ((unsigned int) ((REC->dev) & ((1U << 20) - 1)))"
#define RQ_FIELDS                                                                      \
	"dev_t dev; sector_t sector; unsigned int nr_sector; unsigned int bytes; "         \
	"char rwbs[8]; char comm[16]; __data_loc char[] cmd;"
#define RQ_PRINT                                                                       \
	"\"%d,%d %s %u (%s) %llu + %u [%s]\", " DEV_PRINT ", REC->rwbs, REC->bytes, "      \
	"__get_str(cmd), (unsigned long long)REC->sector, REC->nr_sector, REC->comm"
#define SKB_FIELDS "void * skbaddr; unsigned int len; __data_loc char[] name;"
#define SKB_PRINT  "\"dev=%s skbaddr=%p len=%u\", __get_str(name), REC->skbaddr, REC->len"
#define GRO_FIELDS                                                                     \
	"__data_loc char[] name; unsigned int napi_id; u16 queue_mapping; "                \
	"const void * skbaddr; bool vlan_tagged; u16 vlan_proto; u16 vlan_tci; "           \
	"u16 protocol; u8 ip_summed; u32 hash; bool l4_hash; unsigned int len; "           \
	"unsigned int data_len; unsigned int truesize; bool mac_header_valid; "            \
	"int mac_header; unsigned char nr_frags; u16 gso_size; u16 gso_type;"
#define RECLAIM_PRINT "\"order=%d gfp_flags=0x%lx\", REC->order, REC->gfp_flags"
#define COMPACTION_FIELDS                                                              \
	"unsigned long zone_start; unsigned long migrate_pfn; unsigned long free_pfn; "    \
	"unsigned long zone_end; bool sync;"
#define COMPACTION_PRINT                                                               \
	"\"zone_start=0x%lx migrate_pfn=0x%lx free_pfn=0x%lx zone_end=0x%lx\", "           \
	"REC->zone_start, REC->migrate_pfn, REC->free_pfn, REC->zone_end"
#define CGROUP_FIELDS "int root; int level; u64 id; __data_loc char[] path;"
#define CGROUP_PRINT                                                                   \
	"\"root=%d id=%llu level=%d path=%s\", REC->root, REC->id, REC->level, __get_str(path)"
#define FILE_LOCK_FIELDS                                                               \
	"struct file_lock * fl; unsigned long i_ino; dev_t s_dev; "                        \
	"struct file_lock * fl_blocker; fl_owner_t fl_owner; unsigned int fl_pid; "        \
	"unsigned int fl_flags; unsigned char fl_type; loff_t fl_start; loff_t fl_end; int ret;"
#define S_DEV_PRINT                                                                    \
	"((unsigned int) ((REC->s_dev) >> 20)), "                                          \
	"((unsigned int) ((REC->s_dev) & ((1U << 20) - 1)))"
#define FILE_LOCK_PRINT                                                                \
	"\"fl=%p dev=0x%x:0x%x ino=0x%lx fl_type=%d ret=%d\", REC->fl, " S_DEV_PRINT        \
	", REC->i_ino, REC->fl_type, REC->ret"
#define VECTOR_PRINT "\"vector=%d\", REC->vector"
#define CSD_FIELDS  "void * func; void * csd;"
#define CSD_PRINT   "\"func=%ps, csd=%p\", REC->func, REC->csd"
#define WORK_PRINT "\"work struct %p: function %ps\", REC->work, REC->function"

/* of kernels with syscall_user_buf_size; the other arguments of the calls are left out */
#define PATH_CALL(name, id, argument)                                                          \
	{"syscalls", "sys_enter_" name, id,                                            \
	 "int __syscall_nr; unsigned long " argument "; __data_loc char[] __" argument "_val;", \
	 "\"" argument ": 0x%08lx \\\"%s\\\"\", REC->" argument ", __get_str(__" argument "_val)", \
	 {"__syscall_nr", "__" argument "_val"}}
#define PATHS_CALL(name, id, first, second)                                                    \
	{"syscalls", "sys_enter_" name, id,                                            \
	 "int __syscall_nr; unsigned long " first "; unsigned long " second "; "       \
	 "__data_loc char[] __" first "_val; __data_loc char[] __" second "_val;",     \
	 "\"" first ": \\\"%s\\\", " second ": \\\"%s\\\"\", __get_str(__" first "_val), "     \
	 "__get_str(__" second "_val)",                                                \
	 {"__syscall_nr", "__" first "_val", "__" second "_val"}}

const char event_kind_switch_4_14[] = SWITCH_PRINT("0x1000");

const struct kernel_event event_kinds[] = {
	{"sched", "sched_switch", 319,
	 "char prev_comm[16]; pid_t prev_pid; int prev_prio; long prev_state; char next_comm[16]; "
	 "pid_t next_pid; int next_prio;",
	 SWITCH_PRINT(STATE_BIT),
	 {"@prev_", "@next_"}},
	{"sched", "sched_waking", 322, WAKE_FIELDS, WAKE_PRINT, {"@", "target_cpu"}},
	{"sched", "sched_wakeup", 321, WAKE_FIELDS, WAKE_PRINT, {"@", "target_cpu"}},
	{"sched", "sched_wakeup_new", 320, WAKE_FIELDS, WAKE_PRINT, {"@", "target_cpu"}},
	{"sched", "sched_migrate_task", 318,
	 "char comm[16]; pid_t pid; int prio; int orig_cpu; int dest_cpu;",
	 "\"comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d\", REC->comm, REC->pid, REC->prio, "
	 "REC->orig_cpu, REC->dest_cpu",
	 {"@", "orig_cpu", "dest_cpu"}},
	{"sched", "sched_pi_setprio", 305,
	 "char comm[16]; pid_t pid; int oldprio; int newprio;",
	 "\"comm=%s pid=%d oldprio=%d newprio=%d\", REC->comm, REC->pid, REC->oldprio, "
	 "REC->newprio",
	 {"@", "oldprio", "newprio"}},
	{"sched", "sched_process_fork", 313,
	 "char parent_comm[16]; pid_t parent_pid; char child_comm[16]; pid_t child_pid;",
	 "\"comm=%s pid=%d child_comm=%s child_pid=%d\", REC->parent_comm, REC->parent_pid, "
	 "REC->child_comm, REC->child_pid",
	 {"@parent_", "@child_"}},
	{"sched", "sched_process_exec", 312,
	 "__data_loc char[] filename; pid_t pid; pid_t old_pid;",
	 "\"filename=%s pid=%d old_pid=%d\", __get_str(filename), REC->pid, REC->old_pid",
	 {"filename", "#pid", "#old_pid"}},
	{"sched", "sched_process_exit", 316, LIFE_FIELDS, LIFE_PRINT, {"@"}},
	{"sched", "sched_process_free", 317, LIFE_FIELDS, LIFE_PRINT, {"@"}},
	{"sched", "sched_process_wait", 315, LIFE_FIELDS, LIFE_PRINT, {"@"}},
	{"sched", "sched_blocked_reason", 304, "pid_t pid; void * caller; bool io_wait;",
	 "\"pid=%d iowait=%d caller=%pS\", REC->pid, REC->io_wait, REC->caller",
	 {"#pid", "io_wait", "caller"}},
	{"cgroup", "cgroup_freeze", 540, CGROUP_FIELDS, CGROUP_PRINT, {"path", "id"}},
	{"cgroup", "cgroup_unfreeze", 539, CGROUP_FIELDS, CGROUP_PRINT, {"path", "id"}},
	{"cgroup", "cgroup_notify_frozen", 535, CGROUP_FIELDS " int val;",
	 "\"root=%d id=%llu level=%d path=%s val=%d\", REC->root, REC->id, REC->level, "
	 "__get_str(path), REC->val",
	 {"path", "id", "val"}},
	{"cgroup", "cgroup_attach_task", 541,
	 "int dst_root; int dst_level; u64 dst_id; int pid; __data_loc char[] dst_path; "
	 "__data_loc char[] comm;",
	 "\"dst_root=%d dst_id=%llu dst_level=%d dst_path=%s pid=%d comm=%s\", REC->dst_root, "
	 "REC->dst_id, REC->dst_level, __get_str(dst_path), REC->pid, __get_str(comm)",
	 {"#pid", "dst_path", "dst_root"}},
	{"task", "task_newtask", 132,
	 "pid_t pid; char comm[16]; unsigned long clone_flags; short oom_score_adj;",
	 "\"pid=%d comm=%s clone_flags=%lx oom_score_adj=%hd\", REC->pid, REC->comm, "
	 "REC->clone_flags, REC->oom_score_adj",
	 {"@", "clone_flags"}},
	{"task", "task_rename", 131,
	 "pid_t pid; char oldcomm[16]; char newcomm[16]; short oom_score_adj;",
	 "\"pid=%d oldcomm=%s newcomm=%s oom_score_adj=%hd\", REC->pid, REC->oldcomm, "
	 "REC->newcomm, REC->oom_score_adj",
	 {"#pid", "oldcomm", "newcomm"}},
	{"irq", "irq_handler_entry", 152, "int irq; __data_loc char[] name;",
	 "\"irq=%d name=%s\", REC->irq, __get_str(name)", {"irq", "name"}},
	{"irq", "irq_handler_exit", 151, "int irq; int ret;",
	 "\"irq=%d ret=%s\", REC->irq, REC->ret ? \"handled\" : \"unhandled\"", {"irq", "ret"}},
	{"irq", "softirq_raise", 148, "unsigned int vec;", SOFTIRQ_PRINT, {"vec"}},
	{"irq", "softirq_entry", 150, "unsigned int vec;", SOFTIRQ_PRINT, {"vec"}},
	{"irq", "softirq_exit", 149, "unsigned int vec;", SOFTIRQ_PRINT, {"vec"}},
	{"timer", "hrtimer_start", 379,
	 "void * hrtimer; void * function; s64 expires; s64 softexpires; enum hrtimer_mode mode; "
	 "bool was_armed;",
	 "\"hrtimer=%p function=%ps expires=%llu softexpires=%llu mode=%d was_armed=%d\", "
	 "REC->hrtimer, REC->function, (unsigned long long) REC->expires, "
	 "(unsigned long long) REC->softexpires, REC->mode, REC->was_armed",
	 {"hrtimer", "function", "expires", "softexpires", "mode"}},
	{"timer", "hrtimer_expire_entry", 378, "void * hrtimer; s64 now; void * function;",
	 "\"hrtimer=%p function=%ps now=%llu\", REC->hrtimer, REC->function, "
	 "(unsigned long long) REC->now",
	 {"hrtimer", "function", "now"}},
	{"timer", "hrtimer_expire_exit", 377, "void * hrtimer;",
	 "\"hrtimer=%p\", REC->hrtimer", {"hrtimer"}},
	{"timer", "timer_start", 384,
	 "void * timer; void * function; unsigned long expires; unsigned long now; "
	 "unsigned int flags;",
	 "\"timer=%p function=%ps expires=%lu [timeout=%ld] flags=%x\", REC->timer, "
	 "REC->function, REC->expires, (long)REC->expires - REC->now, REC->flags",
	 {"timer", "function", "expires"}},
	{"timer", "timer_expire_entry", 383,
	 "void * timer; unsigned long now; void * function; unsigned long baseclk;",
	 "\"timer=%p function=%ps now=%lu baseclk=%lu\", REC->timer, REC->function, REC->now, "
	 "REC->baseclk",
	 {"timer", "function"}},
	{"power", "cpu_idle", 568, "unsigned int state; unsigned int cpu_id;",
	 "\"state=%lu cpu_id=%lu\", (unsigned long)REC->state, (unsigned long)REC->cpu_id",
	 {"state"}},
	{"power", "cpu_frequency", 567, "unsigned int state; unsigned int cpu_id;",
	 "\"state=%lu cpu_id=%lu\", (unsigned long)REC->state, (unsigned long)REC->cpu_id",
	 {"state", "cpu_id"}},
	{"power", "suspend_resume", 563, "const char * action; int val; bool start;",
	 "\"%s[%u] %s\", REC->action, (unsigned int)REC->val, (REC->start)?\"begin\":\"end\"",
	 {"action", "val", "start"}},
	{"timer", "timer_expire_exit", 382, "void * timer;", "\"timer=%p\", REC->timer",
	 {"timer"}},
	{"block", "block_rq_issue", 1061, RQ_FIELDS, RQ_PRINT, {"%dev", "+", "rwbs"}},
	{"block", "block_rq_insert", 1062, RQ_FIELDS, RQ_PRINT, {"%dev", "+", "rwbs"}},
	{"block", "block_rq_complete", 1064,
	 "dev_t dev; sector_t sector; unsigned int nr_sector; int error; char rwbs[8]; "
	 "__data_loc char[] cmd;",
	 "\"%d,%d %s (%s) %llu + %u [%d]\", " DEV_PRINT ", REC->rwbs, __get_str(cmd), "
	 "(unsigned long long)REC->sector, REC->nr_sector, REC->error",
	 {"%dev", "+", "rwbs"}},
	{"block", "block_bio_queue", 1055,
	 "dev_t dev; sector_t sector; unsigned int nr_sector; char rwbs[8]; char comm[16];",
	 "\"%d,%d %s %llu + %u [%s]\", " DEV_PRINT ", REC->rwbs, "
	 "(unsigned long long)REC->sector, REC->nr_sector, REC->comm",
	 {"%dev", "+", "rwbs"}},
	{"block", "block_rq_requeue", 1063,
	 "dev_t dev; sector_t sector; unsigned int nr_sector; char rwbs[8]; __data_loc char[] cmd;",
	 "\"%d,%d %s (%s) %llu + %u [%d]\", " DEV_PRINT ", REC->rwbs, __get_str(cmd), "
	 "(unsigned long long)REC->sector, REC->nr_sector, 0",
	 {"%dev", "+", "rwbs"}},
	{"block", "block_bio_complete", 1054,
	 "dev_t dev; sector_t sector; unsigned int nr_sector; int error; char rwbs[8];",
	 "\"%d,%d %s %llu + %u [%d]\", " DEV_PRINT ", REC->rwbs, "
	 "(unsigned long long)REC->sector, REC->nr_sector, REC->error",
	 {"%dev", "+", "rwbs"}},
	{"block", "block_split", 1053,
	 "dev_t dev; sector_t sector; sector_t new_sector; char rwbs[8]; char comm[16];",
	 "\"%d,%d %s %llu / %llu [%s]\", " DEV_PRINT ", REC->rwbs, "
	 "(unsigned long long)REC->sector, (unsigned long long)REC->new_sector, REC->comm",
	 {"%dev", "sector", "new_sector"}},
	{"block", "block_bio_remap", 1052,
	 "dev_t dev; sector_t sector; unsigned int nr_sector; dev_t old_dev; sector_t old_sector; "
	 "char rwbs[8];",
	 "\"%d,%d %s %llu + %u <- (%d,%d) %llu\", " DEV_PRINT ", REC->rwbs, "
	 "(unsigned long long)REC->sector, REC->nr_sector, "
	 "((unsigned int) ((REC->old_dev) >> 20)), "
	 "((unsigned int) ((REC->old_dev) & ((1U << 20) - 1))), "
	 "(unsigned long long)REC->old_sector",
	 {"%dev", "+", "rwbs", "old_dev", "old_sector"}},
	{"net", "netif_receive_skb", 1312, SKB_FIELDS, SKB_PRINT, {"name", "len", "skbaddr"}},
	{"net", "napi_gro_receive_entry", 1317, GRO_FIELDS, SKB_PRINT, {"name", "len", "skbaddr"}},
	{"net", "napi_gro_frags_entry", 1318, GRO_FIELDS, SKB_PRINT, {"name", "len", "skbaddr"}},
	{"net", "netif_rx", 1311, SKB_FIELDS, SKB_PRINT, {"name", "len", "skbaddr"}},
	{"qdisc", "qdisc_dequeue", 1330,
	 "struct Qdisc * qdisc; const struct netdev_queue * txq; int packets; void * skbaddr; "
	 "int ifindex; unsigned int handle; unsigned int parent; unsigned long txq_state;",
	 "\"dequeue ifindex=%d packets=%d skbaddr=%p\", REC->ifindex, REC->packets, "
	 "REC->skbaddr",
	 {"skbaddr"}},
	{"net", "net_dev_queue", 1313, SKB_FIELDS, SKB_PRINT, {"name", "len", "skbaddr"}},
	{"net", "net_dev_start_xmit", 1316,
	 "__data_loc char[] name; u16 queue_mapping; const void * skbaddr; bool vlan_tagged; "
	 "u16 vlan_proto; u16 vlan_tci; u16 protocol; u8 ip_summed; unsigned int len; "
	 "unsigned int data_len; int network_offset; bool transport_offset_valid; "
	 "int transport_offset; u8 tx_flags; u16 gso_size; u16 gso_segs; u16 gso_type;",
	 "\"dev=%s queue_mapping=%u skbaddr=%p len=%u\", __get_str(name), REC->queue_mapping, "
	 "REC->skbaddr, REC->len",
	 {"name", "len", "skbaddr"}},
	/* reason 0 stands for a kernel before 5.17, 16 for a reason that this kernel does not
	   name */
	{"skb", "kfree_skb", 1319,
	 "void * skbaddr; void * location; unsigned short protocol; int reason;",
	 "\"skbaddr=%p protocol=%u location=%p reason: %s\", REC->skbaddr, REC->protocol, "
	 "REC->location, __print_symbolic(REC->reason, { 2, \"NOT_SPECIFIED\" }, "
	 "{ 3, \"NO_SOCKET\" }, { 4, \"SOCKET_CLOSE\" }, { 6, \"SOCKET_RCVBUFF\" }, "
	 "{ 64, \"QDISC_DROP\" }, { 104, \"QUEUE_PURGE\" })",
	 {"reason", "location", "protocol"}},
	{"napi", "napi_poll", 1300,
	 "struct napi_struct * napi; __data_loc char[] dev_name; int work; int budget;",
	 "\"napi poll on napi struct %p for device %s work %d budget %d\", REC->napi, "
	 "__get_str(dev_name), REC->work, REC->budget",
	 {"dev_name", "work", "budget"}},
	{"fib", "fib_table_lookup", 1331,
	 "unsigned int tb_id; int err; int oif; int iif; u8 proto; u8 tos; u8 scope; u8 flags; "
	 "u8 src[4]; u8 dst[4]; u8 gw4[4]; u8 gw6[16]; u16 sport; u16 dport; char name[16];",
	 "\"table %u proto %u sport %u dport %u\", REC->tb_id, REC->proto, REC->sport, "
	 "REC->dport",
	 {"proto", "~s", "~d"}},
	{"fib6", "fib6_table_lookup", 1332,
	 "unsigned int tb_id; int err; int oif; int iif; unsigned int flowlabel; u8 tos; u8 scope; "
	 "u8 flags; u8 src[16]; u8 dst[16]; u16 sport; u16 dport; u8 proto; u8 rt_type; "
	 "char name[16]; u8 gw[16];",
	 "\"table %u proto %u sport %u dport %u\", REC->tb_id, REC->proto, REC->sport, "
	 "REC->dport",
	 {"proto", "~s", "~d"}},
	{"sock", "inet_sock_set_state", 1290,
	 "const void * skaddr; int oldstate; int newstate; u16 sport; u16 dport; u16 family; "
	 "u16 protocol; u8 saddr[4]; u8 daddr[4]; u8 saddr_v6[16]; u8 daddr_v6[16];",
	 "\"sport=%hu dport=%hu newstate=%d\", REC->sport, REC->dport, REC->newstate",
	 {"skaddr", "newstate", "~s", "~d"}},
	{"sock", "sk_data_ready", 1289,
	 "const void * skaddr; u16 family; u16 protocol; unsigned long ip;",
	 "\"family=%u protocol=%u func=%ps\", REC->family, REC->protocol, (void *)REC->ip",
	 {"skaddr"}},
	{"sock", "sock_send_length", 2284,
	 "void * sk; u16 family; u16 protocol; int ret; int flags;",
	 "\"sk address = %p, protocol = %u, length = %d, flags = 0x%x\", REC->sk, "
	 "REC->protocol, REC->ret, REC->flags",
	 {"sk", "ret", "protocol", "family", "flags"}},
	{"sock", "sock_recv_length", 2283,
	 "void * sk; u16 family; u16 protocol; int ret; int flags;",
	 "\"sk address = %p, protocol = %u, length = %d, flags = 0x%x\", REC->sk, "
	 "REC->protocol, REC->ret, REC->flags",
	 {"sk", "ret", "protocol", "family", "flags"}},
	{"tcp", "tcp_retransmit_skb", 1381,
	 "const void * skbaddr; const void * skaddr; int state; u16 sport; u16 dport; u16 family; "
	 "u8 saddr[4]; u8 daddr[4]; u8 saddr_v6[16]; u8 daddr_v6[16];",
	 "\"skbaddr=%p skaddr=%p sport=%hu dport=%hu\", REC->skbaddr, REC->skaddr, REC->sport, "
	 "REC->dport",
	 {"skaddr", "~s", "~d"}},
	{"tcp", "tcp_retransmit_synack", 1375,
	 "const void * skaddr; const void * req; u16 sport; u16 dport; u16 family; u8 saddr[4]; "
	 "u8 daddr[4]; u8 saddr_v6[16]; u8 daddr_v6[16];",
	 "\"sport=%hu dport=%hu\", REC->sport, REC->dport", {"skaddr", "~s", "~d"}},
	{"tcp", "tcp_send_reset", 1379,
	 "const void * skbaddr; const void * skaddr; int state; u8 saddr[28]; u8 daddr[28];",
	 "\"skbaddr=%p skaddr=%p\", REC->skbaddr, REC->skaddr", {"skaddr"}},
	{"tcp", "tcp_receive_reset", 1378,
	 "const void * skaddr; u16 sport; u16 dport; u16 family; u8 saddr[4]; u8 daddr[4]; "
	 "u8 saddr_v6[16]; u8 daddr_v6[16];",
	 "\"sport=%hu dport=%hu\", REC->sport, REC->dport", {"skaddr"}},
	/* skaddr is younger than 6.1; 0 stands for a kernel without it */
	{"tcp", "tcp_probe", 1380,
	 "u8 saddr[28]; u8 daddr[28]; u16 sport; u16 dport; u16 family; unsigned int mark; "
	 "u16 data_len; unsigned int snd_nxt; const void * skbaddr; const void * skaddr;",
	 "\"family=%u data_len=%d skbaddr=%p skaddr=%p\", REC->family, REC->data_len, "
	 "REC->skbaddr, REC->skaddr",
	 {"skaddr", "~s", "~d"}},
	{"workqueue", "workqueue_queue_work", 264,
	 "void * work; void * function; __data_loc char[] workqueue; int req_cpu; int cpu;",
	 "\"work struct=%p function=%ps workqueue=%s req_cpu=%d cpu=%d\", REC->work, "
	 "REC->function, __get_str(workqueue), REC->req_cpu, REC->cpu",
	 {"work", "function", "workqueue"}},
	{"workqueue", "workqueue_activate_work", 263, "void * work;",
	 "\"work struct %p\", REC->work", {"work"}},
	{"workqueue", "workqueue_execute_start", 262, "void * work; void * function;",
	 WORK_PRINT, {"work", "function"}},
	{"workqueue", "workqueue_execute_end", 261, "void * work; void * function;",
	 WORK_PRINT, {"work", "function"}},
	{"signal", "signal_generate", 188,
	 "int sig; int errno; int code; char comm[16]; pid_t pid; int group; int result;",
	 "\"sig=%d errno=%d code=%d comm=%s pid=%d grp=%d res=%d\", REC->sig, REC->errno, "
	 "REC->code, REC->comm, REC->pid, REC->group, REC->result",
	 {"sig", "@"}},
	{"signal", "signal_deliver", 187,
	 "int sig; int errno; int code; unsigned long sa_handler; unsigned long sa_flags;",
	 "\"sig=%d errno=%d code=%d sa_handler=%lx sa_flags=%lx\", REC->sig, REC->errno, "
	 "REC->code, REC->sa_handler, REC->sa_flags",
	 {"sig", "sa_handler"}},
	{"oom", "mark_victim", 482, "int pid;", "\"pid=%d\", REC->pid", {"#pid"}},
	{"lock", "contention_begin", 331, "void * lock_addr; unsigned int flags;",
	 "\"%p (flags=%s)\", REC->lock_addr, __print_flags(REC->flags, \"|\", { (1U << 0), "
	 "\"SPIN\" }, { (1U << 1), \"READ\" }, { (1U << 2), \"WRITE\" }, { (1U << 3), \"RT\" }, "
	 "{ (1U << 4), \"PERCPU\" }, { (1U << 5), \"MUTEX\" } )",
	 {"lock_addr", "flags"}},
	{"lock", "contention_end", 330, "void * lock_addr; int ret;",
	 "\"%p (ret=%d)\", REC->lock_addr, REC->ret", {"lock_addr", "ret"}},
	{"lock", "contended_release", 329, "void * lock_addr;",
	 "\"%p\", REC->lock_addr", {"lock_addr"}},
	{"filelock", "flock_lock_inode", 1125, FILE_LOCK_FIELDS, FILE_LOCK_PRINT,
	 {"%s_dev", "i_ino", "fl_type", "ret"}},
	{"filelock", "posix_lock_inode", 1128, FILE_LOCK_FIELDS, FILE_LOCK_PRINT,
	 {"%s_dev", "i_ino", "fl_type", "ret"}},
	{"filemap", "mm_filemap_add_to_page_cache", 600,
	 "unsigned long pfn; unsigned long i_ino; unsigned long index; dev_t s_dev; "
	 "unsigned char order;",
	 "\"dev %d:%d ino %lx pfn=0x%lx ofs=%lu order=%u\", " S_DEV_PRINT ", REC->i_ino, "
	 "REC->pfn, REC->index << 12, REC->order",
	 {"%s_dev", "i_ino", "order"}},
	{"writeback", "writeback_dirty_folio", 1009,
	 "char name[32]; ino_t ino; unsigned long index;",
	 "\"bdi %s: ino=%lu index=%lu\", REC->name, (unsigned long)REC->ino, REC->index",
	 {"ino"}},
	{"writeback", "writeback_dirty_page", 1010,
	 "char name[32]; ino_t ino; unsigned long index;",
	 "\"bdi %s: ino=%lu index=%lu\", REC->name, (unsigned long)REC->ino, REC->index",
	 {"ino"}},
	{"f2fs", "f2fs_sync_file_enter", 1701,
	 "dev_t dev; ino_t ino; ino_t pino; umode_t mode; loff_t size; unsigned int nlink; "
	 "u64 blocks; u8 advise;",
	 "\"dev = (%d,%d), ino = %lu\", " DEV_PRINT ", (unsigned long)REC->ino",
	 {"%dev", "ino"}},
	{"f2fs", "f2fs_sync_file_exit", 1702, "dev_t dev; ino_t ino; int cp_reason; int datasync; "
	 "int ret;",
	 "\"dev = (%d,%d), ino = %lu, ret = %d\", " DEV_PRINT ", (unsigned long)REC->ino, REC->ret",
	 {"%dev", "ino"}},
	{"ext4", "ext4_sync_file_enter", 1232, "dev_t dev; ino_t ino; ino_t parent; int datasync;",
	 "\"dev %d,%d ino %lu parent %lu datasync %d \", " DEV_PRINT ", (unsigned long) REC->ino, "
	 "(unsigned long) REC->parent, REC->datasync",
	 {"%dev", "ino"}},
	{"ext4", "ext4_sync_file_exit", 1231, "dev_t dev; ino_t ino; int ret;",
	 "\"dev %d,%d ino %lu ret %d\", " DEV_PRINT ", (unsigned long) REC->ino, REC->ret",
	 {"%dev", "ino"}},
	{"xfs", "xfs_file_fsync", 1790, "dev_t dev; xfs_ino_t ino; unsigned long iflags;",
	 "\"dev %d:%d ino 0x%llx iflags 0x%lx\", " DEV_PRINT ", REC->ino, REC->iflags",
	 {"%dev", "ino"}},
	{"filelock", "fcntl_setlk", 1127, FILE_LOCK_FIELDS, FILE_LOCK_PRINT,
	 {"%s_dev", "i_ino", "fl_type", "ret"}},
	{"mmap_lock", "mmap_lock_start_locking", 677,
	 "struct mm_struct * mm; u64 memcg_id; bool write;",
	 "\"mm=%p write=%d\", REC->mm, REC->write", {"mm", "write"}},
	{"mmap_lock", "mmap_lock_acquire_returned", 675,
	 "struct mm_struct * mm; u64 memcg_id; bool write; bool success;",
	 "\"mm=%p write=%d success=%d\", REC->mm, REC->write, REC->success",
	 {"mm", "write", "success"}},
	{"mmap_lock", "mmap_lock_released", 676,
	 "struct mm_struct * mm; u64 memcg_id; bool write;",
	 "\"mm=%p write=%d\", REC->mm, REC->write", {"mm", "write"}},
	{"vmscan", "mm_vmscan_direct_reclaim_begin", 496, "int order; unsigned long gfp_flags;",
	 RECLAIM_PRINT, {"order"}},
	{"vmscan", "mm_vmscan_direct_reclaim_end", 493, "unsigned long nr_reclaimed;",
	 "\"nr_reclaimed=%lu\", REC->nr_reclaimed", {"nr_reclaimed"}},
	{"vmscan", "mm_vmscan_memcg_reclaim_begin", 495, "int order; unsigned long gfp_flags;",
	 RECLAIM_PRINT, {"order"}},
	{"vmscan", "mm_vmscan_memcg_reclaim_end", 492, "unsigned long nr_reclaimed;",
	 "\"nr_reclaimed=%lu\", REC->nr_reclaimed", {"nr_reclaimed"}},
	{"vmscan", "mm_vmscan_memcg_softlimit_reclaim_begin", 494,
	 "int order; unsigned long gfp_flags;", RECLAIM_PRINT, {"order"}},
	{"vmscan", "mm_vmscan_memcg_softlimit_reclaim_end", 491, "unsigned long nr_reclaimed;",
	 "\"nr_reclaimed=%lu\", REC->nr_reclaimed", {"nr_reclaimed"}},
	{"vmscan", "mm_vmscan_node_reclaim_begin", 489, "int nid; int order; gfp_t gfp_flags;",
	 "\"nid=%d order=%d gfp_flags=0x%x\", REC->nid, REC->order, REC->gfp_flags",
	 {"nid", "order"}},
	{"vmscan", "mm_vmscan_node_reclaim_end", 488, "unsigned long nr_reclaimed;",
	 "\"nr_reclaimed=%lu\", REC->nr_reclaimed", {"nr_reclaimed"}},
	{"vmscan", "mm_vmscan_throttled", 490,
	 "int nid; int usec_timeout; int usec_delayed; int reason;",
	 "\"nid=%d usec_timeout=%d usec_delayed=%d reason=%d\", REC->nid, REC->usec_timeout, "
	 "REC->usec_delayed, REC->reason",
	 {"usec_timeout", "usec_delayed", "reason"}},
	{"compaction", "mm_compaction_begin", 531, COMPACTION_FIELDS, COMPACTION_PRINT, {"sync"}},
	{"compaction", "mm_compaction_end", 530, COMPACTION_FIELDS " int status;",
	 COMPACTION_PRINT, {"sync", "status"}},
	{"writeback", "balance_dirty_pages", 841,
	 "char bdi[32]; unsigned long limit; unsigned long setpoint; unsigned long dirty; "
	 "unsigned long bdi_setpoint; unsigned long bdi_dirty; unsigned long dirty_ratelimit; "
	 "unsigned long task_ratelimit; unsigned int dirtied; unsigned int dirtied_pause; "
	 "unsigned long paused; long pause; unsigned long period; long think;",
	 "\"bdi %s: limit=%lu setpoint=%lu dirty=%lu paused=%lu pause=%ld\", REC->bdi, "
	 "REC->limit, REC->setpoint, REC->dirty, REC->paused, REC->pause",
	 {"bdi", "pause"}},
	{"ipi", "ipi_entry", 155, "const char * reason;", "\"(%s)\", REC->reason", {"reason"}},
	{"ipi", "ipi_raise", 153, "__data_loc unsigned long[] target_cpus; const char * reason;",
	 "\"target_mask=%s (%s)\", __get_bitmask(target_cpus), REC->reason",
	 {"target_cpus", "reason"}},
	{"ipi", "ipi_exit", 154, "const char * reason;", "\"(%s)\", REC->reason", {"reason"}},
	{"csd", "csd_function_entry", 157, CSD_FIELDS, CSD_PRINT, {"func", "csd"}},
	{"csd", "csd_function_exit", 156, CSD_FIELDS, CSD_PRINT, {"func", "csd"}},
	{"irq_vectors", "reschedule_entry", 88, "int vector;", VECTOR_PRINT, {"vector"}},
	{"irq_vectors", "reschedule_exit", 87, "int vector;", VECTOR_PRINT, {"vector"}},
	{"irq_vectors", "call_function_entry", 84, "int vector;", VECTOR_PRINT, {"vector"}},
	{"irq_vectors", "call_function_exit", 83, "int vector;", VECTOR_PRINT, {"vector"}},
	{"irq_vectors", "call_function_single_entry", 82, "int vector;", VECTOR_PRINT, {"vector"}},
	{"irq_vectors", "call_function_single_exit", 81, "int vector;", VECTOR_PRINT, {"vector"}},
	/* every argument of a call takes a long, whatever its type is in C */
	{"syscalls", "sys_enter_futex", 398,
	 "int __syscall_nr; u32 * uaddr; long op; long val; void * utime; u32 * uaddr2; long val3;",
	 "\"uaddr: 0x%08lx, op: 0x%08lx, val: 0x%08lx\", ((unsigned long)(REC->uaddr)), "
	 "((unsigned long)(REC->op)), ((unsigned long)(REC->val))",
	 {"uaddr", "op", "val"}},
	{"syscalls", "sys_exit_futex", 397, "int __syscall_nr; long ret;",
	 "\"0x%lx\", REC->ret", {"ret"}},
	PATH_CALL("open", 760, "filename"),
	PATH_CALL("openat", 762, "filename"),
	PATH_CALL("openat2", 764, "filename"),
	PATH_CALL("creat", 766, "pathname"),
	PATH_CALL("execve", 768, "filename"),
	PATH_CALL("execveat", 770, "filename"),
	PATH_CALL("newfstatat", 772, "filename"),
	PATH_CALL("statx", 774, "filename"),
	PATH_CALL("access", 776, "filename"),
	PATH_CALL("faccessat", 778, "filename"),
	PATH_CALL("faccessat2", 780, "filename"),
	PATH_CALL("readlink", 782, "path"),
	PATH_CALL("readlinkat", 784, "pathname"),
	PATH_CALL("statfs", 786, "pathname"),
	PATH_CALL("unlink", 788, "pathname"),
	PATH_CALL("unlinkat", 790, "pathname"),
	PATH_CALL("rmdir", 792, "pathname"),
	PATH_CALL("mkdir", 794, "pathname"),
	PATH_CALL("mkdirat", 796, "pathname"),
	PATHS_CALL("rename", 798, "oldname", "newname"),
	PATHS_CALL("renameat", 800, "oldname", "newname"),
	PATHS_CALL("renameat2", 802, "oldname", "newname"),
	PATHS_CALL("link", 804, "oldname", "newname"),
	PATHS_CALL("linkat", 806, "oldname", "newname"),
	PATHS_CALL("symlink", 808, "oldname", "newname"),
	PATHS_CALL("symlinkat", 810, "oldname", "newname"),
	PATH_CALL("truncate", 812, "path"),
	PATH_CALL("chmod", 814, "filename"),
	PATH_CALL("fchmodat", 816, "filename"),
	PATH_CALL("chown", 818, "filename"),
	PATH_CALL("fchownat", 820, "filename"),
	PATH_CALL("utimensat", 822, "filename"),
	PATH_CALL("chdir", 824, "filename"),
	PATHS_CALL("mount", 826, "dev_name", "dir_name"),
	PATH_CALL("umount", 828, "name"),
	{"raw_syscalls", "sys_enter", 351, "long id; unsigned long args[6];",
	 "\"NR %ld (%lx, %lx, %lx, %lx, %lx, %lx)\", REC->id, REC->args[0], REC->args[1], "
	 "REC->args[2], REC->args[3], REC->args[4], REC->args[5]",
	 {"id", "*args"}},
	{"raw_syscalls", "sys_exit", 350, "long id; long ret;",
	 "\"NR %ld = %ld\", REC->id, REC->ret", {"id", "ret"}},
	{"ftrace", "print", 5, "unsigned long ip; char buf[];",
	 "\"%ps: %s\", (void *)REC->ip, REC->buf", {"$buf"}},
	{"ftrace", "raw_data", 19, "unsigned int id; char buf[];",
	 "\"id:%04x %08x\", REC->id, (int)REC->buf[0]", {"id", "$buf"}},
	{"ftrace", "kernel_stack", 4, "int size; unsigned long caller[8];",
	 "\"\\t=> %ps\\n\", (void *)REC->caller[0]", {"&caller"}},
	{"ftrace", "user_stack", 13, "unsigned int tgid; unsigned long caller[8];",
	 "\"\\t=> %ps\\n\", (void *)REC->caller[0]", {"tgid", "*caller"}},
	{"binder", "binder_transaction", 919,
	 "int debug_id; int target_node; int to_proc; int to_thread; int reply; unsigned int code; "
	 "unsigned int flags;",
	 "\"transaction=%d dest_node=%d dest_proc=%d dest_thread=%d reply=%d flags=0x%x code=0x%x\", "
	 "REC->debug_id, REC->target_node, REC->to_proc, REC->to_thread, REC->reply, REC->flags, "
	 "REC->code",
	 {"debug_id", "to_proc", "to_thread", "reply", "flags"}},
	{"rust_binder", "rust_binder_transaction", 921,
	 "int debug_id; int target_node; int to_proc; int to_thread; int reply; unsigned int code; "
	 "unsigned int flags;",
	 "\"transaction=%d reply=%d\", REC->debug_id, REC->reply",
	 {"debug_id", "to_proc", "to_thread", "reply", "flags"}},
	{"binder", "binder_transaction_received", 920, "int debug_id;",
	 "\"transaction=%d\", REC->debug_id", {"debug_id"}},
	/* never described in the trace: an event id without a format */
	{NULL, "unknown_event", 4711, "int number;", "", {"number"}},
};

const size_t event_kind_count = ARRAY_SIZE(event_kinds);

static const struct {
	const char *name;
	unsigned size; /* bytes; 0: the size of a long */
	bool is_signed;
} types[] = {
	{"unsigned char", 1, false}, {"loff_t", 8, true},        {"fl_owner_t", 0, false},
	{"char", 1, true},          {"bool", 1, false},          {"u8", 1, false},
	{"short", 2, true},         {"unsigned short", 2, false}, {"u16", 2, false},
	{"int", 4, true},           {"umode_t", 2, false},
	{"pid_t", 4, true},         {"unsigned int", 4, false},  {"dev_t", 4, false},
	{"gfp_t", 4, false},         {"ino_t", 0, false},         {"xfs_ino_t", 8, false},
	{"enum hrtimer_mode", 4, false}, {"s64", 8, true},       {"sector_t", 8, false},
	{"u64", 8, false},           {"u32", 4, false},
	{"long", 0, true},          {"unsigned long", 0, false}, {"__data_loc char[]", 4, true},
	{"__data_loc unsigned long[]", 4, false},
};

const struct kernel_event *event_kind_find(const char *name)
{
	for (size_t i = 0; i < event_kind_count; i++)
		if (strcmp(event_kinds[i].name, name) == 0)
			return &event_kinds[i];
	return NULL;
}

static unsigned type_size(const char *type, unsigned long_bytes, bool *ret_signed)
{
	if (strchr(type, '*')) {
		*ret_signed = false;
		return long_bytes;
	}
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (strcmp(types[i].name, type) == 0) {
			*ret_signed = types[i].is_signed;
			return types[i].size ? types[i].size : long_bytes;
		}
	}
	abort(); /* the table above lacks a type of the kinds */
}

/* "char comm[16]" -> type, name, and the number of elements. */
static unsigned declaration_split(const char *text, size_t length, struct kind_field *field)
{
	unsigned elements = 1;
	size_t name = length, end = length;

	while (name > 0 && text[name - 1] != ' ')
		name--;
	if (text[length - 1] == ']') {
		const char *bracket = memchr(text + name, '[', length - name);

		assert(bracket);
		elements = (unsigned)strtoul(bracket + 1, NULL, 10);
		end = (size_t)(bracket - text);
	}
	assert(name > 0 && end - name < sizeof(field->name) && name <= sizeof(field->type));
	memcpy(field->name, text + name, end - name);
	memcpy(field->type, text, name - 1);
	return elements;
}

void event_kind_lay_out(const struct kernel_event *kind, unsigned long_bytes,
                        struct kind_layout *ret)
{
	const char *at = kind->fields;
	unsigned offset = COMMON_BYTES;

	*ret = (struct kind_layout){0};
	for (const char *end; (end = strchr(at, ';')); at = end + 1 + (end[1] == ' ')) {
		struct kind_field *field = &ret->field[ret->count++];
		unsigned elements, size;

		assert(ret->count <= KIND_FIELDS_MAX);
		elements = declaration_split(at, (size_t)(end - at), field);
		size = type_size(field->type, long_bytes, &field->is_signed);
		offset = (offset + size - 1) / size * size;
		field->offset = offset;
		field->size = size * elements;
		field->is_pointer = strchr(field->type, '*') != NULL;
		field->is_dynamic = strncmp(field->type, "__data_loc", 10) == 0;
		field->is_text = elements > 1 && strcmp(field->type, "char") == 0;
		field->is_rest = elements == 0;
		offset += field->size;
	}
	ret->size = (offset + 3) & ~3u;
}

const struct kind_field *kind_layout_find(const struct kind_layout *layout, const char *name)
{
	for (size_t i = 0; i < layout->count; i++)
		if (strcmp(layout->field[i].name, name) == 0)
			return &layout->field[i];
	return NULL;
}

static void field_print(const struct kind_field *field, unsigned element, struct buffer *to)
{
	buffer_printf(to, "\tfield:%s %s", field->type, field->name);
	if (field->is_rest)
		buffer_puts(to, "[]");
	else if (element)
		buffer_printf(to, "[%u]", field->size / element);
	buffer_printf(to, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n", field->offset, field->size,
	              field->is_signed);
}

void event_kind_print_format(const struct kernel_event *kind, unsigned long_bytes,
                             struct buffer *to)
{
	struct kind_layout layout;
	bool is_signed;

	event_kind_lay_out(kind, long_bytes, &layout);
	buffer_printf(to, "name: %s\nID: %u\nformat:\n", kind->name, kind->id);
	buffer_puts(to,
	            "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	            "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	            "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	            "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n");
	for (size_t i = 0; i < layout.count; i++) {
		const struct kind_field *field = &layout.field[i];
		unsigned element = type_size(field->type, long_bytes, &is_signed);

		field_print(field, field->size > element ? element : 0, to);
	}
	buffer_printf(to, "\nprint fmt: %s\n", kind->print);
}

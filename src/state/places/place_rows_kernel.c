/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places within the kernel: its calls, its locks, its memory and its own threads. */
#include "place_rows.h"

const struct place_row place_rows_kernel[] = {
	/* What system calls and signals wait for: pipes, events, messages, children, terminals. */
	ROW(PIPE_READ, 2, .kind = PLACE_PIPE, OF(
	    "pipe_read 2.6-", "anon_pipe_read 6.15-", "fifo_pipe_read 6.15-",
	    "pipe_wait_readable 5.5-")),
	ROW(PIPE_WRITE, 2, .kind = PLACE_PIPE, OF(
	    "pipe_write 2.6-", "anon_pipe_write 6.15-", "fifo_pipe_write 6.15-",
	    "pipe_wait_writable 5.5-")),
	ROW(PIPE, 2, .kind = PLACE_PIPE, OF("pipe_wait 2.6-5.4")),
	ROW(PIPE_READ, 4, OF(
	    "ipipe_prep 3.0-", "splice_from_pipe_next 3.0-", "splice_from_pipe 3.0-")),
	ROW(PIPE_WRITE, 4, OF("opipe_prep 3.0-", "wait_for_space 4.12-")),
	ROW(FIFO_OPEN, 3, OF("fifo_open 3.0-", "wait_for_partner 3.0-")),
	ROW(EVENTFD, 2, OF("eventfd_read 3.0-", "eventfd_write 3.0-", "eventfd_ctx_read 3.0-4.14")),
	ROW(SIGNALFD, 2, OF(
	    "signalfd_dequeue 6.1-6.1", "signalfd_read 3.0-6.1", "signalfd_read_iter 6.12-")),
	ROW(TIMERFD, 2, OF("timerfd_read 3.0-6.1", "timerfd_read_iter 6.12-")),
	ROW(INOTIFY, 2, .is_for_work = true, OF("inotify_read 3.0-")),
	ROW(FANOTIFY, 2, .is_for_work = true, OF("fanotify_read 4.4-")),
	ROW(FANOTIFY_ANSWER, 3, OF("fanotify_handle_event 4.4-", "fanotify_get_response 3.0-")),
	ROW(POLL, 2, .call = CALL_POLL, .is_for_work = true, OF(
	    "do_poll 2.6-", "do_sys_poll 3.0-")),
	ROW(SELECT, 2, .call = CALL_SELECT, .is_for_work = true, OF(
	    "do_select 3.0-", "core_sys_select 3.0-")),
	ROW(EPOLL, 1, .call = CALL_EPOLL, .is_for_work = true, OF("ep_poll 4.12-4.12")),
	ROW(EPOLL, 2, .call = CALL_EPOLL, .is_for_work = true, OF("do_epoll_wait 5.10-")),
	ROW(NANOSLEEP, 3, .call = CALL_NANOSLEEP, OF(
	    "do_nanosleep 3.0-", "hrtimer_nanosleep 3.0-")),
	ROW(NANOSLEEP, 3, OF(
	    "common_nsleep 3.0-", "do_cpu_nanosleep 3.0-", "posix_cpu_nsleep 3.0-",
	    "alarm_timer_nsleep 3.0-", "alarmtimer_do_nsleep 3.0-",
	    "hrtimer_nanosleep_restart 3.0-")),
	ROW(FUTEX, 3, .call = CALL_FUTEX, OF(
	    "futex_wait 3.0-", "__futex_wait 6.12-", "futex_wait_multiple 6.1-",
	    "futex_wait_requeue_pi 3.0-", "futex_lock_pi 3.0-")),
	ROW(FUTEX, 3, OF(
	    "futex_wait_queue_me 3.0-5.10", "futex_wait_queue 6.1-6.12", "futex_do_wait 6.18-",
	    "futex_wait_setup 3.0-", "do_futex 3.0-", "futex_unqueue_multiple 6.12-")),
	ROW(SYSV_SEM, 3, .call = CALL_SEMTIMEDOP, OF(
	    "do_semtimedop 5.10-", "__do_semtimedop 6.1-")),
	ROW(SYSV_SEM, 3, OF("sys_semtimedop 3.0-6.1")),
	ROW(SYSV_RECEIVE, 2, OF("do_msgrcv 3.0-")),
	ROW(SYSV_SEND, 2, OF("do_msgsnd 3.0-")),
	ROW(MQUEUE_RECEIVE, 3, .call = CALL_MQUEUE, OF("do_mq_timedreceive 5.10-")),
	ROW(MQUEUE_RECEIVE, 3, OF("__do_sys_mq_timedreceive 4.17-", "sys_mq_timedreceive 3.0-6.1")),
	ROW(MQUEUE_SEND, 3, .call = CALL_MQUEUE, OF("do_mq_timedsend 5.10-")),
	ROW(MQUEUE_SEND, 3, OF("__do_sys_mq_timedsend 4.17-", "sys_mq_timedsend 3.0-6.1")),
	ROW(NONE, 0, .call = CALL_MQUEUE, OF("wq_sleep 3.0-")),
	ROW(FLOCK, 2, OF("flock_lock_file_wait 3.0-3.10", "flock_lock_inode_wait 4.2-")),
	ROW(FLOCK, 4, OF(
	    "__do_sys_flock 6.1-", "__x64_sys_flock 5.10-", "__arm64_sys_flock 6.1-6.1",
	    "__ia32_sys_flock 5.10-", "__s390x_sys_flock 6.1-6.1", "sys_flock 3.0-6.1")),
	ROW(POSIX_LOCK, 3, OF(
	    "posix_lock_file_wait 3.0-3.10", "posix_lock_inode_wait 4.2-",
	    "do_lock_file_wait 3.10-6.1", "fcntl_setlk 3.0-", "fcntl_setlk64 3.10-6.1")),
	ROW(FILE_LOCK, 2, .is_vague = true, OF("locks_lock_inode_wait 4.4-")),
	ROW(LEASE, 3, OF("__break_lease 3.0-")),
	ROW(CHILD, 2, OF(
	    "do_wait 3.0-", "kernel_wait4 4.14-", "kernel_waitid 4.14-", "kernel_wait 5.10-")),
	ROW(VFORK, 4, OF("wait_for_vfork_done 3.4-")),
	ROW(VFORK, 3, OF("kernel_clone 5.10-", "_do_fork 4.4-4.14", "do_fork 3.0-4.4")),
	ROW(PAUSE, 2, OF(
	    "sys_pause 3.0-6.1", "__x64_sys_pause 5.10-", "__do_sys_pause 5.10-",
	    "__ia32_sys_pause 5.10-", "__s390x_sys_pause 6.1-6.1")),
	ROW(SIGSUSPEND, 2, OF(
	    "sigsuspend 3.10-", "sys_sigsuspend 3.10-6.1", "__x64_sys_rt_sigsuspend 5.10-")),
	ROW(SIGWAIT, 3, .call = CALL_SIGTIMEDWAIT, OF("do_sigtimedwait 3.0-")),
	ROW(SIGWAIT, 3, OF("sys_rt_sigtimedwait 3.0-6.1")),
	ROW(TRACER, 3, OF("ptrace_stop 3.0-", "ptrace_notify 3.0-", "ptrace_do_notify 3.0-")),
	ROW(TRACEE, 4, OF(
	    "ptrace_freeze_traced 3.9-", "ptrace_check_attach 3.0-", "ptrace_attach 3.0-",
	    "ptrace_unfreeze_traced 4.4-")),
	ROW(COREDUMP, 3, OF(
	    "coredump_wait 2.6-", "wait_for_dump_helpers 3.10-3.10", "coredump_task_exit 5.16-")),
	ROW(COREDUMP, 0, .is_vague = true, OF("do_coredump 3.0-6.12", "vfs_coredump 6.18-")),
	ROW(EXEC_THREADS, 3, OF("de_thread 2.6-")),
	ROW(EXEC_THREADS, 2, OF("begin_new_exec 5.10-")),
	ROW(COREDUMP, 1, OF("do_exit 3.0-")),
	ROW(PID_NAMESPACE, 3, OF("zap_pid_ns_processes 3.0-")),
	ROW(IO_URING, 1, .call = CALL_IO_URING, .is_for_work = true, OF("io_cqring_wait 6.12-")),
	ROW(IO_URING, 4, OF("__do_sys_io_uring_enter 5.10-", "__x64_sys_io_uring_enter 5.10-")),
	ROW(IO_URING_CANCEL, 3, OF(
	    "io_uring_cancel_generic 5.10-", "__io_uring_cancel 5.10-",
	    "io_rsrc_ref_quiesce 5.10-6.12", "io_ring_exit_work 5.10-", "__io_uring_register 5.10-",
	    "io_sqpoll_wait_sq 6.1-")),
	ROW(IO_URING_WORK, 1, .is_for_work = true, OF(
	    "io_wq_worker 6.12-", "io_wqe_worker 5.10-6.1", "io_sq_thread 5.10-")),
	ROW(AIO, 3, .call = CALL_AIO, OF("read_events 3.0-", "do_io_getevents 5.10-")),
	ROW(AIO_CANCEL, 3, OF("exit_aio 3.0-", "kill_ioctx 3.10-")),
	ROW(SECCOMP, 3, OF("seccomp_do_user_notification 5.10-")),
	ROW(SECCOMP_LISTEN, 3, .is_for_work = true, OF(
	    "seccomp_notify_recv 5.0-", "seccomp_notify_ioctl 5.10-")),
	ROW(NONE, 0, .is_frozen = true, OF(
	    "do_freezer_trap 5.2-", "get_signal 4.4-", "__refrigerator 3.0-")),
	ROW(TTY_READ, 2, OF("n_tty_read 3.0-")),
	ROW(TTY_WRITE, 2, OF("n_tty_write 3.0-")),
	ROW(TTY_DRAIN, 3, OF("tty_wait_until_sent 3.0-")),
	ROW(TTY_LINE, 3, OF(
	    "ldsem_down_read 4.4-", "ldsem_down_write 4.4-", "tty_ldisc_ref_wait 3.0-",
	    "tty_ldisc_lock 3.10-")),
	ROW(TTY_OPEN, 3, OF("tty_port_block_til_ready 3.0-")),
	ROW(KERNEL_LOG, 2, .is_for_work = true, OF("devkmsg_read 3.10-")),
	ROW(KERNEL_LOG, 3, .is_for_work = true, OF("syslog_print 5.10-", "do_syslog 3.0-")),
	ROW(TRACE_DATA, 4, OF(
	    "ring_buffer_wait 3.10-", "tracing_wait_pipe 3.0-", "wait_on_pipe 4.4-",
	    "tracing_read_pipe 3.0-", "tracing_buffers_read 3.0-",
	    "tracing_buffers_splice_read 3.0-", "relay_file_read 4.12-")),
	ROW(PERF, 2, OF("perf_event_read_local 4.4-", "perf_event_for_each_child 3.0-")),
	ROW(KEY, 4, OF("wait_for_key_construction 4.4-", "request_key_and_link 4.4-")),
	ROW(RANDOM, 3, OF(
	    "wait_for_random_bytes 4.14-", "random_read_iter 5.10-", "urandom_read_iter 5.10-",
	    "_random_read 4.4-4.14", "random_read 3.0-4.14")),
	ROW(INPUT, 2, OF(
	    "evdev_read 3.0-6.18", "mousedev_read 3.0-", "joydev_read 4.12-6.1",
	    "uinput_read 4.12-6.1", "hidraw_read 4.12-6.18", "hiddev_read 4.12-6.1")),

	/*
	 * The kernel's locks. Rows with PLACE_LOCK are the locks of Linux 5.19, the first release
	 * that records contention, to 6.18: mutexes, read-write semaphores (those of CPUs too),
	 * semaphores, bcachefs' locks, and what they and the spinlocks are on PREEMPT_RT. Spinning
	 * is no sleep.
	 */
	ROW(MUTEX, 2, .kind = PLACE_LOCK, OF(
	    "__mutex_lock 4.12-", "__mutex_lock_common 2.6-", "__mutex_lock_slowpath 3.0-",
	    "__mutex_lock_killable_slowpath 3.0-", "__mutex_lock_interruptible_slowpath 3.0-",
	    "mutex_lock 3.0-", "mutex_lock_killable 3.0-", "mutex_lock_interruptible 3.0-",
	    "mutex_lock_io 4.12-", "mutex_lock_nested 2.6-", "mutex_lock_killable_nested 2.6-",
	    "mutex_lock_interruptible_nested 2.6-", "mutex_lock_io_nested 4.11-",
	    "_mutex_lock_nest_lock 3.6-", "_mutex_lock_killable 6.17-")),
	ROW(WW_MUTEX, 2, .kind = PLACE_LOCK, OF(
	    "__ww_mutex_lock 4.4-", "__ww_mutex_lock_slowpath 4.4-",
	    "__ww_mutex_lock_interruptible_slowpath 4.4-", "ww_mutex_lock 4.12-",
	    "ww_mutex_lock_interruptible 4.12-")),
	ROW(RWSEM, 2, .kind = PLACE_LOCK, OF(
	    "rwsem_down_read_slowpath 5.10-", "rwsem_down_write_slowpath 5.10-",
	    "__down_read_common 5.11-", "__down_write_common 5.11-", "down_read 3.0-",
	    "down_read_killable 5.10-", "down_read_interruptible 5.10-", "down_read_nested 2.6-",
	    "down_read_killable_nested 5.11-", "down_read_non_owner 2.6-",
	    "_down_write_nest_lock 3.9-", "down_write 3.0-", "down_write_killable 4.12-",
	    "down_write_nested 2.6-", "down_write_killable_nested 4.9-", "rwbase_read_lock 5.15-",
	    "__rwbase_read_lock 6.1-6.1", "rwbase_write_lock 6.1-6.1")),
	ROW(RWSEM, 2, OF(
	    "rwsem_down_read_failed 3.0-5.3", "rwsem_down_write_failed 3.0-5.3",
	    "rwsem_down_write_failed_killable 4.7-5.3", "rwsem_down_read_failed_killable 4.15-5.3",
	    "call_rwsem_down_read_failed 3.0-5.3", "call_rwsem_down_write_failed 3.0-5.3",
	    "rwsem_down_failed_common 2.6-3.9", "__down_read 2.6-5.3", "__down_write 2.6-5.3",
	    "__down_write_nested 3.10-3.10")),
	ROW(PERCPU_RWSEM, 2, .kind = PLACE_LOCK, OF("percpu_rwsem_wait 5.10-")),
	ROW(PERCPU_RWSEM, 1, .kind = PLACE_LOCK, OF(
	    "__percpu_down_read 4.12-", "percpu_down_write 4.4-")),
	ROW(SEMAPHORE, 2, .kind = PLACE_LOCK, OF(
	    "___down_common 6.1-6.1", "__down_common 3.0-", "__down 3.0-", "__down_killable 3.0-",
	    "__down_interruptible 3.0-", "__down_timeout 3.0-", "down 3.0-", "down_killable 3.0-",
	    "down_interruptible 3.0-", "down_timeout 3.0-")),
	ROW(SIX_LOCK, 2, .kind = PLACE_LOCK, OF("six_lock_slowpath 6.7-6.17")),
	ROW(RT_MUTEX, 2, .kind = PLACE_LOCK, OF(
	    "rt_mutex_slowlock_block 6.1-", "__rt_mutex_slowlock 3.0-6.1",
	    "__rt_mutex_slowlock_locked 6.1-", "rt_mutex_slowlock 3.0-", "__rt_mutex_lock 5.15-",
	    "rt_mutex_lock 3.0-", "rt_mutex_lock_killable 6.1-", "rt_mutex_lock_interruptible 3.0-",
	    "rt_mutex_lock_nested 4.15-", "_rt_mutex_lock_nest_lock 6.0-",
	    "rt_mutex_wait_proxy_lock 4.14-")),
	ROW(RT_LOCK, 2, .kind = PLACE_LOCK, OF(
	    "rtlock_slowlock_locked 6.1-6.1", "rtlock_slowlock 5.15-", "rt_spin_lock 6.1-6.1",
	    "rt_spin_lock_nested 5.15-", "rt_read_lock 6.1-6.1", "rt_write_lock 6.1-6.1")),
	ROW(MMAP_LOCK, 4, .instead_of = PURPOSE_RWSEM, OF(
	    "lock_mm_and_find_vma 6.1-", "mmap_read_lock 6.1-6.1", "mmap_write_lock 5.8-",
	    "vm_mmap_pgoff 3.10-", "vm_munmap 3.0-", "__vm_munmap 5.10-", "do_mprotect_pkey 4.12-",
	    "do_madvise 5.10-", "do_user_addr_fault 5.10-", "exc_page_fault 5.10-",
	    "do_page_fault 3.0-6.1", "__do_page_fault 4.12-4.14", "do_exception 6.1-6.1",
	    "sys_brk 3.0-6.1", "__do_sys_brk 5.10-", "__x64_sys_brk 5.10-",
	    "__arm64_sys_brk 6.1-6.1", "__x64_sys_munmap 5.10-", "do_mlock 3.0-", "dup_mmap 6.1-",
	    "dup_mm 3.0-3.10", "exit_mm 3.0-3.0", "exit_mmap 3.0-", "m_start 3.0-",
	    "proc_pid_cmdline_read 4.4-", "access_remote_vm 3.0-", "__access_remote_vm 3.0-",
	    "find_extend_vma 3.0-5.10", "process_vm_rw_core 3.0-", "get_user_pages_unlocked 4.4-",
	    "get_user_pages_remote 4.12-", "userfaultfd_register 6.1-",
	    "khugepaged_scan_mm_slot 4.4-4.4", "collapse_huge_page 6.1-", "__do_sys_mremap 5.10-",
	    "__x64_sys_mremap 5.10-", "mpol_rebind_mm 4.12-", "do_mbind 4.12-", "do_shmat 3.0-",
	    "setup_arg_pages 3.0-", "expand_stack 3.0-", "__mm_populate 3.10-",
	    "task_numa_work 4.12-", "madvise_lock 6.18-", "do_pages_stat 4.12-",
	    "uprobe_mmap 4.14-")),
	ROW(THREADGROUP, 4, .instead_of = PURPOSE_PERCPU_RWSEM, OF(
	    "cgroup_attach_lock 6.1-", "cgroup_procs_write_start 5.10-",
	    "cgroup_update_dfl_csses 4.4-", "__cgroup_procs_write 4.4-", "cgroup_can_fork 4.4-",
	    "copy_process 3.0-", "exit_signals 3.0-", "cgroup_attach_task_all 3.0-",
	    "cgroup_transfer_tasks 3.10-", "cgroup1_procs_write 5.10-")),
	ROW(CPU_HOTPLUG_LOCK, 3, .instead_of = PURPOSE_PERCPU_RWSEM, OF(
	    "cpus_read_lock 4.14-", "cpus_write_lock 4.14-", "get_online_cpus 3.0-4.12",
	    "cpu_hotplug_begin 3.0-4.12")),
	ROW(CONSOLE, 3, .instead_of = PURPOSE_SEMAPHORE, OF("console_lock 3.0-")),
	ROW(FREEZE, 3, .instead_of = PURPOSE_PERCPU_RWSEM, OF(
	    "__sb_start_write 3.10-4.14", "sb_wait_write 3.10-3.10", "freeze_super 3.0-",
	    "mnt_want_write 3.0-", "mnt_want_write_file 3.0-", "vfs_write 3.0-")),

	/*
	 * Memory: reclaim, throttling, compaction, faults, swap. Shared memory comes back from swap
	 * by functions of its own.
	 */
	ROW(PAGE_MOVED, 0, .is_no_memory = true, OF(
	    "migration_entry_wait 3.0-", "migration_entry_wait_on_locked 6.1-6.18")),
	ROW(PAGE_MOVED, 0, OF(
	    "__migration_entry_wait 3.10-6.1", "migration_entry_wait_huge 3.10-",
	    "pmd_migration_entry_wait 5.10-", "put_and_wait_on_page_locked 5.10-5.10")),
	ROW(USERFAULTFD, 0, OF("handle_userfault 4.12-")),
	ROW(USERFAULTFD_READ, 2, .is_for_work = true, OF(
	    "userfaultfd_read 4.12-6.1", "userfaultfd_ctx_read 6.1-6.1",
	    "userfaultfd_read_iter 6.12-")),
	ROW(USERFAULTFD, 4, OF(
	    "userfaultfd_event_wait_completion 4.12-", "dup_userfaultfd_complete 4.12-",
	    "userfaultfd_remove 4.12-", "mremap_userfaultfd_complete 4.12-",
	    "userfaultfd_unmap_complete 4.12-")),
	ROW(OOM, 3, OF(
	    "mem_cgroup_oom_synchronize 4.4-6.18", "pagefault_out_of_memory 3.0-",
	    "oom_killer_disable 4.4-")),
	ROW(KERNEL_THREAD, 1, .is_for_work = true, OF(
	    "oom_reaper 4.12-", "kswapd 3.0-", "kswapd_try_to_sleep 2.6-", "kcompactd 4.12-",
	    "khugepaged 3.0-", "ksm_scan_thread 3.0-", "kdamond_fn 6.12-")),
	ROW(MEMCG_HIGH, 3, OF(
	    "mem_cgroup_handle_over_high 4.4-6.12", "__mem_cgroup_handle_over_high 6.18-")),
	ROW(MEMPOOL, 2, OF("mempool_alloc 3.0-6.1", "mempool_alloc_noprof 6.12-")),
	ROW(HUGETLB, 4, OF("alloc_huge_page 4.4-6.1", "alloc_hugetlb_folio 6.12-")),
	ROW(NONE, 0, .memory = MEMORY_SWAP, OF(
	    "do_swap_page 4.12-", "shmem_swapin_folio 6.1-", "shmem_swapin_page 5.10-5.10",
	    "shmem_swapin 4.12-6.1", "shmem_swapin_cluster 6.8-", "swapin_readahead 3.0-",
	    "swap_cluster_readahead 5.10-", "swap_vma_readahead 6.1-6.1", "swap_read_folio 6.12-",
	    "swap_readpage 3.0-6.1", "read_swap_cache_async 3.0-")),
	ROW(NONE, 0, .memory = MEMORY_FAULT, OF("filemap_fault 3.0-")),
	ROW(NONE, 0, .memory = MEMORY_THROTTLE, OF(
	    "balance_dirty_pages 4.4-", "reclaim_throttle 6.1-", "throttle_direct_reclaim 4.4-")),
	ROW(NONE, 0, .memory = MEMORY_RECLAIM, OF(
	    "try_to_free_pages 3.0-", "node_reclaim 4.12-", "balance_pgdat 3.0-")),
	ROW(NONE, 0, .memory = MEMORY_MEMCG_RECLAIM, OF("try_to_free_mem_cgroup_pages 3.0-")),
	ROW(NONE, 0, .memory = MEMORY_COMPACTION, OF(
	    "try_to_compact_pages 3.0-", "compact_zone 3.0-", "compact_zone_order 4.4-",
	    "kcompactd_do_work 4.12-")),

	/*
	 * What the kernel waits for within itself: work items, RCU, threads, CPUs, modules; and
	 * where its own threads sleep when they have nothing to do.
	 */
	ROW(WORK, 1, .is_for_work = true, OF(
	    "worker_thread 3.0-", "rescuer_thread 3.0-", "kthread_worker_fn 3.0-")),
	ROW(KERNEL_THREAD, 1, .is_for_work = true, OF(
	    "smpboot_thread_fn 3.10-", "kthreadd 3.0-", "kauditd_thread 4.4-", "devtmpfsd 3.0-",
	    "devtmpfs_work_loop 6.1-", "bdi_forker_thread 3.0-3.0", "hwrng_fillfn 4.12-",
	    "khvcd 4.4-", "ecryptfs_threadfn 4.12-6.1", "psi_rtpoll_worker 6.1-",
	    "psi_poll_worker 5.10-5.10", "rfcomm_run 4.12-6.1", "kprobe_optimizer_thread 7.2-",
	    "watchdog 3.10-", "rcu_nocb_cb_kthread 6.1-", "drm_sched_main 6.1-6.1",
	    "xenwatch_thread 4.12-", "xenbus_thread 4.12-", "balloon_thread 5.10-",
	    "pktgen_thread_worker 6.1-6.12", "sync_thread_backup 6.1-6.1",
	    "sync_thread_master 6.1-6.1", "rcu_gp_kthread 3.10-", "rcu_tasks_kthread 4.12-",
	    "rcu_tasks_one_gp 6.1-", "nocb_gp_wait 7.2-", "rcu_nocb_gp_kthread 6.1-",
	    "nocb_cb_wait 5.4-", "rcu_nocb_kthread 3.8-4.20", "rcu_cpu_kthread 5.10-",
	    "kthread 3.0-")),
	ROW(INTERRUPT, 1, .is_for_work = true, OF("irq_thread 3.0-")),
	ROW(INTERRUPT, 2, .is_for_work = true, OF("irq_wait_for_interrupt 2.6-")),
	ROW(RCU, 4, OF(
	    "__wait_rcu_gp 4.4-", "synchronize_rcu 3.10-", "synchronize_rcu_normal 6.12-",
	    "synchronize_sched 3.0-4.14", "synchronize_rcu_bh 3.0-4.14", "synchronize_net 3.0-",
	    "synchronize_rcu_expedited 3.0-", "synchronize_rcu_expedited_wait_once 6.1-",
	    "exp_funnel_lock 4.4-", "wait_rcu_gp 3.0-3.10", "wait_rcu_exp_gp 4.12-",
	    "synchronize_sched_expedited 3.0-4.14", "rcu_exp_wait_wake 4.12-",
	    "synchronize_rcu_tasks 4.12-", "synchronize_rcu_tasks_generic 6.1-6.1",
	    "synchronize_rcu_tasks_rude 5.10-", "synchronize_rcu_tasks_trace 5.10-6.18",
	    "rcu_sync_enter 4.4-", "cond_synchronize_rcu 4.4-")),
	ROW(RCU_CALLBACKS, 3, OF(
	    "rcu_barrier 3.0-", "_rcu_barrier 3.0-4.14", "rcu_barrier_bh 3.0-4.14",
	    "rcu_barrier_sched 3.0-4.14", "rcu_barrier_tasks 4.12-",
	    "rcu_barrier_tasks_generic 6.1-6.18", "srcu_barrier 3.10-")),
	ROW(SRCU, 4, OF(
	    "__synchronize_srcu 3.0-", "synchronize_srcu 3.0-", "synchronize_srcu_expedited 3.0-")),
	ROW(RCU_READERS, 2, OF(
	    "rcu_gp_fqs_loop 6.1-", "rcu_tasks_wait_gp 5.10-", "rcu_tasks_postscan 6.1-",
	    "check_all_holdout_tasks_trace 5.10-6.18")),
	ROW(FLUSH_WORK, 4, OF(
	    "__flush_work 5.10-", "flush_work 3.0-", "__cancel_work_timer 3.0-6.1",
	    "__cancel_work_sync 6.10-", "cancel_work_sync 3.0-", "cancel_delayed_work_sync 3.0-",
	    "flush_delayed_work 3.0-", "start_flush_work 3.0-6.1", "flush_rcu_work 5.10-",
	    "drain_all_pages 3.0-", "__drain_all_pages 6.1-", "__lru_add_drain_all 6.1-",
	    "lru_add_drain_all 3.0-", "schedule_on_each_cpu 3.0-", "work_on_cpu 3.0-5.10",
	    "work_on_cpu_safe 4.14-5.10", "work_on_cpu_key 6.1-", "wait_on_work 3.0-3.0",
	    "kthread_flush_work 2.6-", "kthread_flush_worker 4.12-", "flush_kthread_work 3.0-4.4",
	    "flush_kthread_worker 3.0-4.4", "kthread_cancel_work_sync 4.12-")),
	ROW(FLUSH_WORKQUEUE, 4, OF(
	    "__flush_workqueue 6.1-", "flush_workqueue 3.0-5.10", "drain_workqueue 3.0-",
	    "destroy_workqueue 3.0-")),
	ROW(COMPLETION, 2, .is_vague = true, OF(
	    "wait_for_completion 3.0-", "wait_for_completion_timeout 3.0-",
	    "wait_for_completion_interruptible 3.0-",
	    "wait_for_completion_interruptible_timeout 3.0-", "wait_for_completion_killable 3.0-",
	    "wait_for_completion_killable_timeout 3.0-", "wait_for_completion_state 6.1-",
	    "wait_for_completion_io 3.10-", "wait_for_completion_io_timeout 3.10-",
	    "__wait_for_common 5.10-", "wait_for_common 3.0-4.14", "do_wait_for_common 2.6-")),
	ROW(KTHREAD_STOP, 3, OF("kthread_stop 3.0-", "kthread_stop_put 6.12-")),
	ROW(KTHREAD_PARK, 3, OF("kthread_park 3.10-", "smpboot_park_threads 3.10-")),
	ROW(KTHREAD_PARKED, 2, OF("__kthread_parkme 3.10-", "kthread_parkme 3.10-")),
	ROW(KTHREAD_CREATE, 3, OF(
	    "__kthread_create_on_node 4.12-", "kthread_create_on_node 3.0-",
	    "__kthread_create_worker 4.12-6.12", "kthread_create_on_cpu 3.10-")),
	ROW(KTHREAD_BIND, 4, OF(
	    "affine_move_task 6.1-", "__set_cpus_allowed_ptr 4.4-", "set_cpus_allowed_ptr 3.0-",
	    "__set_cpus_allowed_ptr_locked 6.1-", "wait_task_inactive 3.0-", "migrate_swap 4.4-",
	    "sched_exec 3.0-", "__sched_setaffinity 6.1-")),
	ROW(USERMODE_HELPER, 3, .is_vague = true, OF(
	    "call_usermodehelper_exec 3.0-", "call_usermodehelper 3.10-")),
	ROW(MODULE_REQUEST, 5, OF("__request_module 4.4-")),
	ROW(MODULE_LOAD, 4, OF(
	    "idempotent_init_module 6.12-", "load_module 4.4-", "init_module_from_file 6.12-",
	    "do_init_module 4.4-", "__do_sys_finit_module 5.10-6.1", "resolve_symbol 4.4-",
	    "module_patient_check_exists 6.12-")),
	ROW(ASYNC, 3, OF(
	    "async_synchronize_cookie_domain 3.0-", "async_synchronize_full 3.0-",
	    "async_synchronize_cookie 3.0-", "async_synchronize_full_domain 3.0-")),
	ROW(STOP_MACHINE, 4, OF(
	    "stop_machine 3.0-", "stop_machine_cpuslocked 4.14-", "stop_one_cpu 3.0-",
	    "stop_two_cpus 4.4-", "__stop_cpus 3.0-", "stop_cpus 3.0-4.14",
	    "stop_core_cpuslocked 6.1-", "stop_machine_from_inactive_cpu 3.0-")),
	ROW(SMP_CALL, 3, OF(
	    "smp_call_on_cpu 4.12-", "rdmsr_safe_on_cpu 3.0-6.18", "rdmsrl_safe_on_cpu 4.12-6.12",
	    "rdmsrq_safe_on_cpu 6.18-")),
	ROW(CPU_HOTPLUG, 4, OF(
	    "__cpuhp_kick_ap 4.14-", "cpuhp_kick_ap 5.10-6.1", "cpuhp_kick_ap_work 4.12-",
	    "wait_for_ap_thread 4.12-", "bringup_wait_for_ap 4.6-", "takedown_cpu 4.12-",
	    "cpuhp_issue_call 4.12-")),
	ROW(IRQ_END, 3, OF(
	    "synchronize_irq 3.0-", "__synchronize_irq 6.12-", "disable_irq 3.0-", "free_irq 3.0-",
	    "__free_irq 3.0-4.14")),
	ROW(TIMER_END, 3, OF(
	    "timer_delete_sync 5.10-", "del_timer_sync 3.0-4.14", "__timer_delete_sync 6.1-6.12",
	    "timer_wait_running 5.10-6.1", "hrtimer_cancel_wait_running 6.1-6.1",
	    "tasklet_unlock_wait 6.1-", "tasklet_kill 3.0-", "posix_cpu_timer_wait_running 5.10-")),
	ROW(DELAY, 2, .call = CALL_MSLEEP, OF(
	    "msleep 3.0-", "msleep_interruptible 3.0-", "usleep_range 3.0-5.10",
	    "usleep_range_state 6.1-")),
	ROW(CGROUP, 4, OF(
	    "cgroup_lock_and_drain_offline 4.12-", "kernfs_drain 6.1-", "__kernfs_remove 4.4-",
	    "kernfs_remove_by_name_ns 4.4-")),
	ROW(AUDIT, 3, OF("audit_log_start 4.4-")),
	ROW(SUSPEND, 3, OF(
	    "dpm_wait 3.0-4.14", "dpm_wait_for_superior 4.12-", "dpm_wait_for_subordinate 4.12-",
	    "suspend_devices_and_enter 3.0-")),
	ROW(DEVICE_RESUME, 3, OF(
	    "rpm_suspend 3.0-", "rpm_resume 3.0-", "rpm_idle 3.0-", "__pm_runtime_resume 3.0-",
	    "pm_runtime_barrier 3.0-", "__pm_runtime_barrier 3.0-")),
	ROW(DEVICE_PROBE, 3, OF("wait_for_device_probe 3.0-", "wait_for_init_devices_probe 6.1-")),
	ROW(DEVTMPFS, 4, OF(
	    "devtmpfs_submit_req 5.10-6.1", "devtmpfs_create_node 3.0-",
	    "devtmpfs_delete_node 3.0-")),
	ROW(VHOST, 1, .is_for_work = true, OF("vhost_worker 6.1-6.1", "vhost_task_fn 6.12-")),
	ROW(VHOST, 4, OF("vhost_dev_flush 6.1-6.12")),
	ROW(KVM_HALT, 2, .is_for_work = true, OF("kvm_vcpu_block 4.4-6.18")),
	ROW(KVM_HALT, 3, .is_for_work = true, OF("kvm_vcpu_halt 4.12-6.18")),
	ROW(KVM_FAULT, 3, OF(
	    "kvm_async_pf_task_wait 4.12-4.14", "kvm_async_pf_task_wait_schedule 5.10-")),
	ROW(SOUND, 4, OF(
	    "wait_for_avail 3.10-4.12", "snd_pcm_drain 4.14-6.1", "__snd_pcm_lib_xfer 4.14-6.12",
	    "snd_pcm_lib_read1 3.10-4.12", "snd_pcm_lib_write1 3.10-4.12", "snd_seq_read 4.12-6.1",
	    "snd_timer_user_read 3.10-6.1", "snd_rawmidi_kernel_read1 4.12-6.1",
	    "snd_rawmidi_read 4.12-6.1", "snd_rawmidi_write 4.12-6.1", "snd_ctl_read 3.10-6.1",
	    "snd_pcm_sync_stop 6.1-6.1")),
	{0},
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory: reclaim, throttling, compaction, faults, swap. Shared memory comes back from swap by
 * functions of its own.
 */
#include "place_rows.h"

#include "base/data/array.h"

static const struct place_row rows[] = {
	ROW("migration_entry_wait", "3.0-", PAGE_MOVED, 0, .is_no_memory = true),
	ROW("migration_entry_wait_on_locked", "6.1-6.18", PAGE_MOVED, 0, .is_no_memory = true),
	ROW("__migration_entry_wait", "3.10-6.1", PAGE_MOVED, 0),
	ROW("migration_entry_wait_huge", "3.10-", PAGE_MOVED, 0),
	ROW("pmd_migration_entry_wait", "5.10-", PAGE_MOVED, 0),
	ROW("put_and_wait_on_page_locked", "5.10-5.10", PAGE_MOVED, 0),
	ROW("handle_userfault", "4.12-", USERFAULTFD, 0),
	ROW("userfaultfd_read", "4.12-6.1", USERFAULTFD_READ, 2, .is_for_work = true),
	ROW("userfaultfd_ctx_read", "6.1-6.1", USERFAULTFD_READ, 2, .is_for_work = true),
	ROW("userfaultfd_read_iter", "6.12-", USERFAULTFD_READ, 2, .is_for_work = true),
	ROW("userfaultfd_event_wait_completion", "4.12-", USERFAULTFD, 4),
	ROW("dup_userfaultfd_complete", "4.12-", USERFAULTFD, 4),
	ROW("userfaultfd_remove", "4.12-", USERFAULTFD, 4),
	ROW("mremap_userfaultfd_complete", "4.12-", USERFAULTFD, 4),
	ROW("userfaultfd_unmap_complete", "4.12-", USERFAULTFD, 4),
	ROW("mem_cgroup_oom_synchronize", "4.4-6.18", OOM, 3),
	ROW("pagefault_out_of_memory", "3.0-", OOM, 3),
	ROW("oom_killer_disable", "4.4-", OOM, 3),
	ROW("oom_reaper", "4.12-", KERNEL_THREAD, 1, .is_for_work = true),
	ROW("kswapd", "3.0-", KERNEL_THREAD, 1, .is_for_work = true),
	ROW("kswapd_try_to_sleep", "2.6-", KERNEL_THREAD, 1, .is_for_work = true),
	ROW("kcompactd", "4.12-", KERNEL_THREAD, 1, .is_for_work = true),
	ROW("khugepaged", "3.0-", KERNEL_THREAD, 1, .is_for_work = true),
	ROW("ksm_scan_thread", "3.0-", KERNEL_THREAD, 1, .is_for_work = true),
	ROW("kdamond_fn", "6.12-", KERNEL_THREAD, 1, .is_for_work = true),
	ROW("mem_cgroup_handle_over_high", "4.4-6.12", MEMCG_HIGH, 3),
	ROW("__mem_cgroup_handle_over_high", "6.18-", MEMCG_HIGH, 3),
	ROW("mempool_alloc", "3.0-6.1", MEMPOOL, 2),
	ROW("mempool_alloc_noprof", "6.12-", MEMPOOL, 2),
	ROW("alloc_huge_page", "4.4-6.1", HUGETLB, 4),
	ROW("alloc_hugetlb_folio", "6.12-", HUGETLB, 4),
	ROW("do_swap_page", "4.12-", NONE, 0, .memory = MEMORY_SWAP),
	ROW("shmem_swapin_folio", "6.1-", NONE, 0, .memory = MEMORY_SWAP),
	ROW("shmem_swapin_page", "5.10-5.10", NONE, 0, .memory = MEMORY_SWAP),
	ROW("shmem_swapin", "4.12-6.1", NONE, 0, .memory = MEMORY_SWAP),
	ROW("shmem_swapin_cluster", "6.8-", NONE, 0, .memory = MEMORY_SWAP),
	ROW("swapin_readahead", "3.0-", NONE, 0, .memory = MEMORY_SWAP),
	ROW("swap_cluster_readahead", "5.10-", NONE, 0, .memory = MEMORY_SWAP),
	ROW("swap_vma_readahead", "6.1-6.1", NONE, 0, .memory = MEMORY_SWAP),
	ROW("swap_read_folio", "6.12-", NONE, 0, .memory = MEMORY_SWAP),
	ROW("swap_readpage", "3.0-6.1", NONE, 0, .memory = MEMORY_SWAP),
	ROW("read_swap_cache_async", "3.0-", NONE, 0, .memory = MEMORY_SWAP),
	ROW("filemap_fault", "3.0-", NONE, 0, .memory = MEMORY_FAULT),
	ROW("balance_dirty_pages", "4.4-", NONE, 0, .memory = MEMORY_THROTTLE),
	ROW("reclaim_throttle", "6.1-", NONE, 0, .memory = MEMORY_THROTTLE),
	ROW("throttle_direct_reclaim", "4.4-", NONE, 0, .memory = MEMORY_THROTTLE),
	ROW("try_to_free_pages", "3.0-", NONE, 0, .memory = MEMORY_RECLAIM),
	ROW("node_reclaim", "4.12-", NONE, 0, .memory = MEMORY_RECLAIM),
	ROW("balance_pgdat", "3.0-", NONE, 0, .memory = MEMORY_RECLAIM),
	ROW("try_to_free_mem_cgroup_pages", "3.0-", NONE, 0, .memory = MEMORY_MEMCG_RECLAIM),
	ROW("try_to_compact_pages", "3.0-", NONE, 0, .memory = MEMORY_COMPACTION),
	ROW("compact_zone", "3.0-", NONE, 0, .memory = MEMORY_COMPACTION),
	ROW("compact_zone_order", "4.4-", NONE, 0, .memory = MEMORY_COMPACTION),
	ROW("kcompactd_do_work", "4.12-", NONE, 0, .memory = MEMORY_COMPACTION),
};

const struct place_group place_rows_memory = {rows, ARRAY_SIZE(rows)};

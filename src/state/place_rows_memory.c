/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory: reclaim, throttling, compaction, faults, swap. Shared memory comes back from swap by
 * functions of its own.
 */
#include "place_rows.h"

#include "base/array.h"

static const struct place_row rows[] = {
	{"migration_entry_wait", 0, .is_no_memory = true},
	{"migration_entry_wait_on_locked", 0, .is_no_memory = true},
	{"do_swap_page", 0, .memory = MEMORY_SWAP},
	{"shmem_swapin_folio", 0, .memory = MEMORY_SWAP},
	{"shmem_swapin_page", 0, .memory = MEMORY_SWAP},
	{"shmem_swapin", 0, .memory = MEMORY_SWAP},
	{"shmem_swapin_cluster", 0, .memory = MEMORY_SWAP},
	{"swapin_readahead", 0, .memory = MEMORY_SWAP},
	{"swap_cluster_readahead", 0, .memory = MEMORY_SWAP},
	{"swap_vma_readahead", 0, .memory = MEMORY_SWAP},
	{"swap_read_folio", 0, .memory = MEMORY_SWAP},
	{"swap_readpage", 0, .memory = MEMORY_SWAP},
	{"read_swap_cache_async", 0, .memory = MEMORY_SWAP},
	{"filemap_fault", 0, .memory = MEMORY_FAULT},
	{"balance_dirty_pages", 0, .memory = MEMORY_THROTTLE},
	{"reclaim_throttle", 0, .memory = MEMORY_THROTTLE},
	{"throttle_direct_reclaim", 0, .memory = MEMORY_THROTTLE},
	{"try_to_free_pages", 0, .memory = MEMORY_RECLAIM},
	{"node_reclaim", 0, .memory = MEMORY_RECLAIM},
	{"balance_pgdat", 0, .memory = MEMORY_RECLAIM},
	{"try_to_free_mem_cgroup_pages", 0, .memory = MEMORY_MEMCG_RECLAIM},
	{"try_to_compact_pages", 0, .memory = MEMORY_COMPACTION},
	{"compact_zone", 0, .memory = MEMORY_COMPACTION},
	{"compact_zone_order", 0, .memory = MEMORY_COMPACTION},
	{"kcompactd_do_work", 0, .memory = MEMORY_COMPACTION},
	{"folio_wait_writeback", 0, .memory = MEMORY_WRITEBACK},
	{"wait_on_page_writeback", 0, .memory = MEMORY_WRITEBACK},
};

const struct place_group place_rows_memory = {rows, ARRAY_SIZE(rows)};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places of input and output. */
#include "place_rows.h"

const struct place_row place_rows_io[] = {
	/* Files, the page cache, file systems and block devices. */
	ROW(PAGE, 2, .is_vague = true, OF(
	    "folio_wait_bit_common 6.1-", "wait_on_page_bit_common 4.12-5.10",
	    "folio_wait_bit 6.1-", "wait_on_page_bit 3.0-5.10",
	    "wait_on_page_bit_killable 3.0-5.10", "folio_wait_bit_killable 6.1-",
	    "sleep_on_page 3.0-3.10", "sleep_on_page_killable 3.0-3.10")),
	ROW(PAGE_READ, 4, OF(
	    "filemap_read_folio 6.1-", "filemap_get_pages 6.1-", "filemap_update_page 5.12-",
	    "filemap_read 6.1-", "generic_file_buffered_read 5.10-5.10",
	    "do_generic_file_read 2.6-4.14", "generic_file_read_iter 4.4-",
	    "do_read_cache_page 3.0-5.10", "do_read_cache_folio 6.1-", "read_cache_page 3.0-",
	    "read_cache_folio 6.1-", "filemap_splice_read 6.12-", "mpage_readahead 5.10-",
	    "iomap_readahead 5.10-", "ext4_mpage_readpages 4.4-", "block_read_full_folio 6.1-",
	    "block_read_full_page 3.0-5.10", "squashfs_cache_get 4.12-6.18")),
	ROW(READAHEAD, 5, .is_vague = true, OF(
	    "force_page_cache_ra 5.10-", "page_cache_ra_unbounded 5.10-",
	    "page_cache_ra_order 6.1-", "page_cache_sync_ra 5.10-", "page_cache_async_ra 5.10-",
	    "page_cache_sync_readahead 3.0-", "page_cache_async_readahead 3.0-4.14",
	    "ondemand_readahead 3.0-6.1", "__do_page_cache_readahead 3.0-4.14",
	    "read_pages 5.10-")),
	ROW(PAGE_LOCK, 3, OF(
	    "__folio_lock 6.1-", "__folio_lock_killable 6.1-", "__lock_page 3.0-5.10",
	    "__lock_page_killable 3.0-5.10", "__folio_lock_or_retry 6.1-",
	    "__lock_page_or_retry 3.0-5.10", "truncate_inode_pages_range 3.0-",
	    "invalidate_inode_pages2_range 3.0-", "__filemap_get_folio 6.1-6.18",
	    "pagecache_get_page 4.4-", "filemap_get_entry 6.12-", "find_lock_entries 6.1-")),
	ROW(WRITEBACK, 0, .memory = MEMORY_WRITEBACK, .is_vague = true, OF(
	    "folio_wait_writeback 6.1-", "wait_on_page_writeback 5.10-")),
	ROW(WRITEBACK, 0, .is_vague = true, OF(
	    "folio_wait_writeback_killable 6.1-", "folio_wait_stable 6.1-",
	    "wait_for_stable_page 3.10-6.12", "__filemap_fdatawait_range 4.4-",
	    "filemap_fdatawait_range 3.0-", "filemap_fdatawait_keep_errors 4.4-",
	    "file_write_and_wait_range 4.14-", "filemap_write_and_wait_range 3.0-",
	    "filemap_write_and_wait 3.0-4.14", "wb_wait_for_completion 4.4-",
	    "bdi_writeback_workfn 3.10-3.10", "write_cache_pages 3.0-6.12",
	    "filemap_fdatawrite_wbc 6.1-6.18", "__filemap_fdatawrite_range 3.0-6.18",
	    "__writeback_single_inode 3.10-", "do_writepages 3.0-")),
	ROW(SYNC, 0, OF(
	    "ksys_sync 5.10-", "sys_sync 3.0-6.1", "iterate_supers 3.0-", "sync_filesystem 3.0-",
	    "ksys_sync_file_range 5.10-", "sync_file_range 5.10-", "sync_inodes_sb 3.0-",
	    "sync_blockdev 3.0-")),
	ROW(FSYNC, 0, OF(
	    "vfs_fsync_range 3.0-", "vfs_fsync 3.0-", "do_fsync 3.0-", "ext4_sync_file 3.0-",
	    "xfs_file_fsync 6.18-6.18", "btrfs_sync_file 6.18-6.18", "f2fs_do_sync_file 6.1-6.1",
	    "f2fs_sync_file 6.1-6.1", "blkdev_fsync 3.0-", "generic_file_fsync 3.0-6.18",
	    "__generic_file_fsync 4.4-6.18", "fat_file_fsync 3.10-6.1", "fuse_fsync 3.10-",
	    "__x64_sys_fsync 5.10-", "__x64_sys_fdatasync 5.10-", "__x64_sys_msync 5.10-",
	    "__do_sys_msync 5.10-", "ovl_fsync 6.1-6.18", "mmb_fsync 7.2-", "simple_fsync 7.2-")),
	ROW(BUFFER, 3, .is_vague = true, OF(
	    "bit_wait_io 4.4-", "__wait_on_buffer 3.0-", "sleep_on_buffer 3.0-3.10")),
	ROW(BUFFER, 5, OF(
	    "ext4_read_bh 5.10-", "ext4_bread 3.0-", "__ext4_get_inode_loc 3.0-",
	    "ext4_get_inode_loc 3.0-", "ext4_read_bh_lock 5.10-", "__ext4_find_entry 5.10-",
	    "ext4_find_entry 3.0-", "__read_extent_tree_block 4.4-", "ext4_read_block_bitmap 3.0-",
	    "ext4_wait_block_bitmap 3.0-", "ext4_read_inode_bitmap 3.0-", "__bread_gfp 4.4-",
	    "__block_write_begin 3.0-", "__block_write_begin_int 4.12-", "ext4_sb_bread 5.10-")),
	ROW(BIT, 2, .is_vague = true, OF(
	    "bit_wait 4.4-", "__wait_on_bit 3.0-", "out_of_line_wait_on_bit 3.0-")),
	ROW(DIRECT_IO, 2, OF(
	    "__iomap_dio_rw 5.10-", "iomap_dio_complete 4.12-", "dio_await_one 2.6-",
	    "dio_await_completion 2.6-")),
	ROW(DIRECT_IO, 4, OF(
	    "iomap_dio_rw 4.12-", "__blkdev_direct_IO 6.1-6.1", "__blkdev_direct_IO_simple 4.12-",
	    "blkdev_direct_IO 3.0-", "do_blockdev_direct_IO 3.0-5.10", "__blockdev_direct_IO 3.0-",
	    "ext4_direct_IO 3.0-4.14", "generic_file_direct_write 3.0-", "nfs_direct_wait 3.0-6.1",
	    "nfs_file_direct_read 3.0-6.12", "nfs_file_direct_write 3.0-6.12")),
	ROW(DIRECT_IO_END, 3, OF(
	    "inode_dio_wait 3.0-", "__inode_dio_wait 3.1-", "inode_dio_wait_interruptible 6.12-")),
	ROW(INODE, 4, OF(
	    "__wait_on_freeing_inode 3.0-", "evict 3.0-", "inode_wait_for_writeback 3.0-",
	    "evict_inodes 3.0-", "find_inode 3.0-", "find_inode_fast 3.0-",
	    "__inode_wait_for_writeback 3.10-6.1")),
	ROW(INODE_NEW, 4, OF(
	    "wait_on_inode 3.0-3.0", "wait_on_new_inode 7.2-", "iget_locked 3.0-",
	    "iget5_locked 3.0-", "ilookup 3.0-", "ilookup5 3.0-", "inode_insert5 5.10-")),
	ROW(NAME, 3, OF("d_alloc_parallel 4.12-", "d_wait_lookup 4.7-")),
	ROW(FREEZE, 3, OF("ext4_journal_check_start 4.4-")),
	ROW(SUPERBLOCK, 3, OF(
	    "super_lock 6.12-", "super_lock_shared 6.6-", "super_lock_excl 6.6-",
	    "grab_super 3.0-6.18")),
	ROW(AUTOFS, 3, OF(
	    "autofs_wait 6.1-6.18", "autofs4_wait 4.4-4.12", "autofs_mount_wait 6.1-6.18")),
	ROW(EXT4_COMMIT, 3, OF(
	    "jbd2_log_wait_commit 3.0-", "jbd2_complete_transaction 3.10-", "ext4_fc_commit 5.10-",
	    "jbd2_fc_begin_commit 5.10-", "ext4_fc_wait_committing_inode 5.10-6.12")),
	ROW(EXT4_COMMIT, 4, OF(
	    "wait_transaction_locked 4.4-", "jbd2_journal_lock_updates 3.0-",
	    "jbd2_journal_wait_updates 6.1-")),
	ROW(EXT4_JOURNAL, 4, OF(
	    "add_transaction_credits 4.4-", "start_this_handle 3.0-",
	    "__jbd2_log_wait_for_space 3.0-", "jbd2_journal_start 3.0-", "jbd2__journal_start 3.0-",
	    "jbd2_journal_extend 3.0-")),
	ROW(EXT4_JOURNAL_BUFFER, 4, OF(
	    "do_get_write_access 3.0-", "jbd2_journal_get_write_access 3.0-",
	    "jbd2_journal_invalidate_folio 6.1-")),
	ROW(EXT4_CHECKPOINT, 0, OF("jbd2_log_do_checkpoint 3.0-", "jbd2_update_log_tail 3.0-")),
	ROW(EXT4_COMMIT_IO, 0, OF("jbd2_journal_commit_transaction 3.0-")),
	ROW(KERNEL_THREAD, 1, .is_for_work = true, OF(
	    "kjournald2 3.0-", "xfsaild 6.1-6.18", "ext4_lazyinit_thread 3.0-",
	    "cleaner_kthread 6.1-6.18", "transaction_kthread 6.1-6.18", "gc_thread_func 6.1-6.1",
	    "issue_flush_thread 6.1-6.1", "issue_checkpoint_thread 6.1-6.1",
	    "issue_discard_thread 6.1-6.1", "jfs_lazycommit 6.1-6.1", "jfs_sync 6.1-6.1",
	    "jfsIOWait 6.1-6.1", "md_thread 4.12-6.1", "dmcrypt_write 6.1-6.1",
	    "bch_allocator_thread 6.1-6.1", "bch_gc_thread 6.1-6.1", "scsi_error_handler 3.0-6.12",
	    "usb_stor_control_thread 3.10-6.1", "mmc_queue_thread 3.10-4.4",
	    "loop_thread 3.10-3.10", "kmmpd 3.0-", "drbd_worker 6.1-6.12", "ubi_thread 6.1-6.1")),
	ROW(EXT4, 3, OF(
	    "ext4_inode_attach_jinode 4.4-", "mb_cache_entry_wait_unused 5.10-",
	    "ext4_mb_discard_lg_preallocations 3.0-")),
	ROW(XFS_LOG, 4, OF(
	    "xlog_wait_on_iclog 6.1-6.18", "xfs_log_force 6.18-6.18", "xfs_log_force_seq 6.1-6.18",
	    "xfs_log_force_lsn 2.6-5.14", "_xfs_log_force 2.6-4.16", "_xfs_log_force_lsn 2.6-4.16",
	    "xlog_force_lsn 6.1-6.18", "xlog_state_get_iclog_space 6.1-6.18",
	    "xlog_cil_force_seq 6.1-6.18", "xlog_wait 3.0-")),
	ROW(XFS_LOG_SPACE, 4, OF(
	    "xlog_grant_head_wait 6.1-6.18", "xlog_grant_head_check 6.1-6.18",
	    "xfs_log_reserve 6.18-6.18")),
	ROW(XFS_BUFFER, 5, OF(
	    "xfs_buf_lock 6.18-6.18", "xfs_buf_iowait 6.18-6.18", "_xfs_buf_read 6.18-6.18",
	    "xfs_buf_find_lock 6.1-6.18", "xfs_buf_read_map 6.1-6.18", "xfs_bwrite 6.1-6.18",
	    "xfs_buf_delwri_submit 6.1-6.18")),
	ROW(XFS_PIN, 3, OF(
	    "xfs_iunpin_wait 6.18-6.18", "__xfs_iunpin_wait 6.1-6.18", "xfs_inode_unpin_wait 3.0-",
	    "xfs_buf_wait_unpin 6.1-6.18", "xfs_qm_dqunpin_wait 6.1-6.1")),
	ROW(XFS_AIL, 4, OF("xfs_ail_push_all_sync 6.1-6.18")),
	ROW(XFS, 4, OF(
	    "xfs_inodegc_flush 6.18-6.18", "xfs_extent_busy_wait_all 6.1-6.18",
	    "xfs_extent_busy_flush 6.1-6.18", "xfs_buftarg_wait 6.1-6.18",
	    "xfs_pwork_poll 6.1-6.18", "xfs_inodegc_stop 6.18-6.18")),
	ROW(BTRFS_COMMIT, 4, OF(
	    "wait_for_commit 6.1-6.18", "btrfs_wait_for_commit 6.1-6.18",
	    "wait_current_trans 6.1-6.18", "btrfs_commit_transaction 6.1-6.18",
	    "btrfs_commit_transaction_async 6.1-6.18",
	    "btrfs_commit_current_transaction 6.18-6.18")),
	ROW(BTRFS_LOG, 4, OF(
	    "wait_log_commit 6.1-6.18", "btrfs_sync_log 6.1-6.18",
	    "btrfs_wait_tree_log_extents 6.1-6.18")),
	ROW(BTRFS_ORDERED, 4, OF(
	    "btrfs_start_ordered_extent 6.1-6.1",
	    "btrfs_start_ordered_extent_nowriteback 6.18-6.18", "btrfs_wait_ordered_range 6.1-6.18",
	    "btrfs_wait_ordered_extents 6.1-6.18", "btrfs_lock_and_flush_ordered_range 6.1-6.18")),
	ROW(BTRFS_SPACE, 4, OF(
	    "wait_reserve_ticket 4.8-", "handle_reserve_ticket 5.4-", "__reserve_bytes 6.1-6.18",
	    "reserve_metadata_bytes 2.6-5.9", "btrfs_reserve_metadata_bytes 6.1-6.18",
	    "btrfs_reserve_data_bytes 6.1-6.18")),
	ROW(BTRFS_EXTENT, 4, OF(
	    "wait_extent_bit 6.1-6.1", "lock_extent_bits 2.6-6.1",
	    "btrfs_lock_extent_bits 6.18-6.18")),
	ROW(BTRFS_METADATA, 4, OF(
	    "read_extent_buffer_pages 6.1-6.18", "read_extent_buffer_pages_nowait 6.18-6.18",
	    "btrfs_read_extent_buffer 6.1-6.18", "wait_on_extent_buffer_writeback 6.1-6.1")),
	ROW(BTRFS, 4, OF(
	    "btrfs_wait_block_group_reservations 6.1-6.18", "btrfs_drew_write_lock 6.1-6.18",
	    "btrfs_drew_read_lock 6.1-6.18", "btrfs_wait_block_group_cache_progress 6.1-6.18",
	    "wait_scrub_stripe_io 6.18-6.18", "btrfs_scrub_pause 6.1-6.18", "btrfs_tree_lock 2.6-",
	    "btrfs_tree_read_lock 2.6-", "btrfs_dev_replace_finishing 6.1-6.18",
	    "btrfs_rm_dev_replace_blocked 6.1-6.18")),
	ROW(F2FS_FLUSH, 4, OF("f2fs_issue_flush 3.15-")),
	ROW(F2FS_CHECKPOINT, 4, OF(
	    "f2fs_issue_checkpoint 6.1-6.1", "f2fs_wait_on_all_pages 6.1-6.1")),
	ROW(F2FS, 4, OF(
	    "f2fs_wait_on_page_writeback 6.1-6.1", "f2fs_wait_on_block_writeback 6.1-6.1",
	    "f2fs_balance_fs 6.1-6.1")),
	ROW(FUSE_REPLY, 4, OF(
	    "request_wait_answer 4.4-", "__fuse_request_send 3.10-4.12",
	    "fuse_simple_request 4.4-6.1", "__fuse_simple_request 6.12-",
	    "fuse_request_send 3.10-4.12", "fuse_send_read 3.10-3.10", "fuse_set_nowrite 3.10-",
	    "fuse_wait_on_page_writeback 3.10-6.12", "fuse_direct_io 3.10-", "fuse_readahead 6.1-",
	    "fuse_wait_aborted 6.1-6.18")),
	ROW(FUSE_ROOM, 3, OF(
	    "fuse_get_req 3.10-", "__fuse_get_req 3.10-4.12",
	    "fuse_get_req_nofail_nopages 3.10-4.12")),
	ROW(FUSE_REQUEST, 2, .is_for_work = true, OF(
	    "fuse_dev_do_read 3.10-", "fuse_dev_read 3.10-")),
	ROW(QUOTA, 3, OF("dquot_acquire 4.4-", "dqget 4.4-", "wait_on_dquot 2.6-")),
	ROW(CRYPTO, 4, OF(
	    "crypto_larval_wait 3.10-", "crypto_wait_for_test 3.10-6.1",
	    "crypto_alg_mod_lookup 3.10-")),
	ROW(BIO, 3, .is_vague = true, OF(
	    "submit_bio_wait 3.10-", "bio_await_chain 6.12-6.18", "bio_await 7.2-")),
	ROW(FLUSH, 4, OF("blkdev_issue_flush 3.0-")),
	ROW(DISCARD, 4, OF(
	    "blkdev_issue_discard 3.0-", "blkdev_issue_zeroout 3.0-",
	    "blkdev_issue_secure_erase 6.1-", "blk_ioctl_discard 4.4-5.10")),
	ROW(BLOCK_TAG, 3, OF(
	    "blk_mq_get_tag 4.4-", "bt_get 4.4-4.4", "blk_mq_get_request 4.14-4.14",
	    "__blk_mq_alloc_requests 6.1-", "get_request 3.0-4.14", "get_request_wait 3.0-3.0",
	    "__blk_mq_alloc_request 4.4-5.10", "blk_mq_alloc_request_hctx 4.12-")),
	ROW(BLOCK_LIMIT, 3, OF("rq_qos_wait 5.10-", "wbt_wait 5.10-")),
	ROW(BLOCK_THROTTLE, 4, OF("ioc_rqos_throttle 5.10-", "blkcg_maybe_throttle_current 5.10-")),
	ROW(BLOCK_FREEZE, 3, OF(
	    "blk_queue_enter 4.4-", "__bio_queue_enter 6.1-", "bio_queue_enter 5.15-")),
	ROW(BLOCK_DRAIN, 3, OF(
	    "blk_mq_freeze_queue_wait 4.4-", "blk_mq_freeze_queue 4.4-6.12",
	    "blk_freeze_queue 4.4-6.12", "blk_mq_freeze_queue_nomemsave 6.18-",
	    "blk_mq_freeze_queue_wait_timeout 4.12-", "blk_drain_queue 3.0-3.0")),
	ROW(BLOCK_REQUEST, 4, .is_vague = true, OF("blk_execute_rq 3.0-")),
	ROW(PARTITION, 4, OF("bd_prepare_to_claim 5.10-")),
	ROW(MD, 4, OF(
	    "md_write_start 4.12-6.12", "md_handle_request 6.1-6.12", "md_super_wait 4.12-6.1",
	    "md_make_request 4.12-4.12", "wait_barrier 6.1-6.1", "raise_barrier 6.1-6.1",
	    "md_flush_request 4.12-6.12", "wait_read_barrier 6.1-6.1", "mddev_suspend 4.12-6.12")),
	ROW(RAID, 4, OF(
	    "raid5_get_active_stripe 6.1-6.12", "wait_for_stripe 2.6-",
	    "raid5_make_request 6.1-6.12", "get_active_stripe 2.6-4.14")),
	ROW(DM, 4, OF(
	    "dm_wait_for_completion 4.12-6.1", "dm_suspend 3.10-6.12",
	    "dm_internal_suspend_fast 4.12-6.12", "sync_io 4.12-6.1", "dm_io 3.10-6.12",
	    "dm_bufio_read 6.1-6.12", "new_read 6.1-6.1", "__bufio_new 6.1-6.1",
	    "dm_kcopyd_client_flush 6.1-6.12")),
	ROW(BCACHE, 4, OF(
	    "bch_bucket_alloc 6.1-6.1", "bch_btree_node_read 6.1-6.1", "bch_journal 6.1-6.1",
	    "__closure_sync 6.1-")),
	ROW(SCSI_ERROR, 3, OF(
	    "scsi_block_when_processing_errors 3.0-6.12", "ata_port_wait_eh 3.0-6.12")),
	ROW(SCSI, 5, OF(
	    "scsi_execute_cmd 6.12-6.12", "__scsi_execute 6.1-6.1", "scsi_execute 3.0-4.14",
	    "scsi_test_unit_ready 3.0-6.12")),
	ROW(NVME, 5, OF(
	    "__nvme_submit_sync_cmd 6.1-6.12", "nvme_submit_sync_cmd 6.1-6.12",
	    "nvme_submit_user_cmd 6.1-6.1", "nvme_wait_freeze 6.1-6.12",
	    "nvme_wait_freeze_timeout 6.1-6.12", "nvme_disable_ctrl 6.1-6.12")),
	ROW(ATA, 4, OF(
	    "ata_exec_internal 3.0-6.1", "ata_exec_internal_sg 3.0-6.1", "ata_eh_recover 3.0-6.12",
	    "ata_wait_register 3.0-6.12")),

	/* Sockets, packets and network file systems. */
	ROW(ACCEPT, 1, .call = CALL_ACCEPT, .is_for_work = true, OF("inet_csk_accept 3.0-")),
	ROW(ACCEPT, 2, .is_for_work = true, OF(
	    "unix_accept 3.0-", "vsock_accept 6.1-6.18", "sctp_accept 6.1-6.1",
	    "l2cap_sock_accept 4.12-6.1", "rfcomm_sock_accept 4.12-6.1", "sco_sock_accept 4.12-6.1",
	    "smc_accept 6.1-6.1", "tipc_accept 6.1-6.1")),
	ROW(ACCEPT, 4, OF(
	    "inet_accept 3.0-", "do_accept 5.10-", "__sys_accept4 5.10-",
	    "__sys_accept4_file 5.10-5.10", "sys_accept4 3.0-6.1")),
	ROW(UNIX_RECEIVE, 3, OF(
	    "unix_stream_data_wait 2.6-", "__unix_dgram_recvmsg 6.1-", "unix_dgram_recvmsg 3.0-",
	    "unix_stream_recvmsg 3.0-", "unix_stream_read_actor 4.4-",
	    "unix_seqpacket_recvmsg 3.0-")),
	ROW(UNIX_RECEIVE, 3, .call = CALL_RECEIVE, OF("unix_stream_read_generic 4.4-")),
	ROW(UNIX_SEND, 4, OF(
	    "unix_stream_sendmsg 3.0-", "unix_dgram_sendmsg 3.0-", "unix_wait_for_peer 3.0-",
	    "unix_seqpacket_sendmsg 3.0-")),
	ROW(UNIX_CONNECT, 3, OF("unix_stream_connect 3.0-", "unix_dgram_connect 3.0-")),
	ROW(TCP_RECEIVE, 4, .call = CALL_RECEIVE, OF("tcp_recvmsg 3.0-")),
	ROW(TCP_RECEIVE, 4, OF(
	    "tcp_recvmsg_locked 6.1-", "tcp_data_wait 2.6-3.17", "tcp_splice_read 3.0-",
	    "tcp_bpf_recvmsg 5.10-", "tcp_bpf_recvmsg_parser 6.1-", "tcp_msg_wait_data 6.1-")),
	ROW(TCP_SEND, 4, OF(
	    "tcp_sendmsg_locked 5.10-", "tcp_sendmsg 3.0-", "do_tcp_sendpages 4.14-6.1",
	    "tcp_sendpage 3.0-6.1", "tcp_fastopen_defer_connect 4.12-")),
	ROW(TCP_CONNECT, 2, .call = CALL_CONNECT, OF(
	    "inet_stream_connect 3.0-", "__inet_stream_connect 3.10-")),
	ROW(TCP_CONNECT, 2, OF("inet_wait_for_connect 2.6-")),
	ROW(SOCKET_RECEIVE, 2, .call = CALL_RECEIVE, .is_vague = true, OF("sk_wait_data 3.0-")),
	ROW(SOCKET_RECEIVE, 3, .call = CALL_RECEIVE, .is_vague = true, OF(
	    "__skb_wait_for_more_packets 4.12-", "__skb_recv_datagram 3.0-")),
	ROW(SOCKET_RECEIVE, 3, .is_vague = true, OF(
	    "skb_recv_datagram 3.0-", "wait_for_packet 2.6-3.18")),
	ROW(SOCKET_RECEIVE, 6, .is_vague = true, OF(
	    "sock_recvmsg 3.0-", "__sys_recvfrom 5.10-", "____sys_recvmsg 5.10-",
	    "sock_read_iter 4.4-")),
	ROW(UDP_RECEIVE, 4, OF("__skb_recv_udp 4.14-", "udp_recvmsg 3.0-", "udpv6_recvmsg 3.10-")),
	ROW(SOCKET_RECEIVE, 5, OF("raw_recvmsg 3.0-", "rawv6_recvmsg 3.10-", "ping_recvmsg 3.0-")),
	ROW(SOCKET_SEND, 2, .call = CALL_SEND, .is_vague = true, OF("sk_stream_wait_memory 3.0-")),
	ROW(SOCKET_CONNECT, 2, .call = CALL_SEND, .is_vague = true, OF(
	    "sk_stream_wait_connect 3.0-")),
	ROW(SOCKET_SEND, 3, .call = CALL_SEND, .is_vague = true, OF("sock_alloc_send_pskb 3.0-")),
	ROW(SOCKET_SEND, 3, .is_vague = true, OF("sock_alloc_send_skb 3.0-5.10")),
	ROW(LINGER, 2, OF("sk_stream_wait_close 3.0-")),
	ROW(LINGER, 3, OF(
	    "__tcp_close 5.10-", "tcp_close 3.0-", "inet_release 3.0-", "inet_shutdown 3.0-")),
	ROW(SOCKET_LOCK, 3, OF(
	    "__lock_sock 3.0-", "lock_sock_nested 3.0-", "lock_sock_fast 3.0-5.10")),
	ROW(PACKET, 5, OF(
	    "packet_recvmsg 3.0-", "packet_sendmsg 3.0-", "packet_snd 3.0-", "tpacket_snd 4.4-4.4",
	    "tpacket_rcv 3.0-")),
	ROW(NETLINK, 4, OF("netlink_recvmsg 3.0-")),
	ROW(NETLINK_SEND, 3, OF("netlink_attachskb 3.0-", "netlink_unicast 3.0-")),
	ROW(VSOCK_RECEIVE, 3, OF(
	    "vsock_connectible_wait_data 6.1-6.18", "vsock_connectible_recvmsg 6.1-6.18",
	    "__vsock_connectible_recvmsg 6.18-6.18", "vsock_stream_recvmsg 3.9-5.11")),
	ROW(VSOCK_SEND, 3, OF(
	    "vsock_connectible_sendmsg 6.1-6.18", "vsock_stream_sendmsg 3.9-5.11")),
	ROW(VSOCK_CONNECT, 3, OF("vsock_connect 6.1-6.18")),
	ROW(BLUETOOTH, 3, OF(
	    "bt_sock_wait_state 4.12-6.12", "bt_sock_wait_ready 4.12-6.12",
	    "bt_sock_stream_recvmsg 4.12-6.12", "bt_sock_recvmsg 4.12-4.12",
	    "__hci_cmd_sync_sk 5.17-", "__hci_cmd_sync_ev 4.12-6.12", "__hci_req_sync 4.12-6.1",
	    "hci_req_sync 4.12-4.12")),
	ROW(SOCKET_RECEIVE, 3, OF(
	    "sctp_skb_recv_datagram 6.1-6.1", "sctp_recvmsg 6.1-6.1", "tipc_recvmsg 6.1-6.1",
	    "tipc_recvstream 6.1-6.1", "tipc_wait_for_rcvmsg 6.1-6.1", "smc_rx_wait 6.1-6.1",
	    "smc_rx_recvmsg 4.11-", "rxrpc_recvmsg 6.1-6.12", "rxrpc_kernel_recv_data 6.1-6.12",
	    "mptcp_recvmsg 6.1-", "kcm_wait_data 4.6-6.5", "kcm_recvmsg 6.1-6.1",
	    "af_alg_wait_for_data 6.1-6.12", "xsk_recvmsg 6.1-")),
	ROW(SOCKET_SEND, 3, OF(
	    "sctp_wait_for_sndbuf 2.6-", "sctp_sendmsg_to_asoc 6.1-6.1",
	    "tipc_wait_for_connect 6.1-6.1", "smc_tx_wait 4.11-", "smc_tx_sendmsg 4.11-",
	    "mptcp_sendmsg 6.1-", "af_alg_wait_for_wmem 4.14-")),
	ROW(SOCKET_CONNECT, 3, OF("sctp_wait_for_connect 6.1-6.1", "smc_connect 4.11-")),
	ROW(TLS, 3, OF(
	    "tls_rx_rec_wait 6.1-6.1", "tls_wait_data 4.13-5.17", "tls_sw_recvmsg 6.1-6.1",
	    "wait_on_pending_writer 6.1-6.1")),
	ROW(TUN, 2, OF("tun_do_read 3.10-6.18", "tun_ring_recv 4.16-", "tap_do_read 6.1-6.18")),
	ROW(PPP, 2, OF("ppp_read 3.10-6.1")),
	ROW(NAPI, 1, .is_for_work = true, OF("napi_threaded_poll 6.1-", "napi_thread_wait 5.12-")),
	ROW(NAPI, 3, OF("napi_disable 4.4-", "napi_disable_locked 6.18-")),
	ROW(NET_DEVICE, 4, OF(
	    "netdev_wait_allrefs 2.6-5.16", "netdev_wait_allrefs_any 5.17-", "netdev_run_todo 3.0-",
	    "unregister_netdevice_many_notify 6.1-")),
	ROW(RTNL, 5, .instead_of = PURPOSE_MUTEX, OF(
	    "rtnl_lock 3.0-", "rtnl_lock_killable 5.10-", "rtnetlink_rcv_msg 3.0-")),
	ROW(NFS_REPLY, 0, OF("rpc_wait_bit_killable 3.0-6.1")),
	ROW(NFS_REPLY, 4, OF(
	    "__rpc_execute 3.0-6.1", "rpc_run_task 3.0-6.12", "rpc_call_sync 3.0-6.12",
	    "rpc_wait_for_completion_task 6.1-6.12")),
	ROW(NFS, 1, .is_for_work = true, OF(
	    "svc_recv 3.0-6.12", "nfsd 6.1-6.1", "lockd 3.0-6.12", "nfs4_callback_svc 4.4-6.1")),
	ROW(NFS, 0, .is_vague = true, OF(
	    "nfs_wait_bit_killable 3.0-6.12", "nfs_wait_on_request 3.0-4.4",
	    "nfs_wait_client_init_complete 4.4-6.12", "nfs4_wait_clnt_recover 4.4-6.1",
	    "nfs_commit_inode 3.0-6.12", "nfs_file_fsync 3.0-6.12", "nfs_iocounter_wait 4.4-6.1",
	    "nfs4_run_state_manager 4.4-6.12", "nfs_lookup_revalidate 3.0-4.4",
	    "nfs_start_io_read 6.1-6.1", "nfs_start_io_write 6.1-6.1", "nfs_wb_all 3.0-6.12")),
	ROW(SMB_REPLY, 3, OF("wait_for_response 6.1-6.1")),
	ROW(SMB_CREDITS, 3, OF("wait_for_free_credits 6.1-6.12")),
	ROW(CEPH_REPLY, 4, OF(
	    "ceph_mdsc_wait_request 6.1-6.1", "ceph_mdsc_do_request 6.1-6.1",
	    "ceph_osdc_wait_request 6.1-6.12", "ceph_get_caps 6.1-6.1")),
	ROW(NINEP_REPLY, 3, OF(
	    "p9_client_rpc 4.4-", "p9_virtio_zc_request 4.4-", "p9_virtio_request 4.4-",
	    "p9_client_zc_rpc 4.4-")),
	ROW(AFS_REPLY, 4, OF("afs_wait_for_call_to_complete 6.1-6.1")),
	ROW(CLUSTER_LOCK, 4, OF(
	    "gfs2_glock_wait 6.1-6.1", "gfs2_glock_nq 6.1-6.12", "dlm_lock_sync 6.1-6.12",
	    "dlm_posix_lock 6.1-6.12", "__ocfs2_cluster_lock 6.1-6.1")),
	ROW(NETFS, 4, OF(
	    "netfs_wait_for_read 6.12-", "netfs_wait_for_write 7.2-",
	    "netfs_wait_for_in_progress_stream 7.2-", "fscache_wait_for_operation 6.1-")),

	/* Devices, and what serves guests. */
	ROW(VBLANK, 3, OF(
	    "drm_wait_vblank_ioctl 6.1-6.1", "drm_wait_vblank 3.0-4.14",
	    "drm_wait_one_vblank 4.12-4.14", "drm_crtc_wait_one_vblank 4.12-6.12",
	    "drm_atomic_helper_wait_for_vblanks 4.12-6.1", "intel_wait_for_vblank 3.0-3.0")),
	ROW(FLIP, 4, OF(
	    "drm_atomic_helper_wait_for_flip_done 6.1-6.12",
	    "drm_atomic_helper_wait_for_dependencies 4.10-", "drm_crtc_commit_wait 6.1-6.12",
	    "drm_atomic_helper_setup_commit 4.12-6.12", "intel_pipe_update_start 6.1-6.1")),
	ROW(DRM_EVENT, 2, OF("drm_read 3.0-6.12")),
	ROW(GPU_FENCE, 3, OF(
	    "dma_fence_wait_timeout 4.12-", "dma_fence_default_wait 4.12-",
	    "dma_fence_wait_any_timeout 4.12-", "fence_wait_timeout 3.17-4.9",
	    "fence_default_wait 3.17-4.9", "sync_fence_wait 3.10-3.10")),
	ROW(GPU_FENCE, 5, OF(
	    "dma_resv_wait_timeout 6.1-", "dma_resv_wait_timeout_rcu 5.10-5.10",
	    "reservation_object_wait_timeout_rcu 4.12-4.14",
	    "drm_atomic_helper_wait_for_fences 4.12-6.12", "dma_buf_begin_cpu_access 3.0-",
	    "radeon_fence_wait 6.1-6.1", "nouveau_fence_wait 6.1-6.1", "i915_request_wait 6.1-6.12",
	    "i915_request_wait_timeout 6.1-6.1", "i915_wait_request 3.0-4.20",
	    "__i915_wait_request 3.10-4.7", "i915_gem_object_wait 6.1-6.1", "ttm_bo_wait 4.12-6.1",
	    "ttm_bo_wait_ctx 6.12-6.12", "vmw_fence_obj_wait 6.1-6.1",
	    "virtio_gpu_wait_ioctl 4.14-6.1", "etnaviv_gpu_wait_fence_interruptible 6.1-6.1",
	    "host1x_syncpt_wait 6.1-6.1", "xe_wait_user_fence_ioctl 6.12-6.12")),
	ROW(GPU_SYNCOBJ, 3, OF(
	    "drm_syncobj_array_wait_timeout 6.1-6.1", "drm_syncobj_array_wait 6.1-6.1")),
	ROW(GPU_MEMORY, 4, OF(
	    "ttm_bo_vm_reserve 6.1-6.12", "qxl_fence_wait 4.14-6.1",
	    "virtio_gpu_queue_fenced_ctrl_buffer 4.14-6.1")),
	ROW(GPU, 4, OF(
	    "drm_sched_entity_flush 6.1-6.12", "amdgpu_ib_ring_tests 4.12-6.1",
	    "amdgpu_ctx_wait_prev_fence 6.1-6.1", "intel_gt_wait_for_idle 6.1-6.1")),
	ROW(VIDEO, 4, OF(
	    "__vb2_wait_for_done_vb 3.2-", "vb2_core_dqbuf 4.12-6.12",
	    "vb2_wait_for_all_buffers 3.10-6.12", "v4l2_event_dequeue 3.10-4.12",
	    "dvb_dmxdev_buffer_read 6.1-6.1", "v4l2_m2m_cancel_job 6.1-6.1")),
	ROW(USB_TRANSFER, 3, OF(
	    "usb_start_wait_urb 3.10-6.1", "usb_control_msg 3.10-6.12", "usb_bulk_msg 3.10-6.12",
	    "usb_interrupt_msg 3.10-6.12", "usb_sg_wait 3.10-6.12", "proc_reapurb 2.6-",
	    "reap_as 4.4-6.1")),
	ROW(USB_CANCEL, 3, OF(
	    "usb_kill_urb 3.10-6.12", "usb_poison_urb 3.10-6.12",
	    "usb_wait_anchor_empty_timeout 3.10-6.12", "usb_hcd_flush_endpoint 3.10-6.1")),
	ROW(USB_GADGET, 3, OF(
	    "ffs_epfile_io 3.10-6.12", "ffs_ep0_read 3.10-6.12", "ffs_ep0_write 3.10-6.12",
	    "__ffs_ep0_queue_wait 3.10-6.1", "ffs_epfile_wait_ep 6.1-6.1", "printer_read 6.1-6.1")),
	ROW(USB_STORAGE, 3, OF(
	    "usb_stor_msg_common 3.10-6.1", "usb_stor_bulk_transfer_sglist 3.10-6.1")),
	ROW(MMC, 3, OF(
	    "mmc_wait_for_req_done 4.4-6.1", "mmc_wait_for_req 3.10-6.12",
	    "mmc_wait_for_cmd 3.10-6.12", "mmc_start_areq 4.12-4.12", "mmc_blk_rw_wait 6.1-6.1",
	    "mmc_blk_mq_rw_wait 4.16-", "mmc_poll_for_busy 6.1-6.1",
	    "__mmc_poll_for_busy 6.1-6.12")),
	ROW(MMC_HOST, 3, OF("__mmc_claim_host 3.10-6.12", "mmc_get_card 4.4-6.12")),
	ROW(I2C, 6, OF(
	    "__i2c_transfer 3.10-", "i2c_transfer 3.0-", "i2c_smbus_xfer 3.0-",
	    "__i2c_smbus_xfer 5.10-", "i2c_transfer_buffer_flags 5.10-", "i2c_dw_xfer 5.10-")),
	ROW(SPI, 4, OF(
	    "__spi_sync 4.4-", "spi_sync 4.4-", "spi_sync_locked 4.4-",
	    "spi_transfer_one_message 4.4-", "spi_transfer_wait 5.2-", "spi_mem_exec_op 5.10-")),
	ROW(FIRMWARE, 4, OF(
	    "_request_firmware 3.10-", "request_firmware 3.0-", "fw_sysfs_wait_timeout 4.20-",
	    "fw_load_from_user_helper 3.7-", "_request_firmware_load 3.0-3.0",
	    "__fw_state_wait_common 4.12-4.12", "alloc_lookup_fw_priv 6.1-")),
	ROW(ACPI, 4, OF(
	    "acpi_os_wait_semaphore 3.0-", "acpi_ec_transaction 3.0-", "ec_guard 4.12-",
	    "acpi_os_wait_events_complete 3.0-", "acpi_ec_transaction_unlocked 3.0-",
	    "acpi_os_sleep 3.0-", "ec_poll 2.6-")),
	ROW(IIO, 3, OF(
	    "iio_buffer_read 6.1-6.1", "iio_event_chrdev_read 3.10-6.1",
	    "iio_buffer_read_wrapper 6.1-6.1")),
	ROW(UIO, 2, OF("uio_read 6.1-6.1")),
	ROW(RTC, 2, OF("rtc_dev_read 3.0-")),
	ROW(DMA, 4, OF("dma_wait_for_async_tx 3.10-")),
	ROW(VIRTIO, 4, OF(
	    "virtnet_send_command 4.4-6.1", "virtscsi_tmf 4.14-6.1", "virtio_pmem_flush 6.1-6.18",
	    "virtio_fs_drain_queue 6.1-", "tell_host 4.4-6.18",
	    "virtio_crypto_ctrl_vq_request 6.1-6.1")),
	ROW(XEN, 4, OF(
	    "read_reply 2.6-4.10", "xenbus_file_read 4.12-", "xs_talkv 4.12-",
	    "xs_wait_for_reply 4.11-")),
	ROW(HYPERV, 4, OF(
	    "vmbus_open 6.1-", "vmbus_teardown_gpadl 6.1-", "vmbus_establish_gpadl 6.1-",
	    "hv_pci_query_relations 6.1-", "vmbus_request_offers 6.1-")),
	ROW(BINDER, 3, OF(
	    "binder_thread_read 3.10-6.1", "binder_wait_for_work 4.14-",
	    "binder_ioctl_write_read 3.16-")),
	ROW(ION, 1, .is_for_work = true, OF("ion_heap_deferred_free 3.10-3.10")),
	ROW(INPUT, 3, OF(
	    "ps2_command 3.0-", "ps2_do_sendbyte 5.10-", "__ps2_command 3.0-",
	    "usbhid_wait_io 3.10-6.1")),
	ROW(RANDOM, 3, OF("rng_dev_read 3.10-", "virtio_read 6.1-6.18")),
	{0},
};

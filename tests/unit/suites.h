/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unit tests, one suite a file of src; main.c lists them in the order of the layers.
 */
#pragma once

#include <check.h>

/*
 * For conditions that are asked a hundred thousand times: every ck_assert writes a message to the
 * parent, which keeps it, whether it holds or not.
 */
#define check_often(condition)                       \
	do {                                         \
		if (!(condition))                    \
			ck_abort_msg(#condition);    \
	} while (0)

/* base */
Suite *buffer_suite(void);
Suite *digits_suite(void);
Suite *file_lock_suite(void);
Suite *format_suite(void);
Suite *futex_kind_suite(void);
Suite *health_suite(void);
Suite *heap_suite(void);
Suite *id_table_suite(void);
Suite *intern_suite(void);
Suite *kernel_thread_suite(void);
Suite *map_suite(void);
Suite *proto_writer_suite(void);
Suite *gzip_file_suite(void);
Suite *nsec_scale_suite(void);
Suite *nsec_share_suite(void);
Suite *object_pool_suite(void);
Suite *parse_suite(void);
Suite *plain_bytes_suite(void);
Suite *task_words_suite(void);
Suite *signal_names_suite(void);
Suite *place_rows_suite(void);
Suite *sparse_array_suite(void);
Suite *file_read_suite(void);
Suite *file_write_suite(void);
Suite *status_line_suite(void);
Suite *suggest_suite(void);
Suite *symbol_line_suite(void);
Suite *syscall_names_suite(void);
Suite *utf8_suite(void);
/* source */
Suite *page_reader_suite(void);
Suite *page_stream_suite(void);
Suite *text_store_suite(void);
Suite *user_maps_suite(void);
Suite *unpack_suite(void);
Suite *foreign_file_suite(void);
Suite *spool_suite(void);
Suite *unpack_stream_suite(void);
Suite *input_file_suite(void);
Suite *datfile_source_suite(void);
Suite *datfile_tail_suite(void);
Suite *claims_suite(void);
Suite *stream_source_suite(void);
Suite *memory_source_suite(void);
Suite *source_suite(void);
Suite *real_traces_suite(void);

/* reference */
Suite *tracecmd_source_suite(void);
/* merge */
Suite *merger_suite(void);
/* decode */
Suite *event_decoder_suite(void);
Suite *event_loads_suite(void);
Suite *state_letters_suite(void);
Suite *value_names_suite(void);
Suite *symbols_suite(void);
/* symbolize */
Suite *demangle_suite(void);
Suite *file_tree_suite(void);
Suite *function_table_suite(void);
Suite *user_symbols_suite(void);
Suite *user_symbols_damage_suite(void);
Suite *user_symbols_real_suite(void);
/* state */
Suite *forgetting_suite(void);
Suite *interval_suite(void);
Suite *machine_suite(void);
/* graph */
Suite *competitors_suite(void);
Suite *chain_tree_suite(void);
Suite *components_suite(void);
Suite *interrupt_log_suite(void);
Suite *cpu_log_suite(void);
Suite *longest_parts_suite(void);
Suite *part_log_suite(void);
Suite *sleep_series_suite(void);
Suite *shared_cause_suite(void);
Suite *timeline_suite(void);
Suite *name_folds_suite(void);
Suite *wait_graph_suite(void);
Suite *walk_blocks_suite(void);
/* analysis */
Suite *coverage_suite(void);
Suite *heavy_sums_suite(void);
Suite *share_names_suite(void);
Suite *turns_suite(void);
Suite *spare_cpus_suite(void);
Suite *distribution_suite(void);
Suite *chain_levels_suite(void);
Suite *recorded_suite(void);
Suite *relation_suite(void);
Suite *explanation_suite(void);
Suite *walks_ahead_suite(void);
Suite *polling_suite(void);
Suite *time_series_suite(void);
Suite *flame_path_suite(void);
Suite *link_names_suite(void);
Suite *level_tree_suite(void);
Suite *question_suite(void);
Suite *wait_list_suite(void);
/* engine */
Suite *fork_bomb_suite(void);
Suite *flow_stretch_suite(void);
Suite *flow_path_suite(void);
Suite *flow_objects_suite(void);
Suite *lock_tenures_suite(void);
Suite *loss_list_suite(void);
Suite *stack_words_suite(void);
Suite *export_run_suite(void);
Suite *read_ahead_suite(void);
Suite *pipeline_suite(void);
Suite *report_run_suite(void);
Suite *user_frames_suite(void);
/* present */
Suite *cell_text_suite(void);
Suite *flame_layout_suite(void);
Suite *flame_tree_suite(void);
Suite *json_writer_suite(void);
Suite *presenter_suite(void);
Suite *html_block_suite(void);
Suite *html_presenter_suite(void);
Suite *svg_presenter_suite(void);
Suite *svg_text_suite(void);
Suite *text_health_suite(void);
Suite *text_cut_suite(void);
Suite *text_fold_suite(void);
Suite *text_layout_suite(void);
Suite *text_table_suite(void);
Suite *text_timeline_suite(void);
Suite *text_tree_suite(void);
/* capture */
Suite *build_id_suite(void);
Suite *capture_session_suite(void);
Suite *capture_watch_suite(void);
Suite *tracepoint_suite(void);
Suite *child_suite(void);
Suite *clock_scale_suite(void);
Suite *datfile_settle_suite(void);
Suite *control_group_suite(void);
Suite *datfile_writer_suite(void);
Suite *event_selection_suite(void);
Suite *free_memory_suite(void);
Suite *listening_ports_suite(void);
Suite *function_fields_suite(void);
Suite *jit_symbols_suite(void);
Suite *kernel_symbols_suite(void);
Suite *map_table_suite(void);
Suite *page_census_suite(void);
Suite *page_queue_suite(void);
Suite *ring_reader_suite(void);
Suite *stale_instances_suite(void);
Suite *steal_counters_suite(void);
Suite *task_snapshot_suite(void);
Suite *tracing_denial_suite(void);
/* cmd */
Suite *command_table_suite(void);
Suite *completion_suite(void);
Suite *shell_word_suite(void);
Suite *memory_end_suite(void);
Suite *option_help_suite(void);
Suite *option_parser_suite(void);
Suite *progress_suite(void);
Suite *output_guard_suite(void);
Suite *report_output_suite(void);

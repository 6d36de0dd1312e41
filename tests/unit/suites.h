/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unit tests, one suite a file of src: a new one takes a row here.
 */
#pragma once

#include <check.h>

/* Check writes the place of each assertion that holds to a file, to have the last one if the test
   dies later: millions of system calls, a third of the time of all tests. A debugger finds it. */
#define _mark_point(file, line) ((void)0)

/* All of them, in the order of the layers. */
#define UNIT_SUITES(ROW) \
	/* base */ \
	ROW(buffer) \
	ROW(digits) \
	ROW(file_lock) \
	ROW(format) \
	ROW(function_table) \
	ROW(cause_kind) \
	ROW(futex_kind) \
	ROW(health) \
	ROW(heap) \
	ROW(id_table) \
	ROW(intern) \
	ROW(kernel_thread) \
	ROW(control_group_name) \
	ROW(map) \
	ROW(proto_writer) \
	ROW(gzip_file) \
	ROW(nsec_scale) \
	ROW(nsec_share) \
	ROW(object_pool) \
	ROW(parse) \
	ROW(plain_bytes) \
	ROW(sha256) \
	ROW(time_scale) \
	ROW(time_of_day) \
	ROW(cpu_words) \
	ROW(task_words) \
	ROW(atrace_mark) \
	ROW(command_line) \
	ROW(errno_names) \
	ROW(signal_names) \
	ROW(place_rows) \
	ROW(short_stack) \
	ROW(sparse_array) \
	ROW(file_read) \
	ROW(file_write) \
	ROW(status_line) \
	ROW(shell_quote) \
	ROW(suggest) \
	ROW(symbol_line) \
	ROW(syscall_names) \
	ROW(utf8) \
	/* tally */ \
	ROW(tally) \
	ROW(keyed_sums) \
	/* stats */ \
	ROW(rank_test) \
	ROW(far_values) \
	/* clocks */ \
	ROW(clock_fit) \
	ROW(clock_tree) \
	ROW(packet_match) \
	ROW(packet_pairs) \
	ROW(packet_rest) \
	ROW(packet_share) \
	ROW(stream_fit) \
	/* machines */ \
	ROW(clock_readings) \
	ROW(command_lead) \
	ROW(joined_source) \
	ROW(talk_arrivals) \
	ROW(talk_streams) \
	/* compare */ \
	ROW(budget) \
	ROW(cost_diff) \
	/* source */ \
	ROW(page_reader) \
	ROW(page_stream) \
	ROW(text_store) \
	ROW(time_shift) \
	ROW(trigger_line) \
	ROW(user_maps) \
	ROW(unpack) \
	ROW(foreign_file) \
	ROW(spool) \
	ROW(unpack_stream) \
	ROW(json_trace) \
	ROW(zip_file) \
	ROW(wire) \
	ROW(perfetto_rounds) \
	ROW(input_file) \
	ROW(datfile_source) \
	ROW(datfile_tail) \
	ROW(claims) \
	ROW(stream_source) \
	ROW(live_source) \
	ROW(live_text) \
	ROW(live_texts) \
	ROW(live_waits) \
	ROW(memory_source) \
	ROW(source) \
	ROW(old_kernels) \
	ROW(text_head) \
	ROW(text_source) \
	ROW(real_traces) \
	/* reference */ \
	ROW(tracecmd_source) \
	/* merge */ \
	ROW(merger) \
	/* decode */ \
	ROW(event_decoder) \
	ROW(event_loads) \
	ROW(state_letters) \
	ROW(kernel_strings) \
	ROW(value_names) \
	ROW(symbols) \
	ROW(symbol_fit) \
	/* symbolize */ \
	ROW(demangle) \
	ROW(file_tree) \
	ROW(kernel_image) \
	ROW(user_symbols) \
	ROW(user_symbols_real) \
	ROW(user_symbols_damage) \
	/* raw */ \
	ROW(plain_text) \
	ROW(task_index) \
	ROW(event_text) \
	/* state */ \
	ROW(forgetting) \
	ROW(interval) \
	ROW(machine) \
	/* graph */ \
	ROW(competitors) \
	ROW(chain_tree) \
	ROW(interrupt_log) \
	ROW(group_log) \
	ROW(cpu_log) \
	ROW(components) \
	ROW(longest_parts) \
	ROW(part_log) \
	ROW(sleep_series) \
	ROW(shared_cause) \
	ROW(timeline) \
	ROW(aim_cache) \
	ROW(open_wait_cause) \
	ROW(user_variables) \
	ROW(name_folds) \
	ROW(device_names) \
	ROW(file_names) \
	ROW(program_log) \
	ROW(descriptor_log) \
	ROW(wait_graph) \
	ROW(walk_blocks) \
	ROW(walk_sample) \
	/* analysis */ \
	ROW(coverage) \
	ROW(row_link) \
	ROW(disk_ahead) \
	ROW(share_names) \
	ROW(count_spec) \
	ROW(turns) \
	ROW(sync_calls) \
	ROW(tail_reasons) \
	ROW(spare_cpus) \
	ROW(distribution) \
	ROW(say) \
	ROW(machine_time) \
	ROW(cpu_use) \
	ROW(chain_levels) \
	ROW(recorded) \
	ROW(relation) \
	ROW(costs) \
	ROW(explanation) \
	ROW(walks_ahead) \
	ROW(polling) \
	ROW(time_series) \
	ROW(flame_path) \
	ROW(link_names) \
	ROW(level_tree) \
	ROW(flow_stretch) \
	ROW(flow_path) \
	ROW(flow_objects) \
	ROW(lock_list) \
	ROW(lock_tenures) \
	ROW(loss_list) \
	ROW(delay_list) \
	ROW(stack_words) \
	ROW(question) \
	ROW(trigger_window) \
	ROW(wait_list) \
	/* engine */ \
	ROW(day_window) \
	ROW(host_events) \
	ROW(fork_bomb) \
	ROW(export_run) \
	ROW(read_ahead) \
	ROW(pipeline) \
	ROW(report_run) \
	ROW(live_report) \
	ROW(user_frames) \
	/* present */ \
	ROW(cell_text) \
	ROW(flame_layout) \
	ROW(flame_tree) \
	ROW(json_writer) \
	ROW(presenter) \
	ROW(html_block) \
	ROW(html_presenter) \
	ROW(svg_presenter) \
	ROW(svg_text) \
	ROW(text_health) \
	ROW(text_cut) \
	ROW(text_fold) \
	ROW(text_layout) \
	ROW(text_table) \
	ROW(text_timeline) \
	ROW(text_tree) \
	ROW(trace_line) \
	/* live */ \
	ROW(screen) \
	ROW(keys) \
	ROW(top_pace) \
	ROW(top_words) \
	ROW(save_words) \
	ROW(top_json) \
	ROW(top_text) \
	ROW(top_screen) \
	/* flight */ \
	ROW(condition) \
	ROW(watch) \
	ROW(chunk_store) \
	ROW(stream_ring) \
	ROW(shot_names) \
	ROW(shot_file) \
	/* capture */ \
	ROW(build_id) \
	ROW(capture_session) \
	ROW(capture_watch) \
	ROW(tracepoint) \
	ROW(child) \
	ROW(clock_scale) \
	ROW(datfile_settle) \
	ROW(control_group) \
	ROW(datfile_writer) \
	ROW(elf_variables) \
	ROW(event_selection) \
	ROW(flight_search) \
	ROW(free_memory) \
	ROW(listening_ports) \
	ROW(machine_id) \
	ROW(block_devices) \
	ROW(function_fields) \
	ROW(jit_symbols) \
	ROW(kernel_symbols) \
	ROW(prepared_instance) \
	ROW(lock_names) \
	ROW(map_table) \
	ROW(page_census) \
	ROW(page_queue) \
	ROW(group_notes) \
	ROW(process_search) \
	ROW(program_recorder) \
	ROW(descriptor_notes) \
	ROW(own_descriptors) \
	ROW(ring_reader) \
	ROW(stale_instances) \
	ROW(realtime_reading) \
	ROW(steal_counters) \
	ROW(task_snapshot) \
	ROW(futex_owner) \
	ROW(socket_table) \
	ROW(held_locks) \
	ROW(open_files) \
	ROW(peek) \
	ROW(long_waits) \
	ROW(open_waits) \
	ROW(tracing_denial) \
	/* cmd */ \
	ROW(command_table) \
	ROW(shell_word) \
	ROW(memory_end) \
	ROW(option_help) \
	ROW(option_parser) \
	ROW(progress) \
	ROW(top_ring) \
	ROW(top_tail) \
	ROW(page) \
	ROW(question_parts) \
	ROW(report_child) \
	ROW(report_worker) \
	ROW(raw_terminal) \
	ROW(output_guard) \
	ROW(report_output) \
	ROW(seal)

#define SUITE_DECLARATION(name) Suite *name##_suite(void);
UNIT_SUITES(SUITE_DECLARATION)

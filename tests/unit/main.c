/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs every unit test: each in a process of its own, or all in this one with CK_FORK=no (for a
 * debugger). CK_RUN_SUITE=name runs one suite. With --apart, each suite has a process, and most of
 * its tests none of their own: under the address sanitizer every process looks for leaks when it
 * ends, which takes longer than most tests.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "suites.h"

/* Their tests change their process: its output, its signals, its folder. */
static Suite *(*const forking_suites[])(void) = {
	file_lock_suite,     status_line_suite, spool_suite,         event_selection_suite,
	capture_watch_suite, page_queue_suite,  control_group_suite, ring_reader_suite,
	report_output_suite, memory_end_suite,  input_file_suite,
};

struct tally {
	int passed, failed;
};

static Suite *(*const suites[])(void) = {
	/* base */
	buffer_suite,
	digits_suite,
	file_lock_suite,
	format_suite,
	futex_kind_suite,
	health_suite,
	heap_suite,
	id_table_suite,
	intern_suite,
	kernel_thread_suite,
	map_suite,
	proto_writer_suite,
	gzip_file_suite,
	nsec_scale_suite,
	nsec_share_suite,
	object_pool_suite,
	parse_suite,
	plain_bytes_suite,
	task_words_suite,
	signal_names_suite,
	place_rows_suite,
	sparse_array_suite,
	file_read_suite,
	file_write_suite,
	status_line_suite,
	suggest_suite,
	symbol_line_suite,
	syscall_names_suite,
	utf8_suite,
	/* source */
	page_reader_suite,
	page_stream_suite,
	text_store_suite,
	user_maps_suite,
	unpack_suite,
	foreign_file_suite,
	spool_suite,
	unpack_stream_suite,
	input_file_suite,
	datfile_source_suite,
	datfile_tail_suite,
	claims_suite,
	stream_source_suite,
	memory_source_suite,
	source_suite,
	real_traces_suite,
	/* reference */
	tracecmd_source_suite,
	/* merge */
	merger_suite,
	/* decode */
	event_decoder_suite,
	event_loads_suite,
	state_letters_suite,
	value_names_suite,
	symbols_suite,
	/* symbolize */
	function_table_suite,
	demangle_suite,
	file_tree_suite,
	user_symbols_suite,
	user_symbols_real_suite,
	user_symbols_damage_suite,
	/* state */
	forgetting_suite,
	interval_suite,
	machine_suite,
	/* graph */
	competitors_suite,
	chain_tree_suite,
	interrupt_log_suite,
	cpu_log_suite,
	components_suite,
	longest_parts_suite,
	part_log_suite,
	sleep_series_suite,
	shared_cause_suite,
	timeline_suite,
	name_folds_suite,
	wait_graph_suite,
	walk_blocks_suite,
	/* analysis */
	coverage_suite,
	heavy_sums_suite,
	share_names_suite,
	turns_suite,
	spare_cpus_suite,
	distribution_suite,
	chain_levels_suite,
	recorded_suite,
	relation_suite,
	explanation_suite,
	walks_ahead_suite,
	polling_suite,
	time_series_suite,
	flame_path_suite,
	link_names_suite,
	level_tree_suite,
	flow_stretch_suite,
	flow_path_suite,
	flow_objects_suite,
	lock_tenures_suite,
	loss_list_suite,
	stack_words_suite,
	question_suite,
	wait_list_suite,
	/* engine */
	fork_bomb_suite,
	export_run_suite,
	read_ahead_suite,
	pipeline_suite,
	report_run_suite,
	user_frames_suite,
	/* present */
	cell_text_suite,
	flame_layout_suite,
	flame_tree_suite,
	json_writer_suite,
	presenter_suite,
	html_block_suite,
	html_presenter_suite,
	svg_presenter_suite,
	svg_text_suite,
	text_health_suite,
	text_cut_suite,
	text_fold_suite,
	text_layout_suite,
	text_table_suite,
	text_timeline_suite,
	text_tree_suite,
	/* capture */
	build_id_suite,
	capture_session_suite,
	capture_watch_suite,
	tracepoint_suite,
	child_suite,
	clock_scale_suite,
	datfile_settle_suite,
	control_group_suite,
	datfile_writer_suite,
	event_selection_suite,
	free_memory_suite,
	listening_ports_suite,
	function_fields_suite,
	jit_symbols_suite,
	kernel_symbols_suite,
	map_table_suite,
	page_census_suite,
	page_queue_suite,
	ring_reader_suite,
	stale_instances_suite,
	steal_counters_suite,
	task_snapshot_suite,
	tracing_denial_suite,
	/* cmd */
	command_table_suite,
	completion_suite,
	shell_word_suite,
	memory_end_suite,
	option_help_suite,
	option_parser_suite,
	progress_suite,
	output_guard_suite,
	report_output_suite,
};

/* Runs one suite, or all if `only` is NULL. */
static int suites_run(Suite *(*only)(void), int *ret_checks)
{
	SRunner *runner = srunner_create(only ? only() : NULL);
	int failed;

	for (size_t i = 0; !only && i < ARRAY_SIZE(suites); i++)
		srunner_add_suite(runner, suites[i]());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	*ret_checks = srunner_ntests_run(runner);
	srunner_free(runner);
	return failed;
}

static bool suite_forks(Suite *(*suite)(void))
{
	for (size_t i = 0; i < ARRAY_SIZE(forking_suites); i++)
		if (forking_suites[i] == suite)
			return true;
	return false;
}

/* A suite that dies has one failure more. */
static void suite_run_apart(size_t at, struct tally *tally)
{
	const struct tally before = *tally;
	int status, checks;
	pid_t child;

	(void)fflush(NULL);
	child = fork();
	if (child == 0) {
		(void)setenv("CK_FORK", suite_forks(suites[at]) ? "yes" : "no", 1);
		tally->failed += suites_run(suites[at], &checks);
		tally->passed += checks - (tally->failed - before.failed);
		exit(EXIT_SUCCESS);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
		printf("FAIL unit: suite %zu of main.c died, or leaks memory\n", at);
		tally->failed++;
	}
}

/* Adds up all suites, each run in a process of its own. */
static int suites_run_apart(void)
{
	struct tally *tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE,
	                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (tally == MAP_FAILED)
		return EXIT_FAILURE;
	for (size_t i = 0; i < ARRAY_SIZE(suites); i++)
		suite_run_apart(i, tally);
	printf("%d passed, %d failed, 0 skipped\n", tally->passed, tally->failed);
	return tally->failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int count, char *arguments[])
{
	int checks;

	/* Check allows 4 s by default, which a test may take beside other work; tcase_create()
	   reads it */
	(void)setenv("CK_DEFAULT_TIMEOUT", "60", /* overwrite= */ 0);
	if (count == 2 && strcmp(arguments[1], "--apart") == 0)
		return suites_run_apart();
	return suites_run(NULL, &checks) ? EXIT_FAILURE : EXIT_SUCCESS;
}

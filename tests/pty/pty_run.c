/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pty_run [COLUMNSxROWS] COMMAND...: runs the command on a terminal of its own (80x24; 0x0: it does
 * not know its size), does what the lines of standard input say, and checks what a user would see.
 * Fails at the first line that does not hold within PATIENCE_MS, and shows the screen. At the end
 * the command must have ended, and the terminal must be as it was before: its attributes, the
 * cursor, the screen. If PTY_ERRORS is set, the command has our standard error, else the terminal.
 *
 *	wait MS            lets time pass
 *	type KEYS          \r, \e, \\ and \xNN as in C
 *	resize CxR         another size of the terminal
 *	storm SEED COUNT   so many keys at random, with other sizes between them (storm.h)
 *	signal NAME        to the command, without SIG
 *	pid FILE           writes the command's process id there
 *	run COMMAND        of sh; it must succeed
 *	await COMMAND      of sh, again and again until it succeeds
 *	see TEXT           until the screen shows the text in one row
 *	gone TEXT          until no row shows it
 *	line N TEXT        until line N, from 1, or -1 for the last one, has it
 *	clean              until nothing is left on the screen that the command did not draw, no
 *	                   character stands behind the last column, and no sequence is unknown
 *	marked N           until N rows have a part in reverse
 *	save FILE          writes the screen there, once nothing more comes
 *	count              counts bytes from here on
 *	bytes NAME MAX     that came since, not more than MAX; shows them under that name
 *	redraw NAME MAX    the most that came without a pause since, not more than MAX
 *	rate NAME MAX      bytes a second since, not more than MAX
 *	hidden, shown      until the cursor is that
 *	away               until the terminal is given back: attributes, cursor, screen
 *	stopped            until the command is stopped
 *	continue           in the foreground
 *	hangup             the terminal goes away; it is not looked at any more
 *	exited STATUS      until the command has ended so
 *	killed NAME        until that signal has ended the command; KILL may leave it changed
 *	# ...              nothing
 */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "pty_job.h"
#include "storm.h"

#define PATIENCE_MS 30000
#define LOOK_MS     50
#define QUIET_MS    700
#define LINE_BYTES  2000

struct run {
	struct pty_job job;
	bool is_left; /* the terminal may be as it is */
};

static bool has_text(const struct vt_screen *vt, const char *text)
{
	for (size_t row = 0; row < vt->rows; row++)
		if (strstr(vt_row_text(vt, row), text))
			return true;
	return false;
}

static bool is_given_back(const struct pty_job *job)
{
	return pty_job_is_restored(job) && !job->screen.is_cursor_hidden &&
	       !job->screen.is_alternate && !job->screen.is_without_wrap;
}

static int signal_of(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} signals[] = {
		{"HUP", SIGHUP}, {"INT", SIGINT}, {"QUIT", SIGQUIT}, {"TERM", SIGTERM},
		{"KILL", SIGKILL}, {"TSTP", SIGTSTP}, {"STOP", SIGSTOP}, {"CONT", SIGCONT},
		{"SEGV", SIGSEGV}, {"WINCH", SIGWINCH}, {"USR1", SIGUSR1}, {"PIPE", SIGPIPE},
	};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (strcmp(signals[i].name, name) == 0)
			return signals[i].number;
	return 0;
}

/* What has to come true. */

static bool see(struct run *run, const char *text)
{
	return has_text(&run->job.screen, text);
}

static bool gone(struct run *run, const char *text)
{
	return !has_text(&run->job.screen, text);
}

static bool line_has(struct run *run, const char *words)
{
	const struct vt_screen *vt = &run->job.screen;
	char *text;
	long line = strtol(words, &text, 10);
	size_t row = line < 0 ? vt->rows - (size_t)-line : (size_t)line - 1;

	text += *text == ' ';
	/* an empty text: an empty row */
	return *text ? strstr(vt_row_text(vt, row), text) != NULL : !*vt_row_text(vt, row);
}

static bool clean(struct run *run, const char *unused)
{
	(void)unused;
	return vt_is_clean(&run->job.screen);
}

static bool marked(struct run *run, const char *number)
{
	return vt_marked_rows(&run->job.screen) == strtoul(number, NULL, 10);
}

static bool hidden(struct run *run, const char *unused)
{
	(void)unused;
	return run->job.screen.is_cursor_hidden;
}

static bool shown(struct run *run, const char *unused)
{
	(void)unused;
	return !run->job.screen.is_cursor_hidden;
}

static bool away(struct run *run, const char *unused)
{
	(void)unused;
	return is_given_back(&run->job);
}

static bool stopped(struct run *run, const char *unused)
{
	(void)unused;
	return run->job.is_stopped;
}

static bool exited(struct run *run, const char *status)
{
	return run->job.has_status && WIFEXITED(run->job.status) &&
	       WEXITSTATUS(run->job.status) == atoi(status);
}

static bool killed(struct run *run, const char *name)
{
	run->is_left |= signal_of(name) == SIGKILL;
	return run->job.has_status && WIFSIGNALED(run->job.status) &&
	       WTERMSIG(run->job.status) == signal_of(name);
}

static bool command_succeeds(struct run *run, const char *command)
{
	(void)run;
	return system(command) == 0;
}

/* What is done at once. */

static void take_for(struct run *run, int64_t ms)
{
	int64_t end = pty_now_ms() + ms, now;

	while ((now = pty_now_ms()) < end)
		pty_job_take(&run->job, end - now);
}

static bool pause_for(struct run *run, const char *ms)
{
	take_for(run, atol(ms));
	return true;
}

static bool type(struct run *run, const char *keys)
{
	char bytes[LINE_BYTES];
	size_t length = 0;

	for (; *keys; keys++) {
		unsigned code = (unsigned char)*keys;

		if (*keys == '\\' && keys[1]) {
			code = *++keys == 'r' ? '\r' : *keys == 'e' ? 0x1b : (unsigned char)*keys;
			if (*keys == 'x' && sscanf(keys + 1, "%2x", &code) == 1)
				keys += 2;
		}
		bytes[length++] = (char)code;
	}
	return pty_job_type(&run->job, bytes, length);
}

static bool resize(struct run *run, const char *size)
{
	size_t rows, columns;

	return sscanf(size, "%zux%zu", &columns, &rows) == 2 &&
	       pty_job_resize(&run->job, rows, columns);
}

static bool storm(struct run *run, const char *words)
{
	unsigned long long seed;
	unsigned keys;

	if (sscanf(words, "%llu %u", &seed, &keys) != 2)
		return false;
	storm_blow(&run->job, seed, keys);
	(void)printf("%u keys, seed %llu\n", keys, seed);
	return !run->job.has_status;
}

static bool send_signal(struct run *run, const char *name)
{
	return signal_of(name) != 0 && kill(run->job.command, signal_of(name)) == 0;
}

/* Until nothing has come for QUIET_MS: a screen may come in pieces. */
static void settle(struct run *run)
{
	int64_t end = pty_now_ms() + PATIENCE_MS;
	size_t before;

	do {
		before = run->job.bytes;
		take_for(run, QUIET_MS);
	} while (run->job.bytes != before && pty_now_ms() < end);
}

static bool screen_write(struct run *run, const char *path)
{
	FILE *file;

	settle(run);
	file = fopen(path, "w");
	for (size_t row = 0; file && row < run->job.screen.rows; row++)
		(void)fprintf(file, "%s\n", vt_row_text(&run->job.screen, row));
	return file && fclose(file) == 0;
}

static bool pid_write(struct run *run, const char *path)
{
	FILE *file = fopen(path, "w");

	if (file)
		(void)fprintf(file, "%d\n", (int)run->job.command);
	return file && fclose(file) == 0;
}

static bool count(struct run *run, const char *unused)
{
	(void)unused;
	pty_job_count(&run->job);
	return true;
}

/* The words are a name and a limit. */
static bool figure_show(const char *words, size_t figure, const char *unit)
{
	char name[100];
	size_t max;

	if (sscanf(words, "%99s %zu", name, &max) != 2)
		return false;
	(void)printf("%s: %zu %s\n", name, figure, unit);
	return figure <= max;
}

static bool bytes_show(struct run *run, const char *words)
{
	return figure_show(words, run->job.bytes, "bytes");
}

static bool redraw_show(struct run *run, const char *words)
{
	return figure_show(words, run->job.redraw_bytes_max, "bytes in one redraw at most");
}

static bool rate_show(struct run *run, const char *words)
{
	int64_t ms = pty_now_ms() - run->job.counted_since;

	return figure_show(words, run->job.bytes * 1000 / (size_t)(ms > 0 ? ms : 1), "bytes/s");
}

static bool go_on(struct run *run, const char *unused)
{
	(void)unused;
	return pty_job_continue(&run->job);
}

static bool hang_up(struct run *run, const char *unused)
{
	(void)unused;
	pty_job_hang_up(&run->job);
	run->is_left = true;
	return true;
}

static const struct verb {
	const char *word;
	bool (*act)(struct run *run, const char *words);
	bool is_awaited;
} verbs[] = {
	{"wait", pause_for, false}, {"type", type, false},          {"resize", resize, false},
	{"pid", pid_write, false},  {"run", command_succeeds, false}, {"await", command_succeeds, true},
	{"see", see, true},         {"gone", gone, true},           {"line", line_has, true},
	{"clean", clean, true},     {"marked", marked, true},       {"save", screen_write, false},
	{"count", count, false},    {"bytes", bytes_show, false},   {"redraw", redraw_show, false},
	{"rate", rate_show, false}, {"hidden", hidden, true},       {"shown", shown, true},
	{"away", away, true},       {"stopped", stopped, true},     {"continue", go_on, false},
	{"hangup", hang_up, false}, {"exited", exited, true},       {"killed", killed, true},
	{"signal", send_signal, false}, {"storm", storm, false},
};

static bool await(struct run *run, const struct verb *verb, const char *words)
{
	int64_t end = pty_now_ms() + PATIENCE_MS;

	while (!verb->act(run, words)) {
		if (pty_now_ms() > end)
			return false;
		pty_job_take(&run->job, LOOK_MS);
	}
	return true;
}

/* False: it does not hold. Exits if it is no line. */
static bool line_obey(struct run *run, char *line)
{
	size_t length;

	line[strcspn(line, "\n")] = '\0';
	line += strspn(line, " \t");
	length = strcspn(line, " ");
	if (!*line || *line == '#')
		return true;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		const char *words = line[length] ? line + length + 1 : line + length;

		if (strlen(verbs[i].word) != length || strncmp(verbs[i].word, line, length) != 0)
			continue;
		/* what has come so far */
		pty_job_take(&run->job, 0);
		return verbs[i].is_awaited ? await(run, &verbs[i], words)
		                           : verbs[i].act(run, words);
	}
	(void)fprintf(stderr, "pty_run: no such line: %s\n", line);
	return false;
}

static void screen_show(const struct pty_job *job)
{
	const struct vt_screen *vt = &job->screen;

	for (size_t row = 0; row < vt->rows; row++)
		(void)fprintf(stderr, "    |%s\n", vt_row_text(vt, row));
	(void)fprintf(stderr, "    overprints %u, strays %u, unknown %u %s; cursor %s, %s screen, "
	              "attributes %s; ",
	              vt->overprints, vt->strays, vt->unknown, vt->unknown_text,
	              vt->is_cursor_hidden ? "hidden" : "shown",
	              vt->is_alternate ? "alternate" : "main",
	              pty_job_is_restored(job) ? "as before" : "changed");
	if (job->has_status)
		(void)fprintf(stderr, "ended with %#x\n", (unsigned)job->status);
	else
		(void)fprintf(stderr, "%s\n", job->is_stopped ? "stopped" : "runs");
}

static bool is_well_ended(struct run *run)
{
	if (!run->job.has_status)
		(void)fprintf(stderr, "pty_run: it has not ended\n");
	else if (!run->is_left && !is_given_back(&run->job))
		(void)fprintf(stderr, "pty_run: the terminal is not as it was\n");
	else
		return true;
	return false;
}

int main(int argc, char **argv)
{
	static struct run run;
	size_t rows = 24, columns = 80;
	char line[LINE_BYTES];
	bool is_fine = true;

	if (argc > 1 && sscanf(argv[1], "%zux%zu", &columns, &rows) == 2)
		argv++, argc--;
	if (argc < 2 || rows > VT_ROWS_MAX || columns > VT_COLUMNS_MAX) {
		(void)fputs("usage: pty_run [COLUMNSxROWS] COMMAND... < LINES\n", stderr);
		return 2;
	}
	if (!pty_job_begin(&run.job, rows, columns, argv + 1)) {
		(void)fprintf(stderr, "pty_run: no terminal: %s\n", strerror(errno));
		return 2;
	}
	while (is_fine && fgets(line, sizeof(line), stdin)) {
		is_fine = line_obey(&run, line);
		(void)fflush(stdout);
		if (!is_fine)
			(void)fprintf(stderr, "pty_run: does not hold: %s\n", line);
	}
	is_fine = is_fine && is_well_ended(&run);
	if (!is_fine)
		screen_show(&run.job);
	pty_job_end(&run.job);
	return is_fine ? 0 : 1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A server of the Model Context Protocol on standard input and output, for agents: it runs `ftwait` on
 * recordings below one folder, and passes on what that prints, a few KB of it. A message is a line. One
 * request is answered after the other.
 *
 *	ftwait-mcp [--ftwait PROGRAM] FOLDER
 *
 * What comes from the client is hostile: lines, depth and output are bounded; programs are executed with
 * an argv, never by a shell; options are chosen here, and values are only their values; files are regular
 * ones below the folder, by their real path. Nothing is written but answers.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/monotonic.h"
#include "base/text/buffer.h"
#include "base/version.h"
#include "base/xalloc.h"
#include "json/json_reader.h"
#include "present/data/json_writer.h"

#define LINE_MAX_BYTES   (1u << 20)
#define ERROR_BYTES_MAX  2000
/* About 2,000 tokens, at 3.5 bytes each; more if more rows are asked for, up to the limit. */
#define OUTPUT_BYTES     7000u
#define ROW_BYTES        150u
#define OUTPUT_BYTES_MAX (200u << 10)
#define TOP_DEFAULT      "5"
#define TOP_MAX          1000
#define RUN_NSEC_MAX     (300 * UINT64_C(1000000000))
#define WORDS_MAX        64
#define FILES_MAX        16

/* Of JSON-RPC 2.0. */
enum rpc_error {
	RPC_PARSE_ERROR = -32700,
	RPC_INVALID_REQUEST = -32600,
	RPC_NO_METHOD = -32601,
	RPC_INVALID_PARAMS = -32602,
};

/* Newest first: it is offered to a client that asks for one that is not here. The revision between
   them needs batches. */
static const char *const versions[] = {"2025-06-18", "2024-11-05"};

enum server_state {
	STATE_NEW,
	STATE_READY, /* `initialize` was answered */
};

struct server {
	const char *program; /* ftwait */
	char *root;          /* real path of the folder; also the current one */
	enum server_state state;
	struct json *schema; /* of reports: its members are the views */
};

/* The command line of a child; the words are owned. */
struct words {
	char *word[WORDS_MAX + 1];
	size_t count;
};

static void words_release(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->word[i]);
}

/* Takes the word. Beyond the limit words are dropped: no tool needs so many. */
static void words_take(struct words *words, char *word)
{
	if (words->count < WORDS_MAX)
		words->word[words->count++] = word;
	else
		free(word);
}

static void words_add(struct words *words, const char *word)
{
	words_take(words, xstrdup(word));
}

/* What a child has printed. */
struct printed {
	struct buffer out, error; /* with limits: is_cut */
	int status;               /* of its exit; 128 + signal; -1: it was not run, or took too long */
};

static void printed_release(struct printed *printed)
{
	buffer_release(&printed->out);
	buffer_release(&printed->error);
}

/* Reads what has come; returns false at the end. What is beyond the limit is read and dropped. */
static bool pipe_take(int fd, struct buffer *to)
{
	char bytes[4096];
	ssize_t got = read(fd, bytes, sizeof(bytes));

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (got > 0)
		buffer_append(to, bytes, (size_t)got);
	return got > 0;
}

/* Reads both until they end; returns false if that takes too long. */
static bool pipes_take(int out, int error, struct printed *printed)
{
	uint64_t end = monotonic_now() + RUN_NSEC_MAX;
	struct pollfd fds[] = {{.fd = out, .events = POLLIN}, {.fd = error, .events = POLLIN}};

	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		uint64_t now = monotonic_now();

		if (now >= end)
			return false;
		fds[0].revents = fds[1].revents = 0;
		if (poll(fds, ARRAY_SIZE(fds), (int)((end - now) / 1000000) + 1) < 0 && errno != EINTR)
			return false;
		if (fds[0].fd >= 0 && fds[0].revents && !pipe_take(out, &printed->out))
			fds[0].fd = -1;
		if (fds[1].fd >= 0 && fds[1].revents && !pipe_take(error, &printed->error))
			fds[1].fd = -1;
	}
	return true;
}

static int child_spawn(const char *program, char *const argv[], int out, int error, pid_t *ret)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int r;

	(void)sigemptyset(&defaults);
	(void)sigaddset(&defaults, SIGPIPE);
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawnattr_init(&attributes);
	(void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	(void)posix_spawnattr_setsigdefault(&attributes, &defaults);
	r = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO);
	if (r == 0)
		r = posix_spawnp(ret, program, &actions, &attributes, argv, environ);
	(void)posix_spawnattr_destroy(&attributes);
	(void)posix_spawn_file_actions_destroy(&actions);
	return r;
}

static int child_await(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs the program; `bytes`: of its output, at most. */
static void child_run(const struct server *server, const struct words *words, size_t bytes,
                      struct printed *ret)
{
	int out[2], error[2] = {-1, -1}, r;
	pid_t child;

	ret->out = buffer_of(bytes);
	ret->error = buffer_of(ERROR_BYTES_MAX);
	ret->status = -1;
	if (pipe2(out, O_CLOEXEC) < 0) {
		buffer_printf(&ret->error, "no pipe: %s", strerror(errno));
		return;
	}
	r = pipe2(error, O_CLOEXEC) < 0 ? errno
	                                : child_spawn(server->program, (char *const *)words->word,
	                                              out[1], error[1], &child);
	(void)close(out[1]);
	(void)close(error[1]);
	if (r != 0) {
		buffer_printf(&ret->error, "%s cannot be executed: %s", server->program, strerror(r));
	} else {
		bool has_ended = pipes_take(out[0], error[0], ret);

		if (!has_ended) {
			(void)kill(child, SIGKILL);
			buffer_puts(&ret->error, "it took too long; ask for a part: from, to, task");
		}
		ret->status = child_await(child);
	}
	(void)close(out[0]);
	(void)close(error[0]);
}

/* Answers. */

/* Begins the answer to the request of that id, up to the key of result or error. */
static void answer_begin(struct json_writer *json, const struct json *id)
{
	json_init(json, stdout);
	json->is_one_line = true;
	json_object_begin(json, JSON_INLINE);
	json_member_string(json, "jsonrpc", "2.0");
	json_key(json, "id");
	if (id && id->type == JSON_TEXT)
		json_put_string(json, id->text);
	else if (id && id->type == JSON_NUMBER && id->is_negative)
		json_put_i64(json, -(int64_t)id->number);
	else if (id && id->type == JSON_NUMBER)
		json_put_u64(json, id->number);
	else
		json_put_null(json);
}

static void answer_end(struct json_writer *json)
{
	json_object_end(json);
	json_release(json); /* with the end of the line */
	(void)fflush(stdout);
}

static void error_answer(const struct json *id, enum rpc_error code, const char *what)
{
	struct json_writer json;

	answer_begin(&json, id);
	json_member_object(&json, "error", JSON_INLINE);
	json_key(&json, "code");
	json_put_i64(&json, code);
	json_member_string(&json, "message", what);
	json_object_end(&json);
	answer_end(&json);
}

static void result_begin(struct json_writer *json, const struct json *id)
{
	answer_begin(json, id);
	json_member_object(json, "result", JSON_INLINE);
}

static void result_end(struct json_writer *json)
{
	json_object_end(json);
	answer_end(json);
}

static void text_answer(const struct json *id, const char *text, bool is_error)
{
	struct json_writer json;

	result_begin(&json, id);
	json_member_array(&json, "content", JSON_INLINE);
	json_object_begin(&json, JSON_INLINE);
	json_member_string(&json, "type", "text");
	json_member_string(&json, "text", text);
	json_object_end(&json);
	json_array_end(&json);
	json_member_bool(&json, "isError", is_error);
	result_end(&json);
}

/* The tools. */

enum argument_type {
	TEXT_ARGUMENT,  /* the value of an option */
	COUNT_ARGUMENT, /* the same, a number up to TOP_MAX */
	SWITCH_ARGUMENT,
	VIEW_ARGUMENT,  /* the name of a view, which is an option */
	FILE_ARGUMENT,
	FILES_ARGUMENT, /* one, or an array */
	WORDS_ARGUMENT, /* operands behind the files */
};

struct argument {
	const char *name;
	enum argument_type type;
	const char *option; /* NULL: none */
	bool is_required;
	const char *about;
};

struct tool {
	const char *name, *command;
	const char *option; /* that it always has; NULL */
	const char *about;
	const struct argument *arguments;
	size_t count;
};

#define FILE_ROW {"file", FILE_ARGUMENT, NULL, true, "a recording, by its path below the folder"}
#define PART_ROWS                                                                                  \
	{"task", TEXT_ARGUMENT, "comm", false, "only tasks of that name; * and ? stand for any"},  \
	{"pid", TEXT_ARGUMENT, "pid", false, "only these processes or threads: 17,18"},            \
	{"from", TEXT_ARGUMENT, "from", false, "seconds since the recording began, or a mark"},    \
	{"to", TEXT_ARGUMENT, "to", false, "the same"}
#define TOP_ROW                                                                                    \
	{"top", COUNT_ARGUMENT, "top", false, "rows of each table (default " TOP_DEFAULT           \
	                                      "); the answer may be longer then"}

static const struct argument explain_arguments[] = {
	FILE_ROW,
	{"question", WORDS_ARGUMENT, NULL, false,
	 "words: a view, a resource, a cause or a task: \"disk\", \"why is nginx slow\""},
	PART_ROWS,
};
static const struct argument report_arguments[] = {
	FILE_ROW,
	{"view", VIEW_ARGUMENT, NULL, false, "default: summary"},
	PART_ROWS,
	TOP_ROW,
};
static const struct argument tail_arguments[] = {
	FILE_ROW,
	{"per", TEXT_ARGUMENT, "per", false,
	 "the unit: request (default), mark:NAME, slice:NAME, syscall:NAME"},
	PART_ROWS,
	TOP_ROW,
};
static const struct argument diff_arguments[] = {
	{"old", FILES_ARGUMENT, NULL, true, "recordings before a change"},
	{"new", FILES_ARGUMENT, NULL, true, "recordings after it"},
	{"by", TEXT_ARGUMENT, "by", false, "cause (default), chain, task, resource, syscall, cgroup"},
	{"tail", SWITCH_ARGUMENT, "tail", false, "compare what the slow requests are slow by"},
	{"task", TEXT_ARGUMENT, "comm", false, "only tasks of that name"},
	TOP_ROW,
};
static const struct argument events_arguments[] = {
	FILE_ROW,
	{"filter", TEXT_ARGUMENT, "filter", false, "\"sched_switch: prev_prio < 100\""},
	PART_ROWS,
	TOP_ROW,
};

static const struct tool tools[] = {
	{"explain", "explain", NULL,
	 "What a recording's tasks waited for, in at most five sentences, each with its figure, how sure it is, and "
	 "the command that shows more (ftwait report --VIEW is the tool report). Ask this first.",
	 explain_arguments, ARRAY_SIZE(explain_arguments)},
	{"report", "report", NULL, "A view of a recording as text.", report_arguments,
	 ARRAY_SIZE(report_arguments)},
	{"tail", "report", "--tail",
	 "Why the slow requests, or other units of work, are slower than the rest.", tail_arguments,
	 ARRAY_SIZE(tail_arguments)},
	{"diff", "diff", NULL, "What changed between recordings, and what of it is sure.",
	 diff_arguments, ARRAY_SIZE(diff_arguments)},
	{"events", "report", "--events", "Raw events as text.", events_arguments,
	 ARRAY_SIZE(events_arguments)},
};

static const struct tool *tool_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++)
		if (strcmp(tools[i].name, name) == 0)
			return &tools[i];
	return NULL;
}

static bool member_is_view(const struct json *member)
{
	return strcmp(member->key, "schema") != 0 && strcmp(member->key, "trace") != 0 &&
	       strcmp(member->key, "health") != 0;
}

/* The views, as options have them; to be freed. */
static char *view_name(const struct json *member)
{
	char *name = xstrdup(member->key);

	for (char *at = name; (at = strchr(at, '_'));)
		*at = '-';
	return name;
}

static void argument_put(const struct server *server, struct json_writer *json,
                         const struct argument *argument)
{
	const struct json *views = json_find(server->schema, "properties");

	json_member_object(json, argument->name, JSON_INLINE);
	if (argument->type == FILES_ARGUMENT) {
		json_member_string(json, "type", "array");
		json_member_object(json, "items", JSON_INLINE);
		json_member_string(json, "type", "string");
		json_object_end(json);
	} else {
		json_member_string(json, "type", argument->type == COUNT_ARGUMENT    ? "integer"
		                                 : argument->type == SWITCH_ARGUMENT ? "boolean"
		                                                                     : "string");
	}
	if (argument->type == VIEW_ARGUMENT && views) {
		json_member_array(json, "enum", JSON_INLINE);
		for (const struct json *view = views->item; view; view = view->next) {
			_cleanup_(freep) char *name = view_name(view);

			if (member_is_view(view))
				json_put_string(json, name);
		}
		json_array_end(json);
	}
	json_member_string(json, "description", argument->about);
	json_object_end(json);
}

static void tool_put(const struct server *server, struct json_writer *json, const struct tool *tool)
{
	json_object_begin(json, JSON_INLINE);
	json_member_string(json, "name", tool->name);
	json_member_string(json, "description", tool->about);
	json_member_object(json, "inputSchema", JSON_INLINE);
	json_member_string(json, "type", "object");
	json_member_object(json, "properties", JSON_INLINE);
	for (size_t i = 0; i < tool->count; i++)
		argument_put(server, json, &tool->arguments[i]);
	json_object_end(json);
	json_member_array(json, "required", JSON_INLINE);
	for (size_t i = 0; i < tool->count; i++)
		if (tool->arguments[i].is_required)
			json_put_string(json, tool->arguments[i].name);
	json_array_end(json);
	json_member_bool(json, "additionalProperties", false);
	json_object_end(json);
	json_member_object(json, "annotations", JSON_INLINE);
	json_member_bool(json, "readOnlyHint", true);
	json_object_end(json);
	json_object_end(json);
}

static void tools_list(const struct server *server, const struct json *id)
{
	struct json_writer json;

	result_begin(&json, id);
	json_member_array(&json, "tools", JSON_INLINE);
	for (size_t i = 0; i < ARRAY_SIZE(tools); i++)
		tool_put(server, &json, &tools[i]);
	json_array_end(&json);
	result_end(&json);
}

/* A call: its command line, as its arguments make it. */
struct call {
	const struct server *server;
	struct words options, operands;
	size_t bytes;      /* of output */
	struct buffer why; /* the arguments are wrong */
};

/* Adds the file as an operand, by a path that no option begins like; false if it must not be read. */
static bool file_add(struct call *call, const char *name)
{
	const char *root = call->server->root;
	size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
	_cleanup_(freep) char *real = *name ? realpath(name, NULL) : NULL;
	struct stat file;

	if (!real || strncmp(real, root, length) != 0 || real[length] != '/' ||
	    stat(real, &file) < 0 || !S_ISREG(file.st_mode))
		return buffer_fail(&call->why, false, "%s: no file below the folder of this server",
		                   name);
	words_take(&call->operands, xasprintf(".%s", real + length));
	return true;
}

static bool files_add(struct call *call, const struct json *value)
{
	size_t count = 0;

	if (value->type == JSON_TEXT)
		return file_add(call, value->text);
	for (const struct json *file = value->item; file; file = file->next)
		if (file->type != JSON_TEXT || ++count > FILES_MAX || !file_add(call, file->text))
			return buffer_fail(&call->why, false, "%sat most %d files",
			                   call->why.length ? "; " : "", FILES_MAX);
	return count > 0 || buffer_fail(&call->why, false, "no file is given");
}

static bool view_add(struct call *call, const char *name)
{
	const struct json *views = json_find(call->server->schema, "properties");

	for (const struct json *view = views ? views->item : NULL; view; view = view->next) {
		_cleanup_(freep) char *own = view_name(view);

		if (member_is_view(view) && strcmp(own, name) == 0) {
			words_take(&call->options, xasprintf("--%s", own));
			return true;
		}
	}
	return buffer_fail(&call->why, false, "%s: no such view", name);
}

/* Whether the value has the type that the schema says. */
static bool argument_is_typed(const struct argument *argument, const struct json *value)
{
	switch (argument->type) {
	case COUNT_ARGUMENT:
		return value->type == JSON_NUMBER && value->is_integer && !value->is_negative &&
		       value->number >= 1 && value->number <= TOP_MAX;
	case SWITCH_ARGUMENT:
		return value->type == JSON_BOOL;
	case FILES_ARGUMENT:
		return value->type == JSON_ARRAY || value->type == JSON_TEXT;
	case TEXT_ARGUMENT:
	case VIEW_ARGUMENT:
	case FILE_ARGUMENT:
	case WORDS_ARGUMENT:
		break;
	}
	return value->type == JSON_TEXT;
}

static bool argument_add(struct call *call, const struct argument *argument,
                         const struct json *value)
{
	if (!argument_is_typed(argument, value))
		return buffer_fail(&call->why, false, "%s: not of the type in inputSchema",
		                   argument->name);
	switch (argument->type) {
	case FILE_ARGUMENT:
		return file_add(call, value->text);
	case FILES_ARGUMENT:
		if (call->operands.count) /* the old ones come first */
			words_add(&call->operands, "--");
		return files_add(call, value);
	case VIEW_ARGUMENT:
		return view_add(call, value->text);
	case WORDS_ARGUMENT:
		words_add(&call->operands, value->text);
		return true;
	case SWITCH_ARGUMENT:
		if (value->boolean)
			words_take(&call->options, xasprintf("--%s", argument->option));
		return true;
	case COUNT_ARGUMENT:
		call->bytes = OUTPUT_BYTES + (size_t)value->number * ROW_BYTES;
		if (call->bytes > OUTPUT_BYTES_MAX)
			call->bytes = OUTPUT_BYTES_MAX;
		break;
	case TEXT_ARGUMENT:
		break;
	}
	words_take(&call->options, xasprintf("--%s=%s", argument->option, value->text));
	return true;
}

/* Takes the arguments in the order of the tool's table. */
static bool arguments_take(struct call *call, const struct tool *tool, const struct json *given)
{
	bool has_top = false;

	for (const struct json *member = given ? given->item : NULL; member; member = member->next) {
		size_t at = 0;

		while (at < tool->count && strcmp(tool->arguments[at].name, member->key) != 0)
			at++;
		if (at == tool->count)
			return buffer_fail(&call->why, false, "%s: no such argument of %s",
			                   member->key, tool->name);
	}
	for (size_t i = 0; i < tool->count; i++) {
		const struct argument *argument = &tool->arguments[i];
		const struct json *value = json_find(given, argument->name);

		has_top |= argument->type == COUNT_ARGUMENT && !value;
		if (!value && argument->is_required)
			return buffer_fail(&call->why, false, "%s is needed", argument->name);
		if (value && !argument_add(call, argument, value))
			return false;
	}
	if (has_top)
		words_add(&call->options, "--top=" TOP_DEFAULT);
	return true;
}

/* Cuts what is too long at the end of a line, and says so. */
static void output_cut(struct buffer *out, size_t bytes)
{
	const char *end;

	if (!out->is_cut)
		return;
	end = memrchr(out->text, '\n', out->length);
	buffer_truncate(out, end ? (size_t)(end - out->text) + 1 : out->length);
	out->is_cut = false;
	out->limit += 200;
	buffer_printf(out, "... cut here, after %zu bytes: ask for a part (task, from, to, another view), "
	                   "or for more rows (top)\n", bytes);
}

static void call_answer(struct call *call, const struct tool *tool, const struct json *id)
{
	_cleanup_(words_release) struct words words = {0};
	_cleanup_(printed_release) struct printed printed;

	words_add(&words, "ftwait");
	words_add(&words, tool->command);
	if (tool->option)
		words_add(&words, tool->option);
	for (size_t i = 0; i < call->options.count; i++)
		words_add(&words, call->options.word[i]);
	if (strcmp(tool->command, "diff") != 0) /* there "--" divides old from new */
		words_add(&words, "--");
	for (size_t i = 0; i < call->operands.count; i++)
		words_add(&words, call->operands.word[i]);
	child_run(call->server, &words, call->bytes, &printed);
	output_cut(&printed.out, call->bytes);
	if (printed.status == 0 && printed.out.length)
		text_answer(id, printed.out.text, false);
	else
		text_answer(id, printed.error.length ? printed.error.text : "ftwait printed nothing",
		            true);
}

static void tools_call(const struct server *server, const struct json *id, const struct json *params)
{
	const struct json *arguments = json_find(params, "arguments");
	const struct json *given = arguments && arguments->type == JSON_NULL ? NULL : arguments;
	const struct tool *tool = tool_find(json_text(json_find(params, "name")));
	struct call call = {
		.server = server, .bytes = OUTPUT_BYTES, .why = buffer_of(ERROR_BYTES_MAX)};

	if (!tool)
		error_answer(id, RPC_INVALID_PARAMS, "no such tool");
	else if (given && given->type != JSON_OBJECT)
		error_answer(id, RPC_INVALID_PARAMS, "arguments: not an object");
	else if (!arguments_take(&call, tool, given))
		text_answer(id, call.why.text, true); /* the model can mend it */
	else
		call_answer(&call, tool, id);
	words_release(&call.options);
	words_release(&call.operands);
	buffer_release(&call.why);
}

static void initialize(struct server *server, const struct json *id, const struct json *params)
{
	const struct json *asked = json_find(params, "protocolVersion");
	const char *version = versions[0];
	struct json_writer json;

	if (!asked || asked->type != JSON_TEXT) {
		error_answer(id, RPC_INVALID_PARAMS, "protocolVersion is needed");
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
		if (strcmp(asked->text, versions[i]) == 0)
			version = versions[i];
	server->state = STATE_READY;
	result_begin(&json, id);
	json_member_string(&json, "protocolVersion", version);
	json_member_object(&json, "capabilities", JSON_INLINE);
	json_member_object(&json, "tools", JSON_INLINE);
	json_object_end(&json);
	json_object_end(&json);
	json_member_object(&json, "serverInfo", JSON_INLINE);
	json_member_string(&json, "name", "ftwait");
	json_member_string(&json, "version", ftwait_version);
	json_object_end(&json);
	json_member_string(&json, "instructions",
	                   "ftwait explains what tasks of a Linux machine waited for, by recordings of the "
	                   "kernel's events. Ask explain first.");
	result_end(&json);
}

/* A text, or an integer. */
static bool id_is_right(const struct json *id)
{
	return id->type == JSON_TEXT ||
	       (id->type == JSON_NUMBER && id->is_integer && id->number <= INT64_MAX);
}

/* A request; notifications are not answered, and none needs anything to be done. */
static void request_take(struct server *server, const struct json *request)
{
	const struct json *id = json_find(request, "id"), *params = json_find(request, "params");
	const struct json *method = json_find(request, "method");
	const char *name = json_text(method);

	if (request->type != JSON_OBJECT ||
	    strcmp(json_text(json_find(request, "jsonrpc")), "2.0") != 0 ||
	    (id && !id_is_right(id))) {
		error_answer(NULL, RPC_INVALID_REQUEST, "not a request of JSON-RPC 2.0, one a line");
		return;
	}
	if (!id) /* also an answer: this server asks nothing */
		return;
	if (!method || method->type != JSON_TEXT)
		error_answer(id, RPC_INVALID_REQUEST, "no method");
	else if (params && params->type != JSON_OBJECT)
		error_answer(id, RPC_INVALID_PARAMS, "params: not an object");
	else if (strcmp(name, "ping") == 0) {
		struct json_writer json;

		result_begin(&json, id);
		result_end(&json);
	} else if (strcmp(name, "initialize") == 0)
		initialize(server, id, params);
	else if (server->state == STATE_NEW)
		error_answer(id, RPC_INVALID_REQUEST, "initialize comes first");
	else if (strcmp(name, "tools/list") == 0)
		tools_list(server, id);
	else if (strcmp(name, "tools/call") == 0)
		tools_call(server, id, params);
	else
		error_answer(id, RPC_NO_METHOD, "no such method");
}

/* Reads a line without its end; what is too long is read, dropped, and marked as cut. Returns false at
   the end of the input. */
static bool line_read(struct buffer *line)
{
	int c;

	buffer_clear(line);
	while ((c = getc_unlocked(stdin)) != EOF && c != '\n')
		buffer_putc(line, (char)c);
	return c != EOF || line->length;
}

static void line_take(struct server *server, const struct buffer *line)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(ERROR_BYTES_MAX);
	struct json *request = NULL;

	if (line->length == 0 || strspn(line->text, " \t\r") == line->length)
		return;
	if (line->is_cut) {
		error_answer(NULL, RPC_PARSE_ERROR, "the line is longer than 1 MiB");
	} else if (json_parse(line->text, line->length, &request, &why) < 0) {
		error_answer(NULL, RPC_PARSE_ERROR, why.text);
	} else {
		request_take(server, request);
		json_free(request);
	}
}

/* What this ftwait can show; also whether it can be executed at all. */
static bool schema_read(struct server *server)
{
	_cleanup_(words_release) struct words words = {0};
	_cleanup_(printed_release) struct printed printed;
	_cleanup_(buffer_release) struct buffer why = buffer_of(ERROR_BYTES_MAX);

	words_add(&words, "ftwait");
	words_add(&words, "schema");
	words_add(&words, "report");
	child_run(server, &words, OUTPUT_BYTES_MAX, &printed);
	if (printed.status == 0 && !printed.out.is_cut &&
	    json_parse(printed.out.text, printed.out.length, &server->schema, &why) == 0)
		return true;
	(void)fprintf(stderr, "ftwait-mcp: %s schema: %s; name one of this version: --ftwait PROGRAM\n",
	              server->program, printed.error.length ? printed.error.text : why.text);
	return false;
}

int main(int argc, char **argv)
{
	struct server server = {.program = "ftwait"};
	_cleanup_(freep) char *program = NULL; /* its path, as the folder changes */
	_cleanup_(buffer_release) struct buffer line = buffer_of(LINE_MAX_BYTES);
	int status = EXIT_FAILURE;

	if (argc == 4 && strcmp(argv[1], "--ftwait") == 0) {
		program = strchr(argv[2], '/') ? realpath(argv[2], NULL) : NULL;
		server.program = program ? program : argv[2];
		argv += 2;
		argc -= 2;
	}
	if (argc != 2 || argv[1][0] == '-') {
		(void)fputs("usage: ftwait-mcp [--ftwait PROGRAM] FOLDER\n", stderr);
		return 2;
	}
	(void)signal(SIGPIPE, SIG_IGN);
	if (schema_read(&server)) {
		server.root = realpath(argv[1], NULL);
		if (!server.root || chdir(server.root) < 0) {
			(void)fprintf(stderr, "ftwait-mcp: %s: %s; name the folder of the recordings\n",
			              argv[1], strerror(errno));
		} else {
			while (!ferror(stdout) && line_read(&line))
				line_take(&server, &line);
			status = ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
		}
	}
	free(server.root);
	json_free(server.schema);
	return status;
}

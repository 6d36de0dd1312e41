/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "junit_file.h"

#include "compare/check_report.h"
#include "present/picture/svg_text.h"

static void case_begin(struct buffer *to, const char *budget_path, const char *name)
{
	buffer_puts(to, "  <testcase classname=\"");
	svg_text_append(to, budget_path);
	buffer_puts(to, "\" name=\"");
	svg_text_append(to, name);
	buffer_puts(to, "\" time=\"0\"");
}

/* An element with a message, and a text inside, which may be NULL. */
static void outcome_put(struct buffer *to, const char *element, const char *message,
                        const char *text)
{
	buffer_printf(to, ">\n    <%s message=\"", element);
	svg_text_append(to, message);
	buffer_putc(to, '"');
	if (text) {
		buffer_putc(to, '>');
		svg_text_append(to, text);
		buffer_printf(to, "</%s>\n  </testcase>\n", element);
	} else {
		buffer_puts(to, "/>\n  </testcase>\n");
	}
}

static void health_put(struct buffer *to, const struct judgement *judgement,
                       const char *budget_path)
{
	case_begin(to, budget_path, "recordings are fit to judge");
	if (judgement->is_healthy)
		buffer_puts(to, "/>\n");
	else
		outcome_put(to, "error", judgement->unfit.text[0], NULL);
}

static void broken_put(struct buffer *to, const struct judged_rule *judged)
{
	struct buffer message, text;

	buffer_init(&message, BUFFER_LIMIT_DEFAULT);
	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	broken_rule_append(&message, judged);
	worst_case_append(&text, judged);
	if (text.length)
		buffer_printf(&text, ". %s", judged->measurement.worst.command);
	outcome_put(to, "failure", message.text, text.length ? text.text : NULL);
	buffer_release(&message);
	buffer_release(&text);
}

static void rule_put(struct buffer *to, const struct judgement *judgement,
                     const struct judged_rule *judged, const char *budget_path)
{
	struct buffer why;
	double value;

	case_begin(to, budget_path, judged->measurement.rule->text);
	if (!judgement->is_healthy) {
		outcome_put(to, "skipped", "the recordings are not fit to judge", NULL);
		return;
	}
	switch (judged->verdict) {
	case VERDICT_KEPT:
		buffer_puts(to, "/>\n");
		break;
	case VERDICT_BROKEN:
		broken_put(to, judged);
		break;
	case VERDICT_UNFIT:
		buffer_init(&why, BUFFER_LIMIT_DEFAULT);
		(void)measurement_value(&judged->measurement, &value, &why);
		outcome_put(to, "error", why.text, NULL);
		buffer_release(&why);
		break;
	}
}

void junit_put(FILE *out, const struct judgement *judgement, const char *budget_path)
{
	bool is_healthy = judgement->is_healthy;
	size_t rules = judgement->budget->count;
	struct buffer text;

	buffer_init(&text, BUFFER_LIMIT_DEFAULT);
	buffer_printf(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	                     "<testsuite name=\"ftwait check\" tests=\"%zu\" failures=\"%zu\" "
	                     "errors=\"%zu\" skipped=\"%zu\" time=\"0\">\n",
	              rules + 1, is_healthy ? judgement->broken : 0,
	              is_healthy ? judgement->unmeasured : 1, is_healthy ? 0 : rules);
	health_put(&text, judgement, budget_path);
	for (size_t i = 0; i < rules; i++) {
		rule_put(&text, judgement, &judgement->rule[i], budget_path);
		(void)fwrite(text.text, 1, text.length, out);
		buffer_clear(&text);
	}
	buffer_puts(&text, "</testsuite>\n");
	(void)fwrite(text.text, 1, text.length, out);
	buffer_release(&text);
}

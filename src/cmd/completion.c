/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "completion.h"

#include "command_table.h"

static const char head[] =
	"# SPDX-License-Identifier: GPL-2.0-or-later\n"
	"# bash completion for ftwait; made by: ftwait help --completion\n"
	"_ftwait()\n"
	"{\n"
	"\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
	"\tlocal command=${COMP_WORDS[1]} words= listed=\n"
	"\n"
	"\tCOMPREPLY=()\n"
	"\tif [ \"$before\" = = ]; then\n"
	"\t\tbefore=${COMP_WORDS[COMP_CWORD-2]}\n"
	"\telif [ \"$word\" = = ]; then\n"
	"\t\tword=\n"
	"\tfi\n";

static const char tail[] =
	"\tif [[ $word != -* ]]; then\n"
	"\t\tcompopt -o filenames 2>/dev/null\n"
	"\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tCOMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
	"}\n"
	"complete -F _ftwait ftwait\n";

static void print_command_words(FILE *out)
{
	(void)fputs("\tif [ \"$COMP_CWORD\" -eq 1 ] || { [ \"$command\" = help ] && "
	            "[[ $word != -* ]]; }; then\n"
	            "\t\tCOMPREPLY=($(compgen -W \"", out);
	for (size_t i = 0; i < command_count; i++)
		(void)fprintf(out, "%s ", commands[i].name);
	(void)fputs("--help --version\" -- \"$word\"))\n"
	            "\t\treturn\n"
	            "\tfi\n", out);
}

/* The elements of a list that stand before the last comma are kept. */
static void print_values(FILE *out, const struct option_row *row)
{
	bool is_list = row->type == OPTION_LIST;

	(void)fprintf(out, "\t\tCOMPREPLY=($(compgen %s-W \"", is_list ? "-P \"$listed\" " : "");
	for (size_t i = 0; row->value_at(i); i++)
		(void)fprintf(out, "%s%s", i ? " " : "", row->value_at(i));
	(void)fprintf(out, "\" -- \"%s\"))\n\t\treturn\n\t\t;;\n",
	              is_list ? "${word##*,}" : "$word");
}

/* Of the options that have a fixed set of them. */
static void print_values_of_options(FILE *out)
{
	(void)fputs("\t[[ $word == *,* ]] && listed=${word%,*},\n"
	            "\tcase $command:$before in\n", out);
	for (size_t c = 0; c < command_count; c++) {
		struct option_row row;

		for (size_t i = 0; option_row_at(commands[c].options, i, &row); i++) {
			if (!row.value_at)
				continue;
			(void)fprintf(out, "\t%s:--%s)\n", commands[c].name, row.name);
			print_values(out, &row);
		}
	}
	(void)fputs("\tesac\n", out);
}

static void print_options(FILE *out)
{
	(void)fputs("\tcase $command in\n", out);
	for (size_t c = 0; c < command_count; c++) {
		struct option_row row;

		(void)fprintf(out, "\t%s)\n\t\twords=\"", commands[c].name);
		for (size_t i = 0; option_row_at(commands[c].options, i, &row); i++)
			if (row.type != OPTION_HEADING)
				(void)fprintf(out, "--%s ", row.name);
		(void)fputs("--help\"\n\t\t;;\n", out);
	}
	(void)fputs("\tesac\n", out);
}

void completion_print(FILE *out)
{
	(void)fputs(head, out);
	print_command_words(out);
	print_values_of_options(out);
	print_options(out);
	(void)fputs(tail, out);
}

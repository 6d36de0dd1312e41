/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "each_recording.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text/buffer.h"
#include "source/source.h"

int each_recording(int argc, char **argv, bool (*check)(void *state, const char *path),
                   void *state)
{
	unsigned passed = 0, failed = 0;

	for (int i = 1; i < argc; i++) {
		char pattern[4096];
		glob_t files;

		(void)snprintf(pattern, sizeof(pattern), "%s/*.dat", argv[i]);
		if (glob(pattern, 0, NULL, &files) != 0)
			continue;
		for (size_t f = 0; f < files.gl_pathc; f++) {
			bool is_good = check(state, files.gl_pathv[f]);

			passed += is_good;
			failed += !is_good;
		}
		globfree(&files);
	}
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

struct source *recording_open(const char *path)
{
	struct source *source = NULL;
	struct buffer why;

	buffer_init(&why, 1024);
	if (source_open(path, &source, &why) < 0)
		printf("%s: %s\n", path, why.text);
	buffer_release(&why);
	return source;
}

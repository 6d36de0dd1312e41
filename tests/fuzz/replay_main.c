/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay FILE|FOLDER...: runs a fuzz target over files, one after another, so that what fuzzing
 * once found stays found without libFuzzer. A crash names its file on the last line of output.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz_input.h"
#include "fuzz_target.h"

static unsigned failures;

static void replay(const char *path)
{
	size_t size;
	uint8_t *bytes = fuzz_input_read(path, &size);

	if (!bytes) {
		fprintf(stderr, "replay: cannot read %s\n", path);
		failures++;
		return;
	}
	printf("replay %s\n", path);
	(void)fflush(stdout);
	(void)LLVMFuzzerTestOneInput(bytes, size);
	free(bytes);
}

int main(int argc, char **argv)
{
	unsigned count = 0;

	for (int i = 1; i < argc; i++)
		count += fuzz_input_each(argv[i], replay);
	printf("replay: %u inputs\n", count);
	return failures || count == 0;
}

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The shells can read the completion files, where they are installed.
set -u

bad=0
while read -r shell file; do
	command -v "$shell" > /dev/null || continue
	"$shell" -n "$file" || bad=1
done << END
bash contrib/ftwait.bash
zsh contrib/_ftwait
fish contrib/ftwait.fish
END
exit $bad

# SPDX-License-Identifier: GPL-2.0-or-later
# What a document shows of commands: of each block whose first line is "$ ftwait report FILE ..." with
# a file of fixtures/ and which shows something, FOLDER/NUMBER.cmd is the command and
# FOLDER/NUMBER.shown what stands below it. -v style=indent: blocks are indented by four, as in
# README; -v style=mdoc: they stand between .Bd -literal and .Ed.

function block_end() {
	if (command != "" && shown > 0) {
		number++
		path = sprintf("%s/%02d", folder, number)
		print command > (path ".cmd")
		for (i = 1; i <= shown; i++)
			print line[i] > (path ".shown")
		close(path ".cmd")
		close(path ".shown")
	}
	command = ""
	shown = blank = 0
}

function block_line(text) {
	if (text ~ /^\$ ftwait report fixtures\//) {
		block_end()
		command = substr(text, 3)
		sub(/  +.*/, "", command)
	} else if (text ~ /^(\$|# [a-z])/) {
		block_end()
	} else if (command ~ /\\$/ && shown == 0) {
		sub(/\\$/, "", command)
		sub(/^ +/, "", text)
		command = command text
	} else if (command != "") {
		# blank lines at the end are none of it
		for (; text != "" && blank > 0; blank--)
			line[++shown] = ""
		if (text == "")
			blank++
		else
			line[++shown] = text
	}
}

style == "indent" && /^    / { block_line(substr($0, 5)); next }
style == "indent" && /^$/ { block_line(""); next }
style == "indent" { block_end(); next }
/^\.Bd -literal/ { inside = 1; next }
/^\.Ed/ { inside = 0; block_end(); next }
inside {
	gsub(/\\&/, "")
	gsub(/\\\(ga/, "`")
	gsub(/\\-/, "-")
	gsub(/\\e/, "\\")
	block_line($0)
}
END { block_end() }

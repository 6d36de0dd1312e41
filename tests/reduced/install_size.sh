# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the scripts that compare sizes of programs with those that INSTALL gives, in KB of 1000 bytes.

# INSTALL's figures are words behind others: the line breaks between them do not matter.
install_size() { # PATTERN: with the figure as its group
	tr -s ' \n' '  ' < INSTALL | sed -nE "s/.*$1.*/\1/p" | tr -d ,
}

# A size may differ by 3 % from INSTALL's, or by 20 KB if that is more. Prints INSTALL's if it differs by more.
install_size_fits() { # KB PATTERN
	install_size "$2" | awk -v is="$1" '
		{ said = $1 }
		END {
			limit = is * 0.03 > 20 ? is * 0.03 : 20
			if (is != "" && said != "" && said - is <= limit && is - said <= limit)
				exit 0
			print "INSTALL says " (said == "" ? "nothing" : said " KB")
			exit 1
		}'
}

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual pages as mandoc reads them; style hints are not errors.
set -u

command -v mandoc > /dev/null || {
	echo "mandoc is not installed"
	exit 77
}
ls man/*.[1-8] > /dev/null 2>&1 || {
	echo "no manual pages"
	exit 1
}
! mandoc -T lint -W warning man/*.[1-8] | grep .

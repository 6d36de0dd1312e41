for list in commands topics "options help" events kind sort by ended format "format diff" "sort top" stacks list; do echo "== $list"; ftwait help --list $list | head -n 15; done

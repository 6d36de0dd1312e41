# folders of PATH that this user cannot read would be "Permission denied"
PATH=${PATH%%:*}:/usr/bin:/bin
for words in "--stacks wake,user -d 1" "--profile 250 true" "--stacks -- no-such-program"; do ftwait record $words; echo "status $?"; done

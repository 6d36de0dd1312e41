# what is told to record keeps what was asked, and COMMAND as it was; its words cannot speak to the terminal
awk '{print} /^tasks/ {print "command make\nargument make\nargument -j\\1344\nargument a b\nargument it\x27s\\012\\033[31m"}' "$SCHEDULES/record-lines.txt" | mktrace -o run.dat && ftwait report run.dat --disk --lock --memory --off-cpu && ftwait report run.dat --waits --by function

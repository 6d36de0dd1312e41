for made_for in 'pids 601' 'command server'; do
	sed "/^tasks/a $made_for" "$SCHEDULES/database.txt" | mktrace -o run.dat
	ftwait report run.dat --summary --chains --graph | grep recorded
done

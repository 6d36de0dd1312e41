mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --kind disk --min 1us --wait 2 2> log && sed 's/without --\(chains\|summary\), .* or/without ... or/' log >&2

mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --irq --tid 501 2> log && sed 's/without --\(chains\|summary\), .* or/without ... or/' log >&2

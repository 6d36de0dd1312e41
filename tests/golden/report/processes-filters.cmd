mktrace -o run.dat "$SCHEDULES/family.txt" && ftwait report run.dat --processes --tid 101 --from 100us --min 3us 2> log && sed 's/without --\(chains\|summary\), .* or/without ... or/' log >&2

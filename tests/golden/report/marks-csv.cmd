mktrace -o run.dat "$SCHEDULES/marks.txt" && ftwait report run.dat --processes --comm db --from "frame 1 b*" --format csv

mktrace -o run.dat "$SCHEDULES/disks.txt" && ftwait report run.dat --disk --comm reader,app --from 105us --to 1600us --sort queue --top 3 --cpu 0 --min 10us

mktrace -o run.dat "$SCHEDULES/interrupts.txt" && ftwait report run.dat --irq --from 110us --cpu 0 --kind irq,softirq --min 5us

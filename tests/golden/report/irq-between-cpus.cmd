mktrace -o run.dat "$SCHEDULES/interrupts-between-cpus.txt" && ftwait report run.dat --irq && ftwait report run.dat --irq --kind ipi --cpu 1 --json | sed -n '/"handlers"/,/]/p'

ftwait list shced; ftwait list sched,irq

for name in io iostat latency runqlat offcpu locks futex network; do ftwait report --$name run.dat; done

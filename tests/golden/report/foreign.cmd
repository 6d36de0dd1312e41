printf PERFILE2 > perf.data; printf "cpus=2\n" > text; mkdir lttng; : > lttng/metadata; for what in perf.data text lttng; do ftwait report $what; done; ftwait report - < text

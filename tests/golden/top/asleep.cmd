mktrace -s 250ms -o stream "$SCHEDULES/top.txt" && for comm in job napper '*' nobody; do ftwait top - -b -n 3 --comm "$comm" < stream | tail -n 5; done

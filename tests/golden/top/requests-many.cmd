# more requests than are kept: it begins afresh, but no interval is without those that ended in it
awk -v t=1000000 -v requests=24000 -f "$SCHEDULES/requests-tail.awk" | mktrace -s 50ms -o stream; ftwait top - --json -i 100ms < stream | jq -c '.requests.count' | sort -n | sed -n '1p;$p'

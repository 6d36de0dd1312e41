echo "this is no trace, but long enough to be told from one" | gzip -n > x.gz && ftwait report x.gz

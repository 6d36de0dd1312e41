cd $FIXTURES && ftwait diff --per pair:block_rq_issue/block_rq_complete,by=sector demo.dat demo.dat

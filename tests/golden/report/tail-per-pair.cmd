# units that two events delimit
cd $FIXTURES && { ftwait report demo.dat --tail --per pair:block_rq_issue/block_rq_complete,by=sector && ftwait report demo.dat --tail --per pair:block_rq_issue/block_rq_complet,by=sector; ftwait report demo.dat --tail --per pair:x; }

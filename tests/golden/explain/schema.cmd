ftwait schema; ftwait schema explain; ftwait schema ftwait.report/1 | head -n 20; ftwait schema nosuch

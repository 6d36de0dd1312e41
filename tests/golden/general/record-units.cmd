# a time without a unit, and groups that are joined by the wrong sign
ftwait record --trigger 'disk>1' --trigger 'wait>0.5 comm=dd' --trigger 'wait>1s' --trigger 'hung' --trigger x 2>&1; ftwait record -q --trigger 'disk>1' --trigger x

for label in firmware =1 "a b=1" "$(printf "k%064d=1" 0)"; do ftwait record --label "$label" -- true; done

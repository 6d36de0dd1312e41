cp "$SCHEDULES/android.txt" . && ftwait report -v android.txt && ftwait report --waits android.txt | head -n 9

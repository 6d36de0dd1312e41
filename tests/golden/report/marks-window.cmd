mktrace "$SCHEDULES/marks.txt" | ftwait report - --waits --comm app --from "frame * begins" --to "frame * begins"

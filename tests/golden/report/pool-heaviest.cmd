mktrace -o run.dat "$SCHEDULES/pool.txt" && ftwait report run.dat | grep -A2 "^Most:" && ftwait report run.dat --comm worker-3 | grep -A2 "^Most:"

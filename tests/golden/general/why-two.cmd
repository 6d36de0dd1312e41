# two ways to name the process at once: neither wins silently
ftwait why -p 1 --comm sh; echo $?
ftwait why -p 1 2; echo $?

ftwait help question | head -n 1; ftwait help list | head -n 1

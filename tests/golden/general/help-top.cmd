ftwait help top

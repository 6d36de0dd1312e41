ftwait help

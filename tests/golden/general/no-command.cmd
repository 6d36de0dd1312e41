ftwait

ftwait help reprot

ftwait help questions; ftwait help questions more

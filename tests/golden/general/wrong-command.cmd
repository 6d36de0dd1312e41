ftwait reprot

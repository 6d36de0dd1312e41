ftwait -V

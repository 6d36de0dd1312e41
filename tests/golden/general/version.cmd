ftwait --version

ftwait shot --help

ftwait record --help

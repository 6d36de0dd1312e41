ftwait shot 1 2>&1; ftwait shot x 2>&1; ftwait shot 1 2 2>&1

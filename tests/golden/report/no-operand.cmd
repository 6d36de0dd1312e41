ftwait report

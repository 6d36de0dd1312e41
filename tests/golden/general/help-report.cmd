ftwait help report

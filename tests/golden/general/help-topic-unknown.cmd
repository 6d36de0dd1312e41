ftwait help nonsense; ftwait help chanis; ftwait help --chanis; ftwait help AHEAD OF; ftwait help "$(printf 'x\033[31m')"

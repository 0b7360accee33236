# Sets main to the file that nginx begins with.

main=$(nginx -T 2>/dev/null | sed -n 's/^# configuration file \(.*\):$/\1/p' | head -n 1)
[ -f "$main" ] || fail 2 'The main configuration file of nginx cannot be found: nginx -T does not name it.'

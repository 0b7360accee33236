# Each WebSocket of a site that leads to a service takes four connections, so the 768 of Debian are 190 WebSockets a
# worker. nginx reserves about 440 bytes for each connection, used or not.

. servers/setup-scripts/setup-prelude.sh
. servers/setup-scripts/services.sh
. servers/setup-scripts/unless-in-container.sh

have nginx || missing nginx
many_files
if ! nginx -t >"$log" 2>&1; then
  sed 's/^/  /' "$log" >&2
  fail 1 "The configuration of nginx is not valid. Nothing was changed."
fi
. servers/setup-scripts/main-file.sh
. servers/setup-scripts/changed-file.sh
workers=$(nproc 2>/dev/null || grep -c '^processor' /proc/cpuinfo)
# At most a sixty-fourth of the memory.
most=$(awk -v workers="$workers" '$1 == "MemTotal:" { n = int($2 * 1024 / 64 / workers / 440 / 1024) * 1024; if (n < 4096) n = 4096; if (n > 16384) n = 16384; print n }' /proc/meminfo)
# In some containers not even root may raise the limit.
if (ulimit -n 65536) 2>/dev/null; then files=65536; else files=$(ulimit -H -n); fi

# The number that is set for $1, or $2 if none is set.
given() {
  number=$(nginx -T 2>/dev/null | sed -n "s/#.*//; s/.*\(^\|[;{[:space:]]\)$1[[:space:]][[:space:]]*\([0-9][0-9]*\)[[:space:]]*;.*/\2/p" | tail -n 1)
  printf '%s' "${number:-$2}"
}
new=$before.new
cat "$main" >"$new" || fail 73 "$main could not be read."
connections=$(given worker_connections 512)
if [ "$connections" -lt "$most" ]; then
  wanted=$most awk '
    {
      code = $0
      rest = ""
      if (match(code, /#/)) { rest = substr(code, RSTART); code = substr(code, 1, RSTART - 1) }
      if (!done && !inside && code ~ /(^|[;} \t])events[ \t]*(\{|$)/) inside = 1
      if (inside && !done) {
        if (match(code, /worker_connections[ \t]+[0-9]+/)) {
          code = substr(code, 1, RSTART - 1) "worker_connections " ENVIRON["wanted"] substr(code, RSTART + RLENGTH)
          done = 1
        } else if (at = index(code, "}")) {
          code = substr(code, 1, at - 1) " worker_connections " ENVIRON["wanted"] "; " substr(code, at)
          done = 1
        }
      }
      print code rest
    }' "$main" >"$new"
fi
limit=$(given worker_rlimit_nofile 0)
if [ "$limit" = 0 ]; then
  text=$(cat "$new" && echo .)
  { printf 'worker_rlimit_nofile %s;\n' "$files" && printf '%s' "${text%.}"; } >"$new"
elif [ "$limit" -lt "$files" ]; then
  text=$(cat "$new" && echo .)
  printf '%s' "${text%.}" | sed "s/^\([[:space:]]*worker_rlimit_nofile[[:space:]][[:space:]]*\)[0-9][0-9]*/\1$files/" >"$new"
fi
if cmp -s "$main" "$new"; then
  note "A worker of nginx already takes $connections connections."
  exit 0
fi
change "$main"
cat "$new" >"$file" || fail 73 "$file cannot be written."
if ! nginx -t >"$log" 2>&1 || [ "$(given worker_connections 512)" -lt "$most" ]; then
  sed 's/^/  /' "$log" >&2
  put_back
  warn "A worker of nginx keeps its $connections connections: $main was restored."
  exit 0
fi
kept
[ "$connections" -ge "$most" ] || did "a worker of nginx takes $most connections instead of $connections"
[ "$limit" -ge "$files" ] || did "a worker of nginx may keep $files files open"
reload_if_running

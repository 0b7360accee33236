# Goes after `have`. Reads lines of `docker inspect` (USAGE_LISTING) and prints for each service, of its container that
# runs or began last:
# `usage=service|container|state|started|restarts|exit code|out of memory|clock|processor µs|memory|limit|received|sent`
# What cannot be read is empty. One process reads all files, so two hundred services cost no more forks than one.

# shellcheck disable=SC2034
usage_listing='{{index .Config.Labels "quarterdeck.service"}}|{{.Id}}|{{.State.Status}}|{{.State.Pid}}|{{.RestartCount}}|{{.State.StartedAt}}|{{.State.ExitCode}}|{{.State.OOMKilled}}|{{.HostConfig.NetworkMode}}'

print_usage() {
  if ! have awk; then
    # Without awk only what docker says.
    sed -n 's/^\([^|]*\)|\(.\{12\}\)[^|]*|\([^|]*\)|[^|]*|\([^|]*\)|\([^|]*\)|\([^|]*\)|\([^|]*\)|.*/usage=\1|\2|\3|\5|\4|\6|\7||||||/p'
    return
  fi
  awk -F '|' '
    function first(file,  line) {
      if ((getline line < file) <= 0) line = ""
      close(file)
      return line
    }
    # The number after a name, in a file of such lines.
    function named(file, name,  line, found, at) {
      found = ""
      while ((getline line < file) > 0) {
        at = index(line, " ")
        if (substr(line, 1, at - 1) == name) { found = substr(line, at + 1); break }
      }
      close(file)
      return found
    }
    # Folders of the control groups of a process. One hierarchy of version 2, or one for each controller of version 1.
    function groups(pid,  line, names, parts, part, count, path) {
      two = cpu = memory = ""
      while ((getline line < ("/proc/" pid "/cgroup")) > 0) {
        sub(/^[0-9]*:/, "", line)
        names = substr(line, 1, index(line, ":") - 1)
        path = substr(line, index(line, ":") + 1)
        if (path ~ /(^|\/)\.\.(\/|$)/) continue
        if (names == "") two = "/sys/fs/cgroup" path
        count = split(names, parts, ",")
        for (part = 1; part <= count; part++) {
          if (parts[part] == "cpuacct") cpu = "/sys/fs/cgroup/cpuacct" path
          if (parts[part] == "memory") memory = "/sys/fs/cgroup/memory" path
        }
      }
      close("/proc/" pid "/cgroup")
    }
    # As docker stats counts it: without the cache that can be dropped.
    function in_use(all, cache) {
      if (all == "") return ""
      return sprintf("%.0f", all - (cache + 0 < all + 0 ? cache : 0))
    }
    function network(pid,  file, line, at, name, of, found) {
      received = sent = found = 0
      file = "/proc/" pid "/net/dev"
      while ((getline line < file) > 0) {
        at = index(line, ":")
        if (at == 0) continue
        name = substr(line, 1, at - 1)
        gsub(/ /, "", name)
        split(substr(line, at + 1), of, " ")
        found = 1
        if (name != "lo") { received += of[1]; sent += of[9] }
      }
      close(file)
      return found ? sprintf("%.0f|%.0f", received, sent) : "|"
    }
    function figures(pid, mode,  us, used, limit, clock) {
      groups(pid)
      us = used = limit = ""
      if (cpu != "") us = first(cpu "/cpuacct.usage")
      if (us != "") us = sprintf("%.0f", us / 1000)
      else if (two != "") us = named(two "/cpu.stat", "usage_usec")
      clock = first("/proc/uptime")
      sub(/ .*/, "", clock)
      if (memory != "") used = in_use(first(memory "/memory.usage_in_bytes"), named(memory "/memory.stat", "total_inactive_file"))
      if (used != "") {
        limit = first(memory "/memory.limit_in_bytes")
        # Without a limit version 1 names the largest number of pages.
        if (limit + 0 > 1e18) limit = ""
      } else if (two != "") {
        used = in_use(first(two "/memory.current"), named(two "/memory.stat", "inactive_file"))
        limit = first(two "/memory.max")
        if (limit == "max") limit = ""
      }
      # On the network of the server it would count what the server does.
      return clock "|" us "|" used "|" limit "|" (mode == "host" ? "|" : network(pid))
    }
    length($1) != 36 || $1 ~ /[^0-9a-f-]/ || $4 !~ /^[0-9]+$/ || NF != 9 { next }
    {
      rank = ($3 == "running" ? "1" : "0") $6
      if ($1 in best && best[$1] >= rank) next
      best[$1] = rank
      says[$1] = $1 "|" substr($2, 1, 12) "|" $3 "|" $6 "|" $5 "|" $7 "|" $8
      pid[$1] = $3 == "running" ? $4 : 0
      mode[$1] = $9
    }
    END { for (one in best) print "usage=" says[one] "|" (pid[one] > 0 ? figures(pid[one], mode[one]) : "|||||") }'
}

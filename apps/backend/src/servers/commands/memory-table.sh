# From /proc alone: a minimal server has neither free nor ps.

memory_table() {
  awk '
    { kib[$1] = $2 }
    function row(name, total, free, used) {
      used = total - free
      printf "%-8s %10.1f %10.1f %10.1f %6d %%\n", name, total / 1024, used / 1024, free / 1024, total ? 100 * used / total : 0
    }
    END {
      available = ("MemAvailable:" in kib) ? kib["MemAvailable:"] : kib["MemFree:"] + kib["Buffers:"] + kib["Cached:"]
      printf "%-8s %10s %10s %10s %8s\n", "MiB", "total", "used", "available", "in use"
      row("memory", kib["MemTotal:"], available)
      row("swap", kib["SwapTotal:"], kib["SwapFree:"])
    }' /proc/meminfo
}

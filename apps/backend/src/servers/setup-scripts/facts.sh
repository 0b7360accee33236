# `changes`: what the run has changed so far, one per line.

: "${root?}" "${changes?}"

. servers/setup-scripts/setup-prelude.sh

fact() {
  [ -n "$2" ] || return 0
  report "$1" "$2"
  printf '%-14s %s\n' "$1" "$2"
}
os=$(printf '%s %s' "$(os_release ID)" "$(os_release VERSION_ID)" | sed 's/ *$//')
[ -n "$os" ] || os=linux
fact os "$os"
fact kernel "$(uname -r)"
fact architecture "$(uname -m)"
fact cores "$(nproc 2>/dev/null || grep -c '^processor' /proc/cpuinfo)"
fact memoryBytes "$(awk '$1 == "MemTotal:" { printf "%.0f", $2 * 1024 }' /proc/meminfo)"
fact diskBytes "$(df -P -k -- "$root" 2>/dev/null | awk 'NR == 2 { printf "%.0f", $2 * 1024 }')"
have nginx && fact nginx "$(nginx -v 2>&1 | sed 's,^.*nginx/,,; s/ .*//')"
have certbot && fact certbot "$(certbot --version 2>&1 | sed -n 's/^certbot //p')"
have docker && fact docker "$(docker --version 2>/dev/null | sed -n 's/^Docker version \([^, ]*\).*/\1/p')"

note
if [ -z "$changes" ]; then
  note 'Everything was in place. Nothing was changed.'
else
  note 'Changed:'
  printf '%s\n' "$changes" | sed 's/^/- /'
fi

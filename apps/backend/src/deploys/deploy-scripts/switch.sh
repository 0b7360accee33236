# In: nginx_folder, proxy, root and folder, the folder of the release. The text of the proxy before the switch is kept there, for as
# long as the release may have to be taken back.

. webserver/shell/site-changes.sh

# $1: the text, with a dot at its end: the shell removes line ends.
put_proxy() (
  umask 022
  text=${1%.}
  # The file belongs to the console alone, so it is replaced whatever it contains.
  file=${proxy##*/}
  expected='*'
  wanted=$(printf '%s' "$text" | sha256)
  apply_site
)
take_proxy() (
  umask 022
  file=${proxy##*/}
  expected='*'
  remove_site
)
# Empty if nothing served.
keep_before() {
  { [ ! -f "$proxy" ] || cat "$proxy"; } >"$folder/before" || fail 73 "$folder cannot be written."
}
switch_back() {
  if [ -s "$folder/before" ]; then put_proxy "$(cat "$folder/before" && echo .)"
  elif [ -e "$folder/before" ]; then take_proxy
  fi
}

/** Switches the proxy of a service to a release, and back. */
import { applyScript, removeScript, sha256Functions } from '../../webserver';

/**
 * In: sites, proxy, root and folder, the folder of the release. What the proxy was before the switch is kept there, for
 * as long as the release may have to be taken back.
 */
export const switchFunctions = String.raw`${sha256Functions}
# $1: the text, with a dot at its end: the shell takes line ends off.
put_proxy() (
  umask 022
  text=${'${1%.}'}
  # The file is ours alone: whatever it is, it is replaced.
  set -- "$sites" "${'${proxy##*/}'}" "$root" '*' "$(printf '%s' "$text" | sha256)" "$text"
${applyScript}
)
take_proxy() (
  umask 022
  set -- "$sites" "${'${proxy##*/}'}" "$root" '*' -
${removeScript}
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
`;

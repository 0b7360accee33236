# `look NAMES` sets `is`: none, ours, theirs (made by somebody else, or with names that the console does not know) or
# broken; `wrong` says why in sentences. Also `names`, `authenticator`, `webroot`, `hooks`. NAMES is one word: the names
# that the console knows, separated by spaces, the site's main name first.

: "${exit_absent?}" "${exit_theirs?}" "${exit_broken?}"

. certificates/certbot-scripts/prelude.sh

filled() { [ -L "$1" ] || { [ -e "$1" ] && { [ ! -d "$1" ] || [ -n "$(ls -A "$1")" ]; }; }; }
comma_list() { printf '%s' "$1" | tr ' ' ,; }
of() { printf '%s\n' "$told" | sed -n "s/^$1 //p" | head -n 1; }
# Whether the console made it. $1: as for `look`. A wildcard may stand for the main name.
of_console() {
  main=${1%% *}
  case " $names " in *" $main "* | *" *.${main#*.} "*) ;; *) return 1 ;; esac
  # A wildcard is no pattern of files.
  set -f
  for one in $names; do
    case " $1 " in *" $one "*) ;; *) set +f; return 1 ;; esac
  done
  set +f
  case $authenticator,${webroot%/},$auth_hook in
    webroot,*/.acme,* | manual,*,*/quarterdeck-dns/*) return 0 ;;
    *) return 1 ;;
  esac
}
# Of the renewal file: the values of `[renewalparams]` and `[[webroot_map]]` as lines `name value`. $1: the name of the site.
renewal_settings() {
  awk -v site="$1" '
  { sub(/^[ \t]+/, ""); sub(/[ \t\r]+$/, "") }
  /^\[/ { section = $0; next }
  match($0, /[ \t]*=[ \t]*/) {
    name = substr($0, 1, RSTART - 1)
    value = substr($0, RSTART + RLENGTH)
    gsub(/^["\047]|["\047]$/, "", name)
    if (section == "[[webroot_map]]") { if (name == site) print "webroot " value; next }
    if (section == "" && name ~ /^(fullchain|archive_dir)$/) print name " " value
    if (name == "webroot_path") { sub(/,.*/, "", value); print "path " value }
    if (section == "[renewalparams]" && name ~ /^(authenticator|server|manual_auth_hook|pre_hook|post_hook|renew_hook)$/) print name " " value
  }' "$renewal"
}
look() {
  is=none wrong= names= authenticator= webroot= hooks= auth_hook=
  folder=$(setting config-dir)
  if [ -n "$folder" ] && [ ! "$folder" -ef "$letsencrypt" ]; then
    is=broken
    wrong="certbot on this server keeps its certificates in $folder (config-dir in cli.ini), but sites read them from $letsencrypt."
    return
  fi
  if [ ! -s "$renewal" ]; then
    if filled "$lineage"; then
      wrong="$lineage was made by hand or has lost its renewal file: there is no usable $renewal, so certbot does not know this certificate."
    elif filled "$archive"; then
      wrong="$archive is left over from an earlier certificate, and certbot refuses to write into it."
    elif [ -e "$renewal" ] || [ -L "$renewal" ]; then
      wrong="$renewal is empty."
    else
      return
    fi
    is=broken
    return
  fi
  told=$(renewal_settings "${1%% *}")
  authenticator=$(of authenticator)
  auth_hook=$(of manual_auth_hook)
  webroot=$(of webroot)
  [ -n "$webroot" ] || webroot=$(of path)
  hooks=$(printf '%s\n' "$told" | sed -n -E 's/^(pre|post|renew)_hook //p' | paste -s -d ';' -)
  is=broken
  if ! grep -q -F '[renewalparams]' "$renewal"; then
    wrong="$renewal is incomplete: it has no section [renewalparams]."
    return
  fi
  # certbot's own answer: it verifies the links, and that key and certificate belong together.
  quiet=yes
  run_certbot certificates --cert-name "$name" || {
    quiet=
    wrong="certbot on this server fails: $(grep -v -e '^Saving debug log' -e '^Ask for help' -e '^[[:space:]]*$' "$log" | tail -n 1)."
    return
  }
  quiet=
  said=$(grep -F "file $renewal " "$log" | sed -n 's/.* produced an unexpected error: \(.*\)\. Skipping\.$/\1/p' | head -n 1)
  names=$(sed -n -E 's/^ *(Domains|Identifiers): *//p' "$log" | head -n 1 | tr -d ,)
  stored=$(of archive_dir)
  stored=$(readlink -f "${stored:-$archive}")
  named=$(of fullchain)
  # certbot's message is about these files, and not about those that sites read.
  if [ -n "$named" ] && [ "$named" != "$lineage/fullchain.pem" ]; then
    wrong="$renewal names $named, but sites read $lineage/fullchain.pem."
    return
  fi
  case $said in
    *'to be a symlink'*)
      link=${said#*expected }
      link=${link%% to be*}
      if [ -e "$link" ]; then wrong="$lineage holds copies instead of links into $archive (${said})."
      else wrong="$link is missing. It must be a link into $archive."
      fi
      ;;
    *'error parsing'*) wrong="$renewal is damaged: certbot cannot parse it." ;;
    *'missing a required file reference'*) wrong="$renewal is incomplete: it does not say where the certificate is." ;;
    ?*) wrong="certbot cannot use the certificate $name: $said." ;;
    *)
      if [ -z "$names" ]; then
        wrong="certbot does not list the certificate $name, although there is a $renewal."
      elif [ "$(dirname "$(readlink -f "$lineage/fullchain.pem")")" != "$stored" ]; then
        wrong="$lineage/fullchain.pem points outside $stored, where certbot stores new certificates."
      elif of_console "$1"; then
        is=ours
      else
        is=theirs
        wrong="The certificate $name on this server was not made by this console. It is for $names, and certbot renews it with $authenticator${hooks:+ and runs: $hooks}."
      fi
      ;;
  esac
}
report_look() {
  report is "$is"
  [ -z "$wrong" ] || report wrong "$wrong"
  [ -z "$names" ] || report names "$names"
  [ -z "$authenticator" ] || report authenticator "$authenticator"
  [ -z "$webroot" ] || report webroot "$webroot"
  [ -z "$hooks" ] || report hooks "$hooks"
}
# Ends unless the lineage is as expected. $1: as for `look`. $2: own or adopt.
as_expected() {
  look "$1"
  case $is,$2 in
    none,own | ours,own | theirs,adopt | ours,adopt) return ;;
    none,adopt) fail "$exit_absent" "There is no longer a certificate $name on this server." ;;
  esac
  report_look
  [ "$is" != theirs ] || fail "$exit_theirs" "$wrong An order would drop all of that. Nothing was ordered: choose under Certificate whether to adopt it, or to issue another one beside it."
  fail "$exit_broken" "$wrong certbot would store the next certificate where no site reads it. Nothing was ordered: repair or move that folder, or choose under Certificate to issue another one beside it."
}

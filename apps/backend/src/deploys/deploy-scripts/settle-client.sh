# Settles a cancelled deploy of a client package, as settle.sh does. `proxy`: the file of the proxy; the others as in tidy.sh and
# swap.sh. Reports `files` as swap.sh does if the version serves.

: "${base?}" "${name?}" "${keep?}" "${proxy?}" "${nginx_folder?}" "${root?}" "${port?}" "${path?}"

. deploys/deploy-scripts/client-prelude.sh
. deploys/deploy-scripts/switch.sh
. deploys/deploy-scripts/client-site.sh

find_nginx_container
folder=
# nginx runs what the file of the proxy says.
[ ! -f "$proxy" ] || put_proxy "$(cat "$proxy" && echo .)" || exit
rm -f "$base/.next"
serves=
case $(readlink "$base/current")/ in
  "$name"/*)
    if site_answers; then serves=yes
    else
      note "nginx does not answer at http://127.0.0.1:$port$path with the new version."
      put_back
    fi
    ;;
esac
if [ -z "$serves" ]; then
  note 'The link does not lead to the new version. The previous version keeps serving.'
  exit 0
fi
note 'The link already leads to the new version: it serves.'
report files "$base/current"
touch "$base/$name.served"
. deploys/deploy-scripts/tidy-work.sh

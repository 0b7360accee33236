# In: what judge.sh needs, container. `judge_in_container` is the script of that name.

: "${judge_in_container?}" "${docker_resolver?}" "${exit_no_container?}" "${exit_not_mounted?}"

. webserver/apply-scripts/judge.sh

judge_where_it_runs() {
  if [ -z "$container" ]; then
    ! grep -q -s -F 'resolver '"$docker_resolver" "$work/candidate" ||
      fail "$exit_no_container" "The configuration is for an nginx in the container quarterdeck-nginx, which this server does not have. Nothing was changed."
    judge
    return
  fi
  there=$(of_container '{{range .Mounts}}{{if eq .Source "'"$nginx_folder"'"}}{{.Destination}}{{end}}{{end}}')
  [ -n "$there" ] || fail "$exit_not_mounted" "The container $container does not mount $nginx_folder. Nothing was changed."
  [ "$wanted" != - ] || true >"$work/candidate"
  {
    in_container sh -c "$judge_in_container" sh "$there" "$file" "$wanted" <"$work/candidate"
    echo $? >"$work/code"
  } | while IFS= read -r line; do
    case $line in
      '::told '*)
        line=${line#::told }
        report "${line%% *}" "${line#* }"
        ;;
      *) note "$line" ;;
    esac
  done
  read -r code <"$work/code"
  [ "$code" = 0 ] || exit "$code"
}

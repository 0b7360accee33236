# Goes after docker.sh. Sets id, state and name of the container `container`, or of the service `service`: of its containers the
# newest one that runs, or else the newest one. While a deploy is under way there are two.

find_container() {
  id=
  if [ -n "$service" ]; then
    listed=$(dock ps --all --no-trunc --filter "label=quarterdeck.service=$service" --format '{{.State}} {{.ID}} {{.Names}}' 2>/dev/null)
    one=$(printf '%s\n' "$listed" | grep '^running ' | head -n 1)
    [ -n "$one" ] || one=$(printf '%s\n' "$listed" | head -n 1)
  else
    one=$(dock container inspect --format '{{.State.Status}} {{.Id}} {{.Name}}' "$container" 2>/dev/null)
  fi
  [ -n "$one" ] || return 1
  state=${one%% *}
  one=${one#* }
  id=${one%% *}
  name=${one#* }
  name=${name#/}
}

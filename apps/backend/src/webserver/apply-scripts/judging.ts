/**
 * nginx judges a configuration together with all others before it goes live: where it runs, since in a container it sees
 * other files under other paths.
 */
import { quote } from '../../platform/ssh';
import { NGINX_CONTAINER } from '../../servers';
import { DOCKER_RESOLVER } from '../site-config';
import { applyExit } from './apply-exit';
import { stagedTreeFunctions } from './staged-tree';
import { webPrelude } from './web-prelude';

const judge = `${stagedTreeFunctions}
judge() {
  build_tree
  if [ "$wanted" != - ] && ! is_read; then
    fail ${applyExit.notRead} "nginx does not read $nginx_folder/*.conf. 'Initialize Server' makes it do so."
  fi
  if ! test_tree; then
    tell_error "$work/said"
    case $place in
      "$live":*) ;;
      *) nginx -t >/dev/null 2>&1 || fail ${applyExit.brokenBefore} "nginx's configuration is not valid, and was not before. Nothing was changed." ;;
    esac
    fail ${applyExit.refused} 'nginx refuses the new configuration. Nothing was changed.'
  fi
  if [ "$wanted" != - ] && name=$(conflicting_name); then
    sed 's/^/  /' "$work/said" >&2
    others=$(grep -v -x -F -f "$work/placed" "$work/seen" | while IFS= read -r one; do grep -l -w -F -e "$name" "$one" 2>/dev/null; done | head -n 3)
    report error "conflicting server name \\"$name\\""
    report conflict "$name"
    report conflictFiles "$(printf '%s' "$others" | tr '\\n' ' ')"
    fail ${applyExit.conflict} "Another site of this server answers for $name already: nginx would ignore one of the two. Nothing was changed."
  fi
  note 'The test of the new configuration passed.'
}
`;

/** Arguments: the folder of sites in the container, the name of the file, `wanted`. The candidate comes on stdin. */
const judgeInContainer = `${webPrelude}${judge}
work=$(mktemp -d) || fail 73 'No temporary folder can be made in the container.'
trap 'rm -rf "$work"' EXIT
nginx_folder=$1
file=$2
wanted=$3
live=$nginx_folder/$file
cat >"$work/candidate"
judge
`;

/** In: what `stagedTreeFunctions` needs, live, container. */
export const judgingFunctions = `${judge}
judge_where_it_runs() {
  if [ -z "$container" ]; then
    ! grep -q -s -F 'resolver ${DOCKER_RESOLVER}' "$work/candidate" ||
      fail ${applyExit.noContainer} "The configuration is for an nginx in a container, and this server has none that is called ${NGINX_CONTAINER}. Nothing was changed."
    judge
    return
  fi
  there=$(of_container '{{range .Mounts}}{{if eq .Source "'"$nginx_folder"'"}}{{.Destination}}{{end}}{{end}}')
  [ -n "$there" ] || fail ${applyExit.notMounted} "The container $container does not mount $nginx_folder. Nothing was changed."
  [ "$wanted" != - ] || true >"$work/candidate"
  {
    in_container sh -c ${quote(judgeInContainer)} sh "$there" "$file" "$wanted" <"$work/candidate"
    echo $? >"$work/code"
  } | while IFS= read -r line; do
    case $line in
      '::told '*)
        line=\${line#::told }
        report "\${line%% *}" "\${line#* }"
        ;;
      *) note "$line" ;;
    esac
  done
  read -r code <"$work/code"
  [ "$code" = 0 ] || exit "$code"
}
`;

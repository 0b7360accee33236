. servers/shell/docker.sh

dock ps --all --format 'table {{.Names}}\t{{.Image}}\t{{.Status}}\t{{.Ports}}' || exit
[ -n "$(dock ps --all --quiet)" ] || echo 'There are no containers on this server.'

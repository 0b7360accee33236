. servers/shell/docker.sh

dock images --format 'table {{.Repository}}\t{{.Tag}}\t{{.ID}}\t{{.CreatedSince}}\t{{.Size}}' || exit
[ -n "$(dock images --quiet)" ] || echo 'There are no images on this server.'
echo
dock system df

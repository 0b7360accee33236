# Runs in the container of nginx. Positional parameters, because nothing else gets there: the folder of sites in the container,
# the name of the file, and `wanted`. The candidate comes on the standard input.

. webserver/shell/web-prelude.sh
. webserver/apply-scripts/judge.sh

work=$(mktemp -d) || fail 73 'No temporary folder can be created in the container.'
tree=$work/tree
trap 'rm -rf "$work"' EXIT
nginx_folder=$1
file=$2
wanted=$3
live=$nginx_folder/$file
cat >"$work/candidate"
judge

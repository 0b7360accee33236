# The double of the number proves that a shell has run this.

: "${number?}"

. servers/shell/prelude.sh

echo "answer=$((number * 2))"
. servers/shell/own-addresses.sh

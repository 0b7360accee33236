# The double of the number proves that a shell has run this.

. servers/shell/prelude.sh
: "${number?}"

echo "answer=$((number * 2))"
. servers/shell/own-addresses.sh

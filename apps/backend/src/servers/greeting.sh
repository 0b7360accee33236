# The double of the number proves that a shell has run this.

. ./shell/prelude.sh
: "${number?}"

echo "answer=$((number * 2))"
. ./shell/own-addresses.sh

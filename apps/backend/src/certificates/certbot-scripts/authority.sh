# In an order: adds the options that do not depend on how the names are proved. Sets place.

: "${deploy_hook?}"

set -- "$@" --server "$directory" --key-type "$key_type" --agree-tos --no-eff-email --deploy-hook "$deploy_hook" "$how"
if [ "$email" = - ]; then set -- "$@" --register-unsafely-without-email; else set -- "$@" --email "$email"; fi
place=$(printf '%s' "${directory#*://}" | sed 's,/*$,,')
# However the order ends.
[ "$register" != new ] || { trap 'rm -f "$log"; settle_accounts' EXIT; put_accounts_aside; }

# Ends an order that is under way, if there is one. Reports `wasted`.

: "${certificate?}"

. certificates/certbot-scripts/lineage.sh
. certificates/certbot-scripts/dns-orders.sh

certificate_name "$certificate"
dns_order
[ -d "$work" ] || { note 'No order is under way.'; exit 0; }
log_before=$(cat "$work/log" 2>/dev/null)
tell_sent
end_order
keep_from_timer
note 'The order was ended.'

/** Scripts for the server's own certbot: issue, renew, inspect and remove certificates. */
import { nameOnDisk } from '@quarterdeck/events';
import { NGINX_CONTAINER } from '../../servers';
import { certbotExit } from './certbot-prelude';
import { lineagePrelude } from './lineage';

/** Every later renewal, even by the server's own timer, makes nginx load the new certificate. */
export const deployHook = `docker exec ${NGINX_CONTAINER} nginx -s reload 2>/dev/null || { nginx -t -q && nginx -s reload; } || :`;

export const outcome = `
# A cancelled order, too.
trap 'tell_sent; exit 143' HUP INT TERM
# An order of which the site gets nothing. $1: why, in a sentence.
wasted() {
  report problem wasted
  report detail "$1"
  fail ${certbotExit.wasted} "$1"
}
# Of an order that went well according to certbot; before: the leaf as it was; force: whether it had to change.
tell_outcome() {
  read_order
  saved=$(grep -o '/[^ ]*/fullchain\\.pem' "$log" | head -n 1)
  [ -z "$issued" ] || [ "$issued" = "$(leaf)" ] || report wasted issued
  if [ -n "$saved" ] && [ "$saved" != "$lineage/fullchain.pem" ]; then
    report path "$saved"
    wasted "certbot stored the certificate in \${saved%/*}, but the site uses $lineage: it keeps its old certificate."
  fi
  there || wasted "certbot said that all is well, but there is no certificate in $lineage."
  [ -z "$issued" ] || [ "$issued" = "$(leaf)" ] || wasted "The authority issued a certificate, but the one in $lineage is another."
  if [ -z "$before" ]; then
    report state issued
    did "issued a certificate for $name"
  elif [ "$before" != "$(leaf)" ]; then
    report state renewed
    did "renewed the certificate of $name"
  elif [ -n "$force" ]; then
    wasted "certbot was told to replace the certificate in $lineage, and did not."
  else
    report state kept
    note "The certificate of $name is not due. It stays as it is."
  fi
  report_certificate
}
# Accounts that the authority has forgotten are kept in a folder beside those that certbot uses.
accounts() { ls "$letsencrypt/accounts/$place" 2>/dev/null; }
put_accounts_aside() {
  aside=$letsencrypt/accounts.forgotten/$place
  forgotten=$(accounts)
  mkdir -p "$aside" && chmod 700 "$letsencrypt/accounts.forgotten" || fail 73 "$aside cannot be created."
  for account in $forgotten; do
    rm -rf "$aside/$account" && mv "$letsencrypt/accounts/$place/$account" "$aside/" || fail 73 "The account $account cannot be put aside."
  done
}
# Everything on the server that was renewed with a forgotten account is renewed with the new one. Without a new one, the
# former come back.
settle_accounts() {
  [ -n "$forgotten" ] || return 0
  fresh=$(accounts | head -n 1)
  for account in $forgotten; do
    if [ -n "$fresh" ]; then
      sed -i "s/^account = $account$/account = $fresh/" "$letsencrypt"/renewal/*.conf 2>/dev/null
    else
      mv "$aside/$account" "$letsencrypt/accounts/$place/"
    fi
  done
  [ -z "$fresh" ] || did "registered a new account at $directory"
  forgotten=
}
`;

/** Of an order: the options that do not depend on how the names are proved. Sets place. */
export const ofAuthority = `
set -- "$@" --server "$directory" --key-type "$key_type" --agree-tos --no-eff-email --deploy-hook '${deployHook}' "$how"
if [ "$email" = - ]; then set -- "$@" --register-unsafely-without-email; else set -- "$@" --email "$email"; fi
place=$(printf '%s' "\${directory#*://}" | sed 's,/*$,,')
# However the order ends.
[ "$register" != new ] || { trap 'rm -f "$log"; settle_accounts' EXIT; put_accounts_aside; }
`;

/**
 * Arguments: `issueArguments`. Reports `state` issued, renewed or kept, `certificate` (the leaf's DER in base64), `folder`,
 * `server`; on failure `problem`, `detail`, `retryAfter`. `wasted`: issued or sent, if the authority took the order but
 * the site got no certificate.
 */
export const issueScript = `${lineagePrelude}${outcome}
certificate_name "$1"
ordered=$2
webroot_of_site=$3
email=$4
directory=$5
key_type=$6
trust "$7"
[ -d "$webroot_of_site" ] || fail 2 "There is no folder $webroot_of_site, in which the proof would lie."
force=
how=--keep-until-expiring
if forced "$8"; then force=yes how=--force-renewal; fi
register=$9
as_expected "\${10}" own
before=$(leaf)

# The renewal file gets another way of proof only with another certificate.
[ "$authenticator" != manual ] || how=--force-renewal
set -- --cert-name "$name" --renew-with-new-domains --domain "$(comma_list "$ordered")" --webroot --webroot-path "$webroot_of_site"
${ofAuthority}
note "Asking $directory for a certificate of $ordered."
run_certbot certonly "$@"
code=$?
[ "$register" != new ] || settle_accounts
[ "$code" = 0 ] || explain
tell_outcome
`;

/**
 * Renews an existing certificate with the names, authenticator and hooks that it has. Arguments: its name, the
 * known names, a bundle of authorities or `-`, `force` or `-`. Reports as `issueScript` does.
 */
export const renewScript = `${lineagePrelude}${outcome}
certificate_name "$1"
trust "$3"
there || fail ${certbotExit.absent} "There is no certificate $name on this server."
as_expected "$2" adopt
force=
if forced "$4"; then force=yes; set -- --force-renewal; else set --; fi
before=$(leaf)
note "Renewing the certificate $name where it is due."
run_certbot renew --cert-name "$name" --no-random-sleep-on-renew "$@" || explain
tell_outcome
report authenticator "$authenticator"
[ "$before" = "$(leaf)" ] || { ${deployHook}; }
`;

/** Arguments: the certificate's name, the known names. Reports `certificate`, `folder`, `server`. Changes nothing. */
export const certificateScript = `${lineagePrelude}
certificate_name "$1"
there || fail ${certbotExit.absent} "There is no certificate $name on this server."
as_expected "$2" adopt
report_certificate
report authenticator "$authenticator"
note "The certificate of $name is in $lineage. It is for $names."
`;

/**
 * Arguments: the certificate's name, the known names, the folder of the sites, `force` or `-`, and what to do with a
 * certificate that the console did not make: `delete`, `leave` or `-`, which refuses. Without `force`, refuses if a site uses
 * the certificate, because nginx could not start without it. Reports `state` removed, already or left, `usedBy`.
 */
export const removeCertificateScript = `${lineagePrelude}
certificate_name "$1"
sites=$3
if forced "$4"; then force=yes; else force=; fi
theirs=$5
look "$2"
case $is,$theirs in
  theirs,leave | broken,leave)
    report state left
    note "$wrong It stays as it is."
    exit 0
    ;;
  theirs,delete | ours,* | none,*) ;;
  theirs,*) report_look; fail ${certbotExit.theirs} "$wrong Nothing was removed." ;;
  *) report_look; fail ${certbotExit.broken} "$wrong Nothing was removed: certbot cannot remove that. Remove it by hand, or leave it there." ;;
esac
uses() { awk -v lineage="$lineage/" '{ sub(/#.*/, "") } index($0, lineage) { found = 1 } END { exit !found }' "$1"; }
users=
for site in "$sites"/*.conf; do
  if [ -f "$site" ] && uses "$site"; then users="$users $site"; fi
done
if [ -n "$users" ]; then
  report usedBy "\${users# }"
  [ -n "$force" ] || fail ${certbotExit.inUse} "The certificate $name is in use:$users. nginx would not start without it. Nothing was removed."
  warn "nginx does not start any more as long as a site names it:$users."
fi
if [ "$is" = none ]; then
  report state already
  note "There is no certificate $name on this server."
  exit 0
fi
run_certbot delete --cert-name "$name" || fail ${certbotExit.failed} "certbot could not remove the certificate $name."
[ ! -e "$renewal" ] && [ ! -e "$lineage" ] || fail ${certbotExit.failed} "certbot said that it removed the certificate $name, but $lineage is still there."
report state removed
did "removed the certificate of $name"
`;

export interface CertificateOrder {
  /** The site's name. */
  serverName: string;
  /** Names of the certificate, the site's main name first. Default: that one alone. */
  names?: readonly string[];
  /** Names that the console's present certificate may have. Default: those of the order. */
  known?: readonly string[];
  /** certbot's name for the certificate. Default: the site's. */
  lineage?: string;
  /** The folder that nginx serves as `/.well-known/acme-challenge/`. */
  webroot: string;
  /** Contact address for the authority. Default: none. */
  email?: string;
  /** The ACME directory. */
  directoryUrl: string;
  /** Default: `ecdsa`. */
  keyType?: 'ecdsa' | 'rsa';
  /** A file on the server with trusted authorities. Default: those of the server. */
  caBundle?: string;
  /** Renew although the present certificate is not due. Counts against the limits of the authority. */
  force?: boolean;
  /** Register a new account, because the authority has forgotten the present one. */
  newAccount?: boolean;
}

/** Names as one argument. */
export const asWords = (names: readonly string[]): string => names.join(' ');

/** certbot's name for the certificate. */
export const lineageName = ({
  lineage,
  serverName,
}: Pick<CertificateOrder, 'lineage' | 'serverName'>): string => lineage ?? nameOnDisk(serverName);

export const issueArguments = ({ names, ...order }: CertificateOrder): string[] => [
  lineageName(order),
  asWords(names ?? [order.serverName]),
  order.webroot,
  order.email ?? '-',
  order.directoryUrl,
  order.keyType ?? 'ecdsa',
  order.caBundle ?? '-',
  order.force ? 'force' : '-',
  order.newAccount ? 'new' : '-',
  asWords(order.known ?? names ?? [order.serverName]),
];

export const renewArguments = (
  order: Pick<CertificateOrder, 'serverName' | 'known' | 'lineage' | 'caBundle' | 'force'>,
): string[] => [
  lineageName(order),
  asWords(order.known ?? [order.serverName]),
  order.caBundle ?? '-',
  order.force ? 'force' : '-',
];

export interface RemovalHow {
  /** certbot's name for the certificate. Default: the site's. */
  lineage?: string;
  /** Names that the console's certificate may have. Default: the site's. */
  known?: readonly string[] | undefined;
  force?: boolean;
  /** What to do with a certificate that the console did not make. Default: refuse. */
  theirs?: 'delete' | 'leave';
}

export const removeCertificateArguments = (
  serverName: string,
  nginxPath: string,
  { lineage = nameOnDisk(serverName), known = [serverName], force = false, theirs }: RemovalHow = {},
): string[] => [lineage, asWords(known), nginxPath, force ? 'force' : '-', theirs ?? '-'];

/** The certificate that a script reported, in PEM; undefined if it reported none. */
export const reportedPem = ({ certificate }: Record<string, string>): string | undefined => {
  if (!certificate) return undefined;
  const lines = certificate.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
};

export interface AcmeRefusal {
  /** The last part of `urn:ietf:params:acme:error:`, or `unreachable`, `certbot`, `http429`. */
  problem: string;
  detail: string;
  /** No new order before then. */
  retryAt?: Date;
}

/** Why a script failed, from its report; undefined if the report does not say. `now`: when the script ended. */
export const readRefusal = (report: Record<string, string>, now: Date): AcmeRefusal | undefined => {
  const { problem, detail = '', retryAfter } = report;
  if (!problem) return undefined;
  const at = /^\d+$/.test(retryAfter ?? '')
    ? now.getTime() + Number(retryAfter) * 1000
    : Date.parse(retryAfter ?? '');
  return { problem, detail, ...(!Number.isNaN(at) && { retryAt: new Date(at) }) };
};

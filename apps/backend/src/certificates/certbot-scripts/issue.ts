/** Scripts for the server's own certbot: issue, renew, inspect and remove certificates. */
import { NGINX_CONTAINER } from '../../servers';
import { certbotExit, certbotPrelude } from './certbot-prelude';

/** Every later renewal, even by the server's own timer, makes nginx load the new certificate. */
const deployHook = `docker exec ${NGINX_CONTAINER} nginx -s reload 2>/dev/null || { nginx -t -q && nginx -s reload; } || :`;

const outcome = `
# Of an order that went well; before: the leaf as it was.
tell_outcome() {
  there || fail ${certbotExit.failed} "certbot said that all is well, but there is no certificate in $lineage."
  if [ -z "$before" ]; then
    report state issued
    did "issued a certificate for $name"
  elif [ "$before" = "$(leaf)" ]; then
    report state kept
    note "The certificate of $name is not due. It stays as it is."
  else
    report state renewed
    did "renewed the certificate of $name"
  fi
  report_certificate
}
`;

/**
 * Arguments: `issueArguments`. Reports `state` issued, renewed or kept, `certificate` (the leaf's DER in base64), `folder`,
 * `server`; on failure `problem`, `detail`, `retryAfter`.
 */
export const issueScript = `${certbotPrelude}${outcome}
certificate_name "$1"
webroot=$2
email=$3
directory=$4
key_type=$5
trust "$6"
[ -d "$webroot" ] || fail 2 "There is no folder $webroot, in which the proof would lie."
if forced "$7"; then how=--force-renewal; else how=--keep-until-expiring; fi
before=$(leaf)

set -- --cert-name "$name" --domain "$name" --webroot --webroot-path "$webroot" --server "$directory" \\
  --key-type "$key_type" --agree-tos --no-eff-email --deploy-hook '${deployHook}' "$how"
if [ "$email" = - ]; then set -- "$@" --register-unsafely-without-email; else set -- "$@" --email "$email"; fi
note "Asking $directory for a certificate of $name."
run_certbot certonly "$@" || explain
tell_outcome
`;

/**
 * Renews an existing certificate with the settings of its issue. Arguments: its name, a bundle of authorities or `-`,
 * `force` or `-`. Reports as `issueScript` does.
 */
export const renewScript = `${certbotPrelude}${outcome}
certificate_name "$1"
trust "$2"
there || fail ${certbotExit.absent} "There is no certificate $name on this server."
if forced "$3"; then set -- --force-renewal; else set --; fi
before=$(leaf)
note "Renewing the certificate $name where it is due."
run_certbot renew --cert-name "$name" --no-random-sleep-on-renew --deploy-hook '${deployHook}' "$@" || explain
tell_outcome
`;

/** Argument: the certificate's name. Reports `certificate`, `folder`, `server`. Changes nothing. */
export const certificateScript = `${certbotPrelude}
certificate_name "$1"
there || fail ${certbotExit.absent} "There is no certificate $name on this server."
report_certificate
note "The certificate of $name is in $lineage."
`;

/**
 * Arguments: the certificate's name, the folder of the sites, `force` or `-`. Without `force`, refuses if a site uses
 * the certificate, because nginx could not start without it. Reports `state` removed or already, `usedBy`.
 */
export const removeCertificateScript = `${certbotPrelude}
certificate_name "$1"
sites=$2
if forced "$3"; then force=yes; else force=; fi
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
if [ ! -e "/etc/letsencrypt/renewal/$name.conf" ] && [ ! -e "$lineage" ]; then
  report state already
  note "There is no certificate $name on this server."
  exit 0
fi
run_certbot delete --cert-name "$name" || fail ${certbotExit.failed} "certbot could not remove the certificate $name."
report state removed
did "removed the certificate of $name"
`;

export interface CertificateOrder {
  serverName: string;
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
}

export const issueArguments = (order: CertificateOrder): string[] => [
  order.serverName,
  order.webroot,
  order.email ?? '-',
  order.directoryUrl,
  order.keyType ?? 'ecdsa',
  order.caBundle ?? '-',
  order.force ? 'force' : '-',
];

export const renewArguments = (
  order: Pick<CertificateOrder, 'serverName' | 'caBundle' | 'force'>,
): string[] => [order.serverName, order.caBundle ?? '-', order.force ? 'force' : '-'];

export const removeCertificateArguments = (
  serverName: string,
  nginxPath: string,
  { force = false } = {},
): string[] => [serverName, nginxPath, force ? 'force' : '-'];

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

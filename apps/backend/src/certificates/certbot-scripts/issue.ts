/** Scripts for the server's own certbot: issue, renew, inspect and remove certificates. */
import { nameOnDisk } from '@quarterdeck/events';
import { exitNames, shell, type ShellCommand } from '../../platform/ssh';
import { NGINX_CONTAINER } from '../../servers';
import { certbotExit } from './certbot-exit';
import certificate from './certificate.sh';
import issue from './issue.sh';
import remove from './remove.sh';
import renew from './renew.sh';

/** What the scripts know of our code. Every later renewal, even by the server's own timer, runs the hook: nginx loads the new certificate. */
export const certbotConstants = {
  ...exitNames(certbotExit),
  deploy_hook: `docker exec ${NGINX_CONTAINER} nginx -s reload 2>/dev/null || { nginx -t -q && nginx -s reload; } || :`,
};

export const orderNames = [
  'certificate',
  'ordered',
  'email',
  'directory',
  'key_type',
  'ca_bundle',
  'how_forced',
  'register',
  'known',
] as const;

const issueCertificate = shell(issue, [...orderNames, 'webroot_of_site'], certbotConstants);
const renewCertificate = shell(renew, ['certificate', 'known', 'ca_bundle', 'how_forced'], certbotConstants);
const removeCertificate = shell(
  remove,
  ['certificate', 'known', 'nginx_folder', 'how_forced', 'theirs'],
  certbotConstants,
);
export const certificateScript = shell(certificate, ['certificate', 'known'], certbotConstants);

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

/** What each order takes. */
export const orderOf = ({ names, ...order }: Omit<CertificateOrder, 'webroot'>) => ({
  certificate: lineageName(order),
  ordered: asWords(names ?? [order.serverName]),
  email: order.email ?? '-',
  directory: order.directoryUrl,
  key_type: order.keyType ?? 'ecdsa',
  ca_bundle: order.caBundle ?? '-',
  how_forced: order.force ? 'force' : '-',
  register: order.newAccount ? 'new' : '-',
  known: asWords(order.known ?? names ?? [order.serverName]),
});

export const issueScript = (order: CertificateOrder): ShellCommand =>
  issueCertificate({ ...orderOf(order), webroot_of_site: order.webroot });

export const renewScript = (
  order: Pick<CertificateOrder, 'serverName' | 'known' | 'lineage' | 'caBundle' | 'force'>,
): ShellCommand =>
  renewCertificate({
    certificate: lineageName(order),
    known: asWords(order.known ?? [order.serverName]),
    ca_bundle: order.caBundle ?? '-',
    how_forced: order.force ? 'force' : '-',
  });

export interface RemovalHow {
  /** certbot's name for the certificate. Default: the site's. */
  lineage?: string;
  /** Names that the console's certificate may have. Default: the site's. */
  known?: readonly string[] | undefined;
  force?: boolean;
  /** What to do with a certificate that the console did not make. Default: refuse. */
  theirs?: 'delete' | 'leave';
}

export const removeCertificateScript = (
  serverName: string,
  nginxPath: string,
  { lineage = nameOnDisk(serverName), known = [serverName], force = false, theirs }: RemovalHow = {},
): ShellCommand =>
  removeCertificate({
    certificate: lineage,
    known: asWords(known),
    nginx_folder: nginxPath,
    how_forced: force ? 'force' : '-',
    theirs: theirs ?? '-',
  });

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

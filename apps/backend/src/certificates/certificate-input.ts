/** Input of the certificate runs: the configurations before and after, generated at the time of the request. */
import { nameOnDisk } from '@quarterdeck/events';
import type { PresentDomain } from '../domains';
import { conflict, invalidField } from '../platform/errors';
import type { RunContext, RunRequest } from '../runs';
import { newText, type Lineage, type Site, type SiteInput } from '../webserver';

export interface CertificateInput extends SiteInput {
  /** The site over plain HTTP, which serves the proof. Absent if a configuration is live already. */
  first?: SiteInput;
  /** The live configuration stays. Only the certificate is replaced. */
  keeps?: true;
  directoryUrl: string;
  /** Order a new certificate although certbot considers the present one good. */
  force: boolean;
  /** What certbot keeps the certificate as. Absent: the console's own, under the name of the domain. */
  lineage?: Lineage;
  /** The certificate on the server is taken as it is. Nothing is ordered. */
  adopts?: true;
  /** The names of the certificate, the main one first. Absent in orders of the past: the domain's name alone. */
  names?: string[];
  /** Names that the console's certificate on the server may have. Default: those of the order. */
  known?: string[];
  /** The names are proved in DNS, through the provider of the workspace. Absent: over HTTP. */
  proof?: 'dns';
  /** Register a new account first. */
  newAccount?: true;
}

type CertificateRequest = Pick<
  CertificateInput,
  'directoryUrl' | 'force' | 'lineage' | 'adopts' | 'names' | 'known' | 'proof' | 'newAccount'
> & {
  /** SHA-256 of the reviewed configuration that goes live with the certificate. */
  seen?: string;
};

/**
 * A renewal puts no configuration live: the certificate keeps its path, and certbot makes nginx load it. Nobody reviews
 * a configuration then, so unapplied edits wait, and an adopted or restored one stays.
 *
 * @param site as an apply would write it now, with the live or the requested options
 * @param unseen one of many orders, so nobody reviews what becomes of the site
 * @throws DomainError `invalid` if a configuration would go live that was not reviewed, or that cannot be written for
 * nginx; `conflict` if another one was reviewed
 */
export const orderInput = (
  { config, certificate }: Pick<PresentDomain, 'config' | 'certificate'>,
  site: Site,
  { unseen, ...asked }: CertificateRequest & { unseen: boolean },
): CertificateInput => {
  const elsewhere = asked.lineage?.name !== certificate.issued?.lineage?.name || asked.adopts;
  if (config && certificate.issued && !elsewhere && (unseen || config.options.ssl)) {
    const { serverName } = site;
    const { sha256, options } = config;
    if (site.options.docker !== options.docker || site.options.gzip !== options.gzip)
      throw invalidField(
        'options',
        'this call only renews the certificate: apply the configuration with these options instead',
      );
    const { seen, ...order } = asked;
    nothingElseSeen(seen, sha256);
    return { serverName, options, text: '', sha256, expected: sha256, keeps: true, ...order };
  }
  if (!config && unseen)
    throw invalidField('id', 'no configuration of this console is live: apply one first');
  const sameOptions = { ...site.options, ssl: config?.options.ssl ?? false };
  const isLive = newText({ ...site, options: sameOptions }, '-').sha256 === config?.sha256;
  if (config && asked.seen === undefined && !isLive)
    throw invalidField(
      'id',
      'the live configuration is not the one that would be applied now: review it and apply it first',
    );
  return certificateInput(site, { live: config?.sha256, ...asked });
};

/** The live configuration stays. @throws DomainError `conflict` if the operator reviewed another one to replace it */
export const nothingElseSeen = (seen: string | undefined, live: string | undefined): void => {
  if (seen !== undefined && seen !== live)
    throw conflict('the live configuration has changed in the meantime: review it again', undefined);
};

/**
 * @throws DomainError `invalid` with the fields that cannot be written for nginx; `conflict` if another configuration
 * was reviewed
 */
export const certificateInput = (
  site: Site,
  { live, seen, ...asked }: CertificateRequest & { live: string | undefined },
): CertificateInput => {
  const secure = { ...site, options: { ...site.options, ssl: true } };
  const plain = { ...site, options: { ...site.options, ssl: false } };
  // Without an order, and with a proof in DNS, nobody looks for one on the site.
  const isVisited = !asked.adopts && asked.proof !== 'dns';
  const first = live === undefined && isVisited ? newText(plain, '-') : undefined;
  // After the first configuration, the second one replaces it.
  const expected = first?.sha256 ?? live ?? '-';
  return { ...newText(secure, expected, seen), ...(first && { first }), ...asked };
};

/** Only the function above creates this input. */
export const certificateInputOf = ({ input }: Pick<RunRequest, 'input'>): CertificateInput =>
  input as unknown as CertificateInput;

export const keepsSite = ({ request }: RunContext): boolean => certificateInputOf(request).keeps === true;

/** certbot's name for the certificate. */
export const lineageNameOf = ({
  serverName,
  lineage,
}: Pick<CertificateInput, 'serverName' | 'lineage'>): string => lineage?.name ?? nameOnDisk(serverName);

export const provesInDns = ({ request }: Pick<RunContext, 'request'>): boolean =>
  certificateInputOf(request).proof === 'dns';

/** Names of the order, the main one first. */
export const namesOf = ({
  serverName,
  names = [serverName],
}: Pick<CertificateInput, 'serverName' | 'names'>): string[] => names;

/** Names that the console's certificate on the server may have. */
export const knownOf = (input: Pick<CertificateInput, 'serverName' | 'names' | 'known'>): string[] =>
  input.known ?? namesOf(input);

/** The certificate is somebody else's, and keeps its names and settings. */
export const isAdopted = ({ request }: Pick<RunContext, 'request'>): boolean =>
  certificateInputOf(request).lineage?.adopted !== undefined;

export const adoptsNow = ({ request }: Pick<RunContext, 'request'>): boolean =>
  certificateInputOf(request).adopts === true;

export const hasFirst = ({ request }: RunContext): boolean => certificateInputOf(request).first !== undefined;

/** @throws Error if there is none; check `hasFirst` before */
export const firstOf = (request: Pick<RunRequest, 'input'>): SiteInput => {
  const { first } = certificateInputOf(request);
  if (!first) throw new Error("this run does not create a site's first configuration on the server");
  return first;
};

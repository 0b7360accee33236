/** What the runs about a domain's certificate were given: the texts before and after it, made at the request. */
import type { PresentDomain } from '../domains';
import { conflict, invalidField } from '../platform/errors';
import type { RunContext, RunRequest } from '../runs';
import { newText, type Site, type SiteInput } from '../webserver';

export interface CertificateInput extends SiteInput {
  /** Over plain HTTP, so that the authority finds its proof. Absent: a configuration is live already. */
  first?: SiteInput;
  /** What is live stays as it is, and there is no text: only the certificate becomes another. */
  keeps?: true;
  directoryUrl: string;
  /** A new certificate although certbot thinks the present one is good for a while. */
  force: boolean;
}

type Asked = Pick<CertificateInput, 'directoryUrl' | 'force'> & {
  /** SHA-256 of the text that was looked at, which goes live with the certificate. */
  seen?: string;
};

/**
 * A renewal puts no text live: the certificate lies where it lay, and certbot has nginx read it. Nobody looks at a text then,
 * so edits that are not applied wait, and what was adopted or put back stays.
 *
 * @param site as it would be applied now, with the options that are live or that were asked for
 * @param unseen it is one of many, and nobody looks at what becomes of the site
 * @throws DomainError `invalid` where a text would go live that was not looked at, or that cannot be written for nginx;
 *   `conflict` where another one was looked at
 */
export const orderInput = (
  { config, certificate }: Pick<PresentDomain, 'config' | 'certificate'>,
  site: Site,
  { unseen, ...asked }: Asked & { unseen: boolean },
): CertificateInput => {
  if (config && certificate.issued && (unseen || config.options.ssl)) {
    const { serverName } = site;
    const { sha256, options } = config;
    if (site.options.docker !== options.docker || site.options.gzip !== options.gzip)
      throw invalidField(
        'options',
        'only the certificate is renewed: apply the configuration with these options',
      );
    const { seen, ...order } = asked;
    nothingElseSeen(seen, sha256);
    return { serverName, options, text: '', sha256, expected: sha256, keeps: true, ...order };
  }
  if (!config && unseen) throw invalidField('id', 'no configuration of ours is live: apply one first');
  const sameOptions = { ...site.options, ssl: config?.options.ssl ?? false };
  const isLive = newText({ ...site, options: sameOptions }, '-').sha256 === config?.sha256;
  if (config && asked.seen === undefined && !isLive)
    throw invalidField(
      'id',
      'what is live is not what would be applied now: look at its configuration, and apply it first',
    );
  return certificateInput(site, { live: config?.sha256, ...asked });
};

/** What is live stays. @throws DomainError `conflict` where somebody looked at another text that was to replace it */
export const nothingElseSeen = (seen: string | undefined, live: string | undefined): void => {
  if (seen !== undefined && seen !== live)
    throw conflict('what is live was changed meanwhile: look at it again', undefined);
};

/**
 * @throws DomainError `invalid` with the fields that cannot be written for nginx; `conflict` where another text was looked at
 */
export const certificateInput = (
  site: Site,
  { live, directoryUrl, force, seen }: Asked & { live: string | undefined },
): CertificateInput => {
  const secure = { ...site, options: { ...site.options, ssl: true } };
  const plain = { ...site, options: { ...site.options, ssl: false } };
  const first = live === undefined ? newText(plain, '-') : undefined;
  // Behind the first text lies the second.
  const expected = first?.sha256 ?? live ?? '-';
  return { ...newText(secure, expected, seen), ...(first && { first }), directoryUrl, force };
};

/** Only the one above makes it. */
export const certificateInputOf = ({ input }: Pick<RunRequest, 'input'>): CertificateInput =>
  input as unknown as CertificateInput;

export const keepsSite = ({ request }: RunContext): boolean => certificateInputOf(request).keeps === true;

export const hasFirst = ({ request }: RunContext): boolean => certificateInputOf(request).first !== undefined;

/** @throws Error when there is none, which `hasFirst` asks before */
export const firstOf = (request: Pick<RunRequest, 'input'>): SiteInput => {
  const { first } = certificateInputOf(request);
  if (!first) throw new Error('this run puts no first configuration on the server');
  return first;
};

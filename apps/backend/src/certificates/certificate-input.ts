/** What the runs about a domain's certificate were given: the texts before and after it, made at the request. */
import type { RunContext, RunRequest } from '../runs';
import { newText, type Site, type SiteInput } from '../webserver';

export interface CertificateInput extends SiteInput {
  /** Over plain HTTP, so that the authority finds its proof. Absent: a configuration is live already. */
  first?: SiteInput;
  directoryUrl: string;
  /** A new certificate although certbot thinks the present one is good for a while. */
  force: boolean;
}

/** @throws DomainError `invalid` with the fields that cannot be written for nginx */
export const certificateInput = (
  site: Site,
  { live, directoryUrl, force }: { live: string | undefined; directoryUrl: string; force: boolean },
): CertificateInput => {
  const secure = { ...site, options: { ...site.options, ssl: true } };
  const plain = { ...site, options: { ...site.options, ssl: false } };
  const first = live === undefined ? newText(plain, '-') : undefined;
  // Behind the first text lies the second.
  const expected = first?.sha256 ?? live ?? '-';
  return { ...newText(secure, expected), ...(first && { first }), directoryUrl, force };
};

/** Only the one above makes it. */
export const certificateInputOf = ({ input }: Pick<RunRequest, 'input'>): CertificateInput =>
  input as unknown as CertificateInput;

export const hasFirst = ({ request }: RunContext): boolean => certificateInputOf(request).first !== undefined;

/** @throws Error when there is none, which `hasFirst` asks before */
export const firstOf = (request: Pick<RunRequest, 'input'>): SiteInput => {
  const { first } = certificateInputOf(request);
  if (!first) throw new Error('this run puts no first configuration on the server');
  return first;
};

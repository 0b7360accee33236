/** Converts certbot's report about a certificate, or about a failure, to events of the domain. Pure. */
import type { EventData } from '@quarterdeck/events';
import { issuedCertificate } from '../platform/tls';
import type { Report } from '../runs';
import type { Lineage } from '../webserver';
import type { CertificateInput } from './certificate-input';
import { readRefusal, reportedPem } from './certbot-scripts/issue';

/** @throws CertificateUnreadable, or Error if the script reported no certificate */
export const reportedFacts = (
  report: Report,
  { lineage, proof }: Pick<CertificateInput, 'lineage' | 'proof'> = {},
): EventData<'CertificateIssued'> => {
  const pem = reportedPem(report);
  if (pem === undefined) throw new Error('certbot was content, but reported no certificate');
  const {
    serial,
    issuer,
    names,
    notBefore,
    notAfter,
    keyType,
    fingerprint256: fingerprint,
    renewalId,
  } = issuedCertificate(pem);
  return {
    serial,
    issuer,
    names,
    notBefore,
    notAfter,
    keyType,
    fingerprint,
    ...(renewalId !== undefined && { renewalId }),
    ...(lineage && { lineage: asFound(lineage, report['authenticator']) }),
    ...(proof && { proof }),
  };
};

const asFound = ({ name, adopted }: Lineage, authenticator: string | undefined): Lineage => ({
  name,
  ...(adopted && { adopted: { ...adopted, ...(authenticator !== undefined && { authenticator }) } }),
});

/** The script's problems if the authority did not answer. They are not refusals and count against no limit. */
const ownProblems = new Set(['unreachable', 'certbot', 'wasted']);

/**
 * The authority's refusal.
 * @param names the names of the order
 * @param now when the script ended
 * @returns undefined if the script failed for another reason
 */
export const refusalIn = (
  report: Report,
  names: string[],
  now: Date,
): EventData<'CertificateRefused'> | undefined => {
  const refusal = readRefusal(report, now);
  if (!refusal || ownProblems.has(refusal.problem)) return undefined;
  const { problem, detail, retryAt } = refusal;
  return {
    detail,
    names,
    // An overloaded front end answers with an HTTP status only.
    ...(!/^http\d+$/.test(problem) && { problem: `urn:ietf:params:acme:error:${problem}` }),
    ...(retryAt && { retryAt: retryAt.toISOString() }),
  };
};

/** An order that the authority took without a certificate for the site; undefined if there was none. */
export const wastedIn = (
  { wasted, detail = 'The order was not completed.' }: Report,
  names: string[],
): EventData<'CertificateOrderWasted'> | undefined =>
  wasted === undefined ? undefined : { detail, names, issued: wasted === 'issued' };

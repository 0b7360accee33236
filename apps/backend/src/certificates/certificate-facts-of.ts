/** Converts certbot's report about a certificate, or about a failure, to events of the domain. Pure. */
import type { EventData } from '@quarterdeck/events';
import { issuedCertificate } from '../platform/tls';
import type { Report } from '../runs';
import { readRefusal, reportedPem } from './certbot-scripts/issue';

/** @throws CertificateUnreadable, or Error if the script reported no certificate */
export const reportedFacts = (report: Report): EventData<'CertificateIssued'> => {
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
  };
};

/** The script's problems if the authority did not answer. They are not refusals and count against no limit. */
const ownProblems = new Set(['unreachable', 'certbot']);

/**
 * The authority's refusal.
 * @param serverName the name of the order
 * @param now when the script ended
 * @returns undefined if the script failed for another reason
 */
export const refusalIn = (
  report: Report,
  serverName: string,
  now: Date,
): EventData<'CertificateRefused'> | undefined => {
  const refusal = readRefusal(report, now);
  if (!refusal || ownProblems.has(refusal.problem)) return undefined;
  const { problem, detail, retryAt } = refusal;
  return {
    detail,
    names: [serverName],
    // An overloaded front end answers with an HTTP status only.
    ...(!/^http\d+$/.test(problem) && { problem: `urn:ietf:params:acme:error:${problem}` }),
    ...(retryAt && { retryAt: retryAt.toISOString() }),
  };
};

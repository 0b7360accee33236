/** What certbot reported of a certificate, or of why there is none, as a domain's stream keeps it. Pure. */
import type { EventData } from '@quarterdeck/events';
import { issuedCertificate } from '../platform/tls';
import type { Report } from '../runs';
import { readRefusal, reportedPem } from './certbot-scripts/issue';

/** @throws CertificateUnreadable, or Error when the script reported none */
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

/** What the script says when there was no answer, or none of the authority: no refusal, and nothing that it counts. */
const ownProblems = new Set(['unreachable', 'certbot']);

/**
 * That the authority said no.
 * @param serverName that it was asked for
 * @param now when the script ended
 * @returns nothing when it failed for another reason
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
    // A busy front answers with HTTP alone.
    ...(!/^http\d+$/.test(problem) && { problem: `urn:ietf:params:acme:error:${problem}` }),
    ...(retryAt && { retryAt: retryAt.toISOString() }),
  };
};

/** Sentences about problems with a host's TLS. */
import type { CertificateFacts } from './certificate-facts';

export type Unreachable =
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'reset'
  | 'notTls'
  | 'handshake'
  | 'noCertificate';

const sentences: Record<Unreachable, (place: string) => string> = {
  dns: (place) => `The name of ${place} has no address.`,
  refused: (place) => `Nothing listens at ${place}.`,
  unreachable: (place) => `There is no route to ${place} from here.`,
  timeout: (place) => `${place} did not answer in time.`,
  reset: (place) => `${place} closed the connection before TLS was established.`,
  notTls: (place) => `${place} does not answer with TLS.`,
  handshake: (place) => `${place} and this console could not agree on TLS`,
  noCertificate: (place) => `${place} presented no certificate.`,
};

const systemCodes: Record<string, Unreachable> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ENODATA: 'dns',
  ECONNREFUSED: 'refused',
  ENETUNREACH: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  ERR_SSL_WRONG_VERSION_NUMBER: 'notTls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'notTls',
  ERR_SSL_HTTP_REQUEST: 'notTls',
  ERR_SSL_BAD_RECORD_TYPE: 'notTls',
  ERR_SSL_UNEXPECTED_MESSAGE: 'notTls',
  ERR_SSL_RECORD_LAYER_FAILURE: 'notTls',
};

/**
 * @param failure our own code, or the error of a socket; errors without a better word come from OpenSSL, whose message
 * is added
 */
export const unreachable = (
  failure: Unreachable | (NodeJS.ErrnoException & { reason?: string }),
  place: string,
): { code: Unreachable; reason: string } => {
  if (typeof failure === 'string') {
    const sentence = sentences[failure](place);
    return { code: failure, reason: failure === 'handshake' ? `${sentence}.` : sentence };
  }
  const code = systemCodes[failure.code ?? ''] ?? 'handshake';
  const sentence = sentences[code](place);
  return {
    code,
    reason:
      code === 'handshake' ? `${sentence}: ${failure.reason ?? failure.code ?? failure.message}.` : sentence,
  };
};

const day = (at: string): string => at.slice(0, 10);

type Sentence = (facts: CertificateFacts, name: string, now: Date) => string;

const unknownAuthority: Sentence = ({ issuer }) => `Its authority, ${issuer}, is not trusted.`;

const trustSentences: Record<string, Sentence> = {
  CERT_HAS_EXPIRED: ({ notAfter }, _, now) =>
    // Another certificate of the chain may be the expired one.
    Date.parse(notAfter) <= now.getTime()
      ? `It expired on ${day(notAfter)}.`
      : 'A certificate in its chain has expired.',
  CERT_NOT_YET_VALID: ({ notBefore }, _, now) =>
    Date.parse(notBefore) > now.getTime()
      ? `It is valid only from ${day(notBefore)} on.`
      : 'A certificate in its chain is not valid yet.',
  DEPTH_ZERO_SELF_SIGNED_CERT: () => 'It is self-signed, not signed by an authority.',
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ({ issuer }) =>
    `The host does not send the whole chain to a trusted authority: the certificate of ${issuer} is missing.`,
  CERT_REVOKED: () => 'It was revoked by its authority.',
  INVALID_PURPOSE: () => 'It was not issued for use by servers.',
  NAME_MISMATCH: ({ names }, name) =>
    `It is not for ${name} but for ${names.length > 0 ? names.slice(0, 5).join(', ') : 'no host name at all'}${names.length > 5 ? ` and ${names.length - 5} more` : ''}.`,
};

/** @param code of OpenSSL, or NAME_MISMATCH */
export const trustProblem = (
  code: string,
  facts: CertificateFacts,
  name: string,
  now: Date,
): { code: string; reason: string } => ({
  code,
  reason: trustSentences[code]?.(facts, name, now) ?? `It is not trusted: ${code}.`,
});

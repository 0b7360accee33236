/** What a certificate says of itself, as read from the wire or from a PEM file. */
import { X509Certificate } from 'node:crypto';
import { renewalIdOf } from './renewal-info-id';

export interface CertificateFacts {
  /** In hexadecimal, upper case, without separators. */
  serial: string;
  /** Common name of the authority, or its organization where it has none. */
  issuer: string;
  issuerOrganization?: string;
  /** Common name, which many certificates of today leave empty. */
  subject: string;
  /** Host names, lower case, and addresses that the certificate is for. */
  names: string[];
  /** ISO */
  notBefore: string;
  /** ISO */
  notAfter: string;
  /** `ECDSA P-256`, `RSA 2048`, `Ed25519` */
  keyType: string;
  /** SHA-256 of the whole certificate, as browsers and openssl show it. */
  fingerprint256: string;
  selfSigned: boolean;
}

export interface IssuedCertificate extends CertificateFacts {
  lifetimeDays: number;
  /** How the authority names it when it is asked for renewal information; absent when the certificate does not allow it. */
  renewalId?: string;
  /** From the authority of the leaf upwards. */
  chain: ChainLink[];
}

export interface ChainLink {
  subject: string;
  /** ISO */
  notAfter: string;
}

export class CertificateUnreadable extends Error {
  override name = 'CertificateUnreadable';
}

const DAY_MS = 86_400_000;
/** Twenty times what an authority hands out. */
const LONGEST_PEM = 128_000;
const LONGEST_CHAIN = 10;

const curves: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

const keyTypeOf = ({ publicKey }: X509Certificate): string => {
  const { namedCurve = '', modulusLength } = publicKey.asymmetricKeyDetails ?? {};
  const type = publicKey.asymmetricKeyType ?? 'unknown';
  if (type === 'ec') return `ECDSA ${curves[namedCurve] ?? namedCurve}`;
  if (type === 'rsa' || type === 'rsa-pss') return `${type.toUpperCase()} ${modulusLength}`;
  return type.charAt(0).toUpperCase() + type.slice(1);
};

/** Node writes `DNS:a.test, IP Address:10.0.0.1`, and what could be mistaken for a separator as a JSON string. */
const namesOf = ({ subjectAltName = '' }: X509Certificate): string[] =>
  [...subjectAltName.matchAll(/(?:^|, )([^:,"]+):("(?:[^"\\]|\\.)*"|[^,]*)/g)]
    .filter(([, kind]) => kind === 'DNS' || kind === 'IP Address')
    .map(([, , name = '']) => (name.startsWith('"') ? String(JSON.parse(name)) : name).toLowerCase());

/** A name may be there several times; the last is the most specific. */
const last = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.at(-1) : value;

const iso = (written: string): string => new Date(written).toISOString();

/** Not `checkIssued`: that wants the right to sign others, too. */
const isSelfSigned = (certificate: X509Certificate): boolean =>
  certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey);

export const factsOf = (certificate: X509Certificate): CertificateFacts => {
  const { subject, issuer } = certificate.toLegacyObject();
  const organization = last(issuer?.O);
  return {
    serial: certificate.serialNumber,
    issuer: last(issuer?.CN) ?? organization ?? '',
    ...(organization !== undefined && { issuerOrganization: organization }),
    subject: last(subject?.CN) ?? '',
    names: namesOf(certificate),
    notBefore: iso(certificate.validFrom),
    notAfter: iso(certificate.validTo),
    keyType: keyTypeOf(certificate),
    fingerprint256: certificate.fingerprint256,
    selfSigned: isSelfSigned(certificate),
  };
};

export const chainLinkOf = (certificate: X509Certificate): ChainLink => {
  const { CN, O } = certificate.toLegacyObject().subject ?? {};
  return { subject: last(CN) ?? last(O) ?? '', notAfter: iso(certificate.validTo) };
};

/**
 * Whole days that are left, rounded down: 0 in the last 24 hours, below 0 from the end on. So what has expired always
 * counts as "0 or fewer", and what is said to have 30 days has no less.
 */
export const daysRemaining = (notAfter: string, now: Date): number =>
  Math.floor((Date.parse(notAfter) - now.getTime()) / DAY_MS);

/**
 * @param pem the leaf first, then its chain, as in certbot's `fullchain.pem`
 * @throws CertificateUnreadable
 */
export const issuedCertificate = (pem: string): IssuedCertificate => {
  if (pem.length > LONGEST_PEM)
    throw new CertificateUnreadable(`the PEM text has more than ${LONGEST_PEM} characters`);
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0)
    throw new CertificateUnreadable('the text has no part between BEGIN CERTIFICATE and END CERTIFICATE');
  if (blocks.length > LONGEST_CHAIN)
    throw new CertificateUnreadable(`the text has ${blocks.length} certificates, more than ${LONGEST_CHAIN}`);
  const [leaf, ...chain] = blocks.map((block, at) => {
    try {
      return new X509Certificate(block);
    } catch {
      throw new CertificateUnreadable(`certificate ${at + 1} of the PEM text is damaged`);
    }
  }) as [X509Certificate, ...X509Certificate[]];
  const facts = factsOf(leaf);
  const renewalId = renewalIdOf(leaf);
  return {
    ...facts,
    // An authority counts both ends, so that 90 days are a second less than 90 days here.
    lifetimeDays: Math.round((Date.parse(facts.notAfter) - Date.parse(facts.notBefore)) / DAY_MS),
    ...(renewalId !== undefined && { renewalId }),
    chain: chain.map(chainLinkOf),
  };
};

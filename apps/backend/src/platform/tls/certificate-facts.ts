/** The facts in a certificate, from the network or from a PEM file. */
import { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { AuthorityKeyIdentifier, Certificate, id_ce_authorityKeyIdentifier } from '@peculiar/asn1-x509';

export interface CertificateFacts {
  /** In hexadecimal, upper case, without separators. */
  serial: string;
  /** Common name of the authority, or its organization if it has none. */
  issuer: string;
  issuerOrganization?: string;
  /** Common name, which is empty in many current certificates. */
  subject: string;
  /** Host names in lower case, and addresses of the certificate. */
  names: string[];
  /** ISO */
  notBefore: string;
  /** ISO */
  notAfter: string;
  /** `ECDSA P-256`, `RSA 2048`, `Ed25519` */
  keyType: string;
  /** SHA-256 of the whole certificate, as shown by browsers and openssl. */
  fingerprint256: string;
  selfSigned: boolean;
}

export interface IssuedCertificate extends CertificateFacts {
  lifetimeDays: number;
  /**
   * Id under which the authority answers requests for renewal information; absent if the certificate lacks the
   * necessary data.
   */
  renewalId?: string;
  /** From the leaf's authority upwards. */
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
/** Twenty times the size of what authorities issue. */
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

/** Node writes `DNS:a.test, IP Address:10.0.0.1`, and quotes names that contain a separator as a JSON string. */
const namesOf = ({ subjectAltName = '' }: X509Certificate): string[] =>
  [...subjectAltName.matchAll(/(?:^|, )([^:,"]+):("(?:[^"\\]|\\.)*"|[^,]*)/g)]
    .filter(([, kind]) => kind === 'DNS' || kind === 'IP Address')
    .map(([, , name = '']) => (name.startsWith('"') ? String(JSON.parse(name)) : name).toLowerCase());

/** A field may occur several times; the last one is the most specific. */
const last = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.at(-1) : value;

const iso = (written: string): string => new Date(written).toISOString();

/** Not `checkIssued`, which also requires the permission to sign others. */
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
 * Whole days left, rounded down: 0 in the last 24 hours, negative after the end. So an expired certificate always
 * counts as "0 or fewer", and one with 30 days has no less.
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
    // Authorities count both ends, so 90 days are a second less here.
    lifetimeDays: Math.round((Date.parse(facts.notAfter) - Date.parse(facts.notBefore)) / DAY_MS),
    ...(renewalId !== undefined && { renewalId }),
    chain: chain.map(chainLinkOf),
  };
};

/** The id of a certificate in renewal information: RFC 9773, section 4.1. */
const base64url = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('base64url');

/**
 * @returns undefined if the certificate does not identify its authority's key. Node returns neither that extension nor
 * the serial with its leading zero.
 */
export const renewalIdOf = ({ raw }: X509Certificate): string | undefined => {
  const { tbsCertificate } = AsnConvert.parse(raw, Certificate);
  const extension = tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_authorityKeyIdentifier);
  if (extension === undefined) return undefined;
  const { keyIdentifier } = AsnConvert.parse(extension.extnValue.buffer, AuthorityKeyIdentifier);
  if (keyIdentifier === undefined) return undefined;
  return `${base64url(keyIdentifier.buffer)}.${base64url(tbsCertificate.serialNumber)}`;
};

/** The id of a certificate in renewal information: RFC 9773, section 4.1. */
import type { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { AuthorityKeyIdentifier, Certificate, id_ce_authorityKeyIdentifier } from '@peculiar/asn1-x509';

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

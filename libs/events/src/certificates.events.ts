/**
 * What can happen to the certificate of a domain, in the domain's stream.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

/** Read from the certificate itself. */
export const certificateFacts = z.object({
  /** In hexadecimal, upper case, without separators. */
  serial: z.string(),
  issuer: z.string(),
  names: z.array(z.string()),
  notBefore: z.iso.datetime(),
  notAfter: z.iso.datetime(),
  /** `ECDSA P-256`, `RSA 2048` */
  keyType: z.string(),
  /** SHA-256 of the whole certificate. */
  fingerprint: z.string(),
  /** How the CA names it when it is asked for renewal information. */
  renewalId: z.string().optional(),
});

export const certificateEvents = {
  CertificateIssued: defineEvent(certificateFacts),
  CertificateRenewed: defineEvent(certificateFacts.extend({ previous: z.string() })),
  /** The CA, or what it looked at, said no. Counts against what the CA allows. */
  CertificateRefused: defineEvent(
    z.object({
      /** Of ACME, such as `urn:ietf:params:acme:error:rateLimited`. */
      problem: z.string().optional(),
      detail: z.string(),
      /** That were asked for: the domain may bear another by now. */
      names: z.array(z.string()).optional(),
      /** Before then the CA wants no further request. */
      retryAt: z.iso.datetime().optional(),
    }),
  ),
  CertificateRemoved: defineEvent(z.object({ serial: z.string().optional() })),
  /** What the domain shows over the wire, recorded when it changes. */
  CertificateServed: defineEvent(
    z.object({
      valid: z.boolean(),
      /** Absent when no certificate was shown. */
      served: z
        .object({
          serial: z.string(),
          issuer: z.string(),
          names: z.array(z.string()),
          notBefore: z.iso.datetime(),
          notAfter: z.iso.datetime(),
          protocol: z.string(),
        })
        .optional(),
      /** Why it is not valid, or not shown. */
      code: z.string().optional(),
      reason: z.string().optional(),
    }),
  ),
};

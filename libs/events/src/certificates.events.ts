/**
 * Events about the certificate of a domain. They are in the domain's stream.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

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
  /** Id under which the CA answers requests for renewal information. */
  renewalId: z.string().optional(),
});

/** What certbot keeps the certificate as. */
export const lineage = z.object({
  /** certbot's name for the certificate: its folder on the server. */
  name: z.string(),
  /** Somebody else made it. Its names and settings stay, and it is renewed with them. */
  adopted: z
    .object({
      /** How its owner proves the names: `webroot`, `standalone`, `dns-cloudflare` ... */
      authenticator: z.string().optional(),
      /** With `webroot`: where the proof of the domain's name is written. */
      webroot: z.string().optional(),
    })
    .optional(),
});

/**
 * `lineage`: absent if the console made it under the name of the domain. `proof`: how the names were proved; absent if over
 * HTTP, or in the way of another owner.
 */
const onServer = certificateFacts.extend({
  lineage: lineage.optional(),
  proof: z.literal('dns').optional(),
});

export const certificateEvents = {
  CertificateIssued: defineEvent(onServer),
  CertificateRenewed: defineEvent(onServer.extend({ previous: z.string() })),
  /** The CA refused the request, either directly or after a failed challenge. Counts against the CA's limits. */
  CertificateRefused: defineEvent(
    z.object({
      /** ACME problem type, such as `urn:ietf:params:acme:error:rateLimited`. */
      problem: z.string().optional(),
      detail: z.string(),
      /** The requested names. The domain may have another name by now. */
      names: z.array(z.string()).optional(),
      /** The CA accepts no further request before this instant. */
      retryAt: z.iso.datetime().optional(),
    }),
  ),
  /** The CA took an order, but the domain got no certificate from it. Counts against the CA's limits. */
  CertificateOrderWasted: defineEvent(
    z.object({
      detail: z.string(),
      /** The requested names. */
      names: z.array(z.string()),
      /** The CA issued the certificate. Otherwise it is unknown how far the order got. */
      issued: z.boolean(),
    }),
  ),
  CertificateRemoved: defineEvent(z.object({ serial: z.string().optional() })),
  /** The certificate that the domain presents over the network, recorded when it changes. */
  CertificateServed: defineEvent(
    z.object({
      valid: z.boolean(),
      /** Absent if no certificate was presented. */
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
      /** Why the certificate is invalid or was not presented. */
      code: z.string().optional(),
      reason: z.string().optional(),
    }),
  ),
};

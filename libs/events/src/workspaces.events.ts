/** Storage format: see `servers.events.ts`. */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';
import { shownAddress } from './shown-address';

/** A reference to a secret in the vault. */
const secret = z.object({ ref: z.uuid(), fingerprint: z.string() });

/** How the console writes records into a zone. */
const dnsProvider = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rfc2136'),
    zone: z.string(),
    server: z.string(),
    port: z.int(),
    keyName: z.string(),
    algorithm: z.enum(['hmac-sha256', 'hmac-sha384', 'hmac-sha512']),
    secret,
  }),
  z.object({ kind: z.literal('digitalocean'), zone: z.string(), secret }),
]);

const dnsSettings = z.object({
  /** `9.9.9.9`, `127.0.0.1:5353`. Empty: those of the installation. */
  resolvers: z.array(z.string()),
  /** Names are added under this parent, such as `example.org`. */
  parent: z.string().optional(),
  /** TTL of added records, in seconds. */
  ttl: z.int(),
  provider: dnsProvider.optional(),
});

const sslMonitorSettings = z.object({
  checkPauseMs: z.int(),
  renewPauseMs: z.int(),
  /** How many domains are checked at once. */
  concurrency: z.int(),
  /** Only affects labels. Lifetime and CA decide what is renewed. */
  expiringDays: z.int(),
  /** Five fields in UTC, as in crontab. Absent: only on request. */
  schedule: z.string().optional(),
  /** A certificate that is due by its lifetime is renewed only after expiry, as the specification says. */
  onlyExpired: z.boolean().optional(),
});

const alertSettings = z.object({
  /** Days before expiry of a certificate, in descending order. */
  thresholds: z.array(z.int()),
  webhook: z
    .object({
      /** See `shownAddress`. */
      url: z.string(),
      /** The whole address, in the vault. Absent if version 1 recorded it in the log. */
      address: secret.optional(),
      secret,
    })
    .optional(),
});

/** Version 1 recorded the whole address of a webhook. */
const withShownAddress = (data: unknown): unknown => {
  const settings = data as z.infer<typeof alertSettings>;
  const { webhook } = settings;
  return webhook ? { ...settings, webhook: { ...webhook, url: shownAddress(webhook.url) } } : settings;
};

export const workspaceEvents = {
  WorkspaceCreated: defineEvent(z.object({ name: z.string() })),
  /** How often servers are probed, and how many probes in a row have to fail before a server counts as unreachable. */
  HealthChecksConfigured: defineEvent(z.object({ everySeconds: z.int(), failures: z.int(), outOf: z.int() })),
  DnsConfigured: defineEvent(dnsSettings),
  SslMonitorConfigured: defineEvent(sslMonitorSettings),
  AlertsConfigured: defineEvent(alertSettings, withShownAddress),
  /** The default target of a container deploy. */
  ContainerFlowConfigured: defineEvent(
    z.object({
      server: z.object({ id: z.uuid() }).optional(),
      product: z.object({ id: z.uuid() }).optional(),
    }),
  ),
  /** The product whose users have accounts in the workspace. Absent: it is a workspace of operators. */
  AudienceConfigured: defineEvent(z.object({ product: z.object({ id: z.uuid() }).optional() })),
  /** Where new repositories are created, and the templates of both parts of a service, as `organization/repo`. */
  SourceHostConfigured: defineEvent(
    z.object({
      organization: z.string().optional(),
      serverTemplate: z.string().optional(),
      clientTemplate: z.string().optional(),
      isPrivate: z.boolean(),
    }),
  ),
  /** Whether everybody in the workspace needs a second factor. */
  SecondFactorConfigured: defineEvent(z.object({ demanded: z.boolean() })),
  /**
   * `runOutputDays`: days after the end of a run. Absent: its output is kept. `emailDays`: days after an e-mail came in.
   * Absent: `DEFAULT_EMAIL_DAYS`.
   */
  RetentionConfigured: defineEvent(
    z.object({ runOutputDays: z.int().optional(), emailDays: z.int().optional() }),
  ),
  /** Through which server e-mails are sent again. `secret`: user name and password. Absent: none is set. */
  MailServerConfigured: defineEvent(
    z.object({
      server: z
        .object({
          host: z.string(),
          port: z.int(),
          security: z.enum(['tls', 'starttls', 'none']),
          secret: secret.optional(),
        })
        .optional(),
    }),
  ),
};

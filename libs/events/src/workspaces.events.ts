/** Storage format: see `servers.events.ts`. */
import { z } from 'zod';
import { defineEvent } from './define-event';
import { shownAddress } from './shown-address';

/** A secret of the vault, by reference. */
const secret = z.object({ ref: z.uuid(), fingerprint: z.string() });

/** Who may write records into a zone, and how. */
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
  /** `9.9.9.9`, `127.0.0.1:5353`; none: those of the installation. */
  resolvers: z.array(z.string()),
  /** Under which the helper adds names, such as `example.org`. */
  parent: z.string().optional(),
  /** Of records that are added, in seconds. */
  ttl: z.int(),
  provider: dnsProvider.optional(),
});

const sslMonitorSettings = z.object({
  checkPauseMs: z.int(),
  renewPauseMs: z.int(),
  /** How many are checked at once. */
  concurrency: z.int(),
  /** Labels only: what is renewed is decided by lifetime and by the CA. */
  expiringDays: z.int(),
  /** Five fields in UTC, as in crontab; absent: only when asked. */
  schedule: z.string().optional(),
  /** What is due by its lifetime waits until it has expired, as the specification has it. */
  onlyExpired: z.boolean().optional(),
});

const alertSettings = z.object({
  /** Days before the end of a certificate, the largest first. */
  thresholds: z.array(z.int()),
  webhook: z
    .object({
      /** See `shownAddress`. */
      url: z.string(),
      /** The whole of it, in the vault; absent: in the log, as version 1 recorded it. */
      address: secret.optional(),
      secret,
    })
    .optional(),
});

/** Version 1 had the address of a webhook in full. */
const withShownAddress = (data: unknown): unknown => {
  const settings = data as z.infer<typeof alertSettings>;
  const { webhook } = settings;
  return webhook ? { ...settings, webhook: { ...webhook, url: shownAddress(webhook.url) } } : settings;
};

export const workspaceEvents = {
  WorkspaceCreated: defineEvent(z.object({ name: z.string() })),
  /** How often servers are probed, and how many of the last probes have to fail before a server counts as unreachable. */
  HealthChecksConfigured: defineEvent(z.object({ everySeconds: z.int(), failures: z.int(), outOf: z.int() })),
  DnsConfigured: defineEvent(dnsSettings),
  SslMonitorConfigured: defineEvent(sslMonitorSettings),
  AlertsConfigured: defineEvent(alertSettings, withShownAddress),
  /** What a container is deployed to unless somebody chooses otherwise. */
  ContainerFlowConfigured: defineEvent(z.object({ server: z.object({ id: z.uuid() }).optional() })),
  /** `runOutputDays`: after the end of a run; absent: its output stays. */
  RetentionConfigured: defineEvent(z.object({ runOutputDays: z.int().optional() })),
};

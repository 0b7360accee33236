/**
 * Deploys of services, one stream for each. The request is a whole snapshot, so that it can be compared with any other
 * and deployed again.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

const named = z.object({ id: z.uuid(), name: z.string() });

/** A value is in the vault. Releases of a service share it as long as it stays the same. */
const variable = z.object({ key: z.string(), secret: z.boolean(), fingerprint: z.string(), ref: z.uuid() });

export const releaseEvents = {
  /** The id of the release is that of its run. */
  ReleaseRequested: defineEvent(
    z.object({
      service: named,
      product: z.uuid(),
      server: named,
      /** 1 dev, 2 test, 3 prod. */
      env: z.int(),
      /** `image`: of a client package its npm name and version, such as `@acme/shop@1.4.2`. */
      package: z.object({ id: z.uuid(), version: z.string(), image: z.string() }),
      /** Only of a client package. `folder`: the folder in it that is served; empty: the whole package. */
      client: z.object({ folder: z.string() }).optional(),
      /** The port of the service, at which it answers in its container and behind the proxy. */
      port: z.int(),
      health: z.object({ path: z.string(), seconds: z.int() }),
      /** How many releases stay on the server, this one included. */
      keep: z.int(),
      variables: z.array(variable),
      compose: z.string(),
      why: z.string().optional(),
      /** The release whose package, variables and proxy are deployed again. */
      rollbackTo: z.uuid().optional(),
      /** Deploys of the service that still wait for their turn are cancelled. */
      replaces: z.literal(true).optional(),
    }),
  ),
  /**
   * From then on the proxy passes requests to this release. `proxy` is its configuration. For a client package, `digest`
   * is npm's integrity, and `hostPort` the port of the service.
   */
  ReleaseServed: defineEvent(
    z.object({ version: z.string(), digest: z.string(), hostPort: z.int(), proxy: z.string() }),
  ),
  /** Any previous version keeps serving. */
  ReleaseFailed: defineEvent(z.object({ version: z.string(), step: z.string(), reason: z.string() })),
  /** Its container if it has one, its proxy and its files are gone from the server; or the server itself is. */
  ReleaseStopped: defineEvent(z.object({ version: z.string() })),
  ReleaseRemoved: defineEvent(z.object({ version: z.string() })),
};

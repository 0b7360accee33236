/**
 * Events about deploys of services: one stream per deploy. The request is a complete snapshot, so it can be compared
 * with any other deploy and deployed again.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

const named = z.object({ id: z.uuid(), name: z.string() });

/** The value is in the vault. Releases of a service share the reference until the value changes. */
const variable = z.object({ key: z.string(), secret: z.boolean(), fingerprint: z.string(), ref: z.uuid() });

export const deployEvents = {
  /** The id of the release is that of its run. */
  ReleaseRequested: defineEvent(
    z.object({
      service: named,
      product: z.uuid(),
      server: named,
      /** 1 dev, 2 test, 3 prod. */
      env: z.int(),
      /** `image`: for a client package, its npm name and version, such as `@acme/shop@1.4.2`. */
      package: z.object({ id: z.uuid(), version: z.string(), image: z.string() }),
      /** Only for a client package. `folder`: the folder in it that is served; empty: the whole package. */
      client: z.object({ folder: z.string() }).optional(),
      /** The port that the service listens on in its container, and that the proxy exposes. */
      port: z.int(),
      health: z.object({ path: z.string(), seconds: z.int() }),
      /** How many releases are kept on the server, including this one. */
      keep: z.int(),
      variables: z.array(variable),
      compose: z.string(),
      /** The pushed version and the rule that started it, and the account that pushed it at the source host. */
      pushed: z.object({ push: z.uuid(), rule: named, by: z.string() }).optional(),
      why: z.string().optional(),
      /** The earlier release whose package, variables and proxy configuration are deployed again. */
      rollbackTo: z.uuid().optional(),
      /** Variables of that release whose values were destroyed, and what this one has instead. */
      lost: z.array(z.object({ key: z.string(), instead: z.enum(['today', 'nothing']) })).optional(),
      /** Cancels the queued deploys of the service. */
      replaces: z.literal(true).optional(),
      /**
       * Earlier ports of the service that sites of the server still lead to: the proxy exposes them too, so a changed
       * port takes no site down.
       */
      alsoAt: z.array(z.int()).optional(),
      /** The locations that led to an earlier port at the request. The deploy makes them lead to `port`. */
      moves: z
        .array(
          z.object({ domain: named, location: z.object({ id: z.uuid(), path: z.string() }), from: z.int() }),
        )
        .optional(),
    }),
  ),
  /**
   * The proxy passes requests to this release from now on. `proxy`: the proxy's configuration. For a client package,
   * `digest` is npm's integrity hash, and `hostPort` is the port of the service.
   */
  ReleaseServed: defineEvent(
    z.object({ version: z.string(), digest: z.string(), hostPort: z.int(), proxy: z.string() }),
  ),
  /** The previous release, if any, keeps serving. */
  ReleaseFailed: defineEvent(z.object({ version: z.string(), step: z.string(), reason: z.string() })),
  /** Container (if any), proxy configuration and files were removed from the server, or the server itself is gone. */
  ReleaseStopped: defineEvent(z.object({ version: z.string() })),
  /** The vault no longer has the value that the release kept of a secret variable, so a rollback lacks it. */
  ReleaseValueDestroyed: defineEvent(z.object({ version: z.string(), key: z.string() })),
  ReleaseRemoved: defineEvent(z.object({ version: z.string() })),
};

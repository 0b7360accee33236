/**
 * Events about environment variables: one stream per service, under the service's id, for all its environments, so an
 * import is one event. Each token with which a running app reads its variables has its own stream.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

/** The name of the service at that time. */
const service = z.string();
const env = z.int();

const which = z.object({ id: z.uuid(), env, key: z.string() });

/**
 * A variable has either a value or a secret in the vault. `fingerprint`: of the value or the secret. It is keyed with a
 * key in the vault, so a short secret cannot be guessed from it.
 */
const variable = which.extend({
  value: z.string().optional(),
  secret: z.object({ ref: z.uuid() }).optional(),
  fingerprint: z.string(),
});

/** Everything that one import or one undo changed in an environment. */
const changes = z.object({
  service,
  env,
  added: z.array(variable),
  changed: z.array(variable),
  removed: z.array(which),
});

export const variableEvents = {
  VariableAdded: defineEvent(z.object({ service, variable })),
  VariableRevised: defineEvent(z.object({ service, variable })),
  VariableRemoved: defineEvent(z.object({ service, variable: which })),
  VariablesImported: defineEvent(changes),
  /** An undo or a rollback restored the variables. */
  VariablesRestored: defineEvent(changes),
  /** An administrator viewed the value of a secret. */
  VariableRevealed: defineEvent(z.object({ service, variable: which })),
  /** An administrator viewed all values of an environment. */
  VariablesExported: defineEvent(z.object({ service, env, count: z.int() })),
};

export const appTokenEvents = {
  /** The token itself is shown once and not stored. */
  AppTokenIssued: defineEvent(
    z.object({
      service: z.object({ id: z.uuid(), name: z.string() }),
      env,
      fingerprint: z.string(),
      expiresAt: z.string().optional(),
    }),
  ),
  /** Recorded once a day, at the first use. Other uses are only counted in the table of tokens. */
  AppTokenUsed: defineEvent(z.object({ env, count: z.int() })),
  AppTokenRevoked: defineEvent(z.object({ fingerprint: z.string() })),
};

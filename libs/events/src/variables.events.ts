/**
 * The environment variables of a service: one stream per service, under the service's id, and one stream for each token
 * by which a running app reads its own. The stream has every environment, so an import is one event.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

/** The name of the service at that time. */
const service = z.string();
const env = z.int();

const which = z.object({ id: z.uuid(), env, key: z.string() });

/**
 * A variable has either a value or a secret, which is in the vault. `fingerprint`: of either, made with a key in the
 * vault, so that a short secret cannot be guessed from it.
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
  /** By an undo or a rollback. */
  VariablesRestored: defineEvent(changes),
  /** An administrator was shown the value of a secret. */
  VariableRevealed: defineEvent(z.object({ service, variable: which })),
  /** An administrator was shown every value of an environment. */
  VariablesExported: defineEvent(z.object({ service, env, count: z.int() })),
};

export const appTokenEvents = {
  /** The token itself is shown once and is stored nowhere. */
  AppTokenIssued: defineEvent(
    z.object({
      service: z.object({ id: z.uuid(), name: z.string() }),
      env,
      fingerprint: z.string(),
      expiresAt: z.string().optional(),
    }),
  ),
  /** The first use of a day. The table of tokens counts the others. */
  AppTokenUsed: defineEvent(z.object({ env, count: z.int() })),
  AppTokenRevoked: defineEvent(z.object({ fingerprint: z.string() })),
};

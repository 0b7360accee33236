/**
 * Events about versions of a product's data model: one stream per version. A version contains the complete model and
 * the SQL of its migrations from the time when it was generated. Neither ever changes.
 *
 * Storage format: see `servers.events.ts`.
 */
import { attributeTypes, dialects, partKinds } from '@quarterdeck/data-model';
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

/** What an imported attribute keeps in the words of its engine. Older events lack it. */
const nativeColumn = z.object({
  dialect: z.enum(dialects),
  as: z.string(),
  of: z.enum(attributeTypes),
  type: z.string(),
  rest: z.string().optional(),
});

const nativeTable = z.object({
  dialect: z.enum(dialects),
  as: z.string(),
  columns: z.array(z.string()),
  key: z.array(z.string()),
  options: z.string().optional(),
  needs: z
    .array(z.object({ kind: z.enum(['enum', 'domain', 'sequence']), name: z.string(), text: z.string() }))
    .optional(),
  parts: z.array(
    z.object({
      kind: z.enum(partKinds),
      name: z.string(),
      text: z.string(),
      columns: z.array(z.string()).optional(),
      target: z.string().optional(),
      targetColumns: z.array(z.string()).optional(),
    }),
  ),
});

const attribute = z.object({
  id: z.uuid(),
  name: z.string(),
  column: z.string().optional(),
  type: z.enum(attributeTypes),
  optional: z.boolean(),
  foreignEntity: z.uuid().optional(),
  optionSet: z.uuid().optional(),
  native: nativeColumn.optional(),
});

const model = z.object({
  entities: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      table: z.string().optional(),
      isUuid: z.boolean(),
      attributes: z.array(attribute),
      native: nativeTable.optional(),
    }),
  ),
  optionSets: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      values: z.array(z.object({ id: z.uuid(), key: z.int(), value: z.string() })),
    }),
  ),
});

const migration = z.object({
  id: z.uuid(),
  sequenceIndex: z.int(),
  label: z.string(),
  /** What the statement does. After a lost connection, the apply uses it to check whether the statement took effect. */
  step: z.record(z.string(), z.json()),
  sql: z.object({ mysql: z.string(), postgresql: z.string() }),
});

const database = z.object({ id: z.uuid(), name: z.string() });

/** The environment of the version from now on. */
const env = z.object({ env: z.int() });

export const versionEvents = {
  VersionGenerated: defineEvent(
    z.object({
      product: z.uuid(),
      sequenceIndex: z.int(),
      ...env.shape,
      /** Number of the version that this one follows, 0 if it is the first. Older events lack this field. */
      after: z.int().optional(),
      model,
      /** Migrations from the previous version to this one. */
      migrations: z.array(migration),
    }),
  ),
  VersionPromoted: defineEvent(env),
  VersionDemoted: defineEvent(env),
  /** The run is about to execute the first statement. If it stops later, only the version shows what it created. */
  VersionApplyStarted: defineEvent(z.object({ database, run: z.uuid() })),
  /** The database refused the first statement, so nothing was changed. */
  VersionApplyRefused: defineEvent(z.object({ database, run: z.uuid() })),
  /** `from`: the database's previous version; 0 if it had none. `statements`: how many were executed. `left`: what differs from the version all the same, in words. */
  VersionApplied: defineEvent(
    z.object({
      database,
      from: z.int(),
      statements: z.int(),
      run: z.uuid(),
      left: z.array(z.string()).optional(),
    }),
  ),
  /** The database had the structure of the version already: nothing was executed there. `from` as before. */
  VersionBaselined: defineEvent(z.object({ database, from: z.int(), run: z.uuid() })),
  VersionRemoved: defineEvent(z.object({ sequenceIndex: z.int() })),
  VersionRestored: defineEvent(z.object({ sequenceIndex: z.int() })),
};

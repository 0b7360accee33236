/**
 * Versions of a product's data model: one stream per version. A version has the whole model and the texts of its
 * migrations, as they were when it was generated. Neither ever changes.
 *
 * Storage format: see `servers.events.ts`.
 */
import { attributeTypes } from '@quarterdeck/data-model';
import { z } from 'zod';
import { defineEvent } from './define-event';

const attribute = z.object({
  id: z.uuid(),
  name: z.string(),
  column: z.string().optional(),
  type: z.enum(attributeTypes),
  optional: z.boolean(),
  foreignEntity: z.uuid().optional(),
  optionSet: z.uuid().optional(),
});

const model = z.object({
  entities: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      table: z.string().optional(),
      isUuid: z.boolean(),
      attributes: z.array(attribute),
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
  /** What the statement does: an apply whose connection was lost finds out by it whether it was carried out. */
  step: z.record(z.string(), z.json()),
  sql: z.object({ mysql: z.string(), postgresql: z.string() }),
});

const database = z.object({ id: z.uuid(), name: z.string() });

/** The environment that it belongs to from then on. */
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
      /** From the version before to this one. */
      migrations: z.array(migration),
    }),
  ),
  VersionPromoted: defineEvent(env),
  VersionDemoted: defineEvent(env),
  /** The first statement is about to be carried out. If the run stops later, only the version says what it has made. */
  VersionApplyStarted: defineEvent(z.object({ database, run: z.uuid() })),
  /** The database refused the first statement, so nothing was changed. */
  VersionApplyRefused: defineEvent(z.object({ database, run: z.uuid() })),
  /** `from`: the version that the database had before; 0 is none. `statements`: how many were carried out. */
  VersionApplied: defineEvent(
    z.object({
      database,
      from: z.int(),
      statements: z.int(),
      run: z.uuid(),
    }),
  ),
  VersionRemoved: defineEvent(z.object({ sequenceIndex: z.int() })),
  VersionRestored: defineEvent(z.object({ sequenceIndex: z.int() })),
};

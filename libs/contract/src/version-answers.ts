/** Answers about versions of a data model, their plans and imports. */
import { versionRow } from '@quarterdeck/projections';
import { z } from 'zod';

/** A version with what the specification has of its deploys. */
export const version = versionRow.extend({
  /** The newest apply; absent until there is one. `id`: its run. `server`: the database. `packageId`: the version. */
  deployLog: z
    .strictObject({
      id: z.string(),
      date: z.string(),
      packageId: z.string(),
      server: z.strictObject({ id: z.string(), name: z.string() }),
    })
    .optional(),
  /** Path of the call that answers its files; send `{ uuid }` there. */
  packageUrl: z.string(),
  /** Path of its page in the console. */
  url: z.string(),
});

const change = z.strictObject({
  kind: z.string(),
  entity: z.string().optional(),
  attribute: z.string().optional(),
  optionSet: z.string().optional(),
  words: z.string(),
});

const finding = z
  .strictObject({
    code: z.string(),
    severity: z.enum(['destructive', 'refusable', 'breaking', 'advice']),
    where: z.string(),
    reason: z.string(),
    remedy: z.string(),
    /** Counted in the real database; absent if nobody counted. */
    rows: z.int().optional(),
    /** The type of the value that the plan needs for existing rows. */
    asks: z.string().optional(),
  })
  .meta({ id: 'Finding' });

const statement = z.strictObject({
  fileName: z.string(),
  sql: z.strictObject({ mysql: z.string(), postgresql: z.string() }),
});

export const difference = z.strictObject({
  changes: z.array(change),
  statements: z.array(statement),
  findings: z.array(finding),
  /** Problems that keep the model from becoming a version. */
  problems: z.array(z.string()),
});

/** The origin of an attribute of a version. */
export const origin = z.strictObject({
  entity: z.strictObject({ id: z.string(), name: z.string(), table: z.string() }),
  attribute: z.strictObject({ id: z.string(), name: z.string(), column: z.string() }),
  /** The first version that had the attribute. */
  since: z.int(),
  at: z.string(),
  by: z.string(),
});

const steps = {
  statements: z.array(z.strictObject({ fileName: z.string(), sql: z.string() })),
  findings: z.array(finding),
  /** Something is dropped or values are lost, so the operator must type the name of the product. */
  destroys: z.boolean(),
  seal: z.string(),
};

export const plan = z.strictObject({
  database: z.strictObject({ id: z.string(), name: z.string(), type: z.enum(['MySQL', 'PostgreSQL']) }),
  /** The version of the database; 0 if it has none. */
  from: z.int(),
  to: z.int(),
  ...steps,
  /** The steps are a repair, from the actual database to the version. Parts that a model cannot express stay. */
  repairs: z.boolean(),
  /**
   * Whether a dry run comes before the statements. Absent if that is not known: a user of MySQL may have the right to
   * create a database for it from a role.
   */
  rehearsed: z.boolean().optional(),
  /** How the database differs from its version. */
  drift: z
    .strictObject({
      words: z.array(z.string()),
      /** The structure of the version, as text. `actual`: the structure of the database. */
      expected: z.string(),
      actual: z.string(),
      /** Parts that a repair does not change, in words. */
      left: z.array(z.string()),
      /** Columns that are missing, and new ones that may be the same under another name. */
      renames: z.array(z.strictObject({ table: z.string(), from: z.string(), to: z.string() })),
    })
    .optional(),
  /** Views, triggers, routines and other schemas: no statement touches them. */
  alone: z.array(z.string()),
  /** The database has the structure of the version, but is not recorded to have it: `baseline` records it. */
  fits: z.boolean(),
});

/** The additions that an import would make to the model. */
export const additions = z.strictObject({
  entities: z.array(
    z.strictObject({
      name: z.string(),
      table: z.string(),
      isUuid: z.boolean(),
      /** Key, indexes and what else the table has beside its columns, in the words of its engine. */
      parts: z.array(z.string()),
      attributes: z.array(
        z.strictObject({
          name: z.string(),
          column: z.string(),
          type: z.int(),
          optional: z.boolean(),
          /** The entity that it points to. */
          to: z.string().optional(),
          /** The column as its engine says it: `varchar(120) DEFAULT 'x'`. */
          native: z.string().optional(),
        }),
      ),
    }),
  ),
  /** Parts that are not imported, with reasons, in words. */
  left: z.array(z.string()),
  seal: z.string(),
});
export const edited = z.strictObject({ edits: z.int(), left: z.array(z.string()) });

export const importState = z
  .strictObject({
    state: z.enum(['open', 'succeeded', 'failed', 'interrupted', 'cancelled']),
    /** Why it did not succeed. */
    reason: z.string().optional(),
    /** How many tables it imports, and how many of them are recorded; absent while the database is read. */
    tables: z.int().optional(),
    recorded: z.int().optional(),
    /** How many entities and attributes it has added, once it has ended. */
    edits: z.int().optional(),
    /** What was left out, and why, in words; empty until the end. */
    left: z.array(z.string()),
  })
  .meta({ id: 'ModelImportState' });

/** Versions of a product's data model, their migrations, and applying them to databases. */
import {
  byId,
  byUuid,
  instanceInit,
  migrationList,
  structureImport,
  structureImportRun,
  structurePreview,
  versionAdopt,
  versionApply,
  versionBaseline,
  versionDifference,
  versionPlan,
  versionSql,
  versionUpdate,
} from '@quarterdeck/events/inputs';
import { migrationView, versionRow } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids, instance, started } from './answers';
import { calls } from './call';
import { demo, newRunId, seen } from './demo';
import { identified } from './specified';

/** A version with what the specification has of its deploys. */
const version = versionRow.extend({
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

const difference = z.strictObject({
  changes: z.array(change),
  statements: z.array(statement),
  findings: z.array(finding),
  /** Problems that keep the model from becoming a version. */
  problems: z.array(z.string()),
});

/** The origin of an attribute of a version. */
const origin = z.strictObject({
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

const plan = z.strictObject({
  database: z.strictObject({ id: z.string(), name: z.string(), type: z.enum(['MySQL', 'PostgreSQL']) }),
  /** The version of the database; 0 if it has none. */
  from: z.int(),
  to: z.int(),
  ...steps,
  /** The steps are a repair, from the actual database to the version. Parts that a model cannot express stay. */
  repairs: z.boolean(),
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
const additions = z.strictObject({
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
const edited = z.strictObject({ edits: z.int(), left: z.array(z.string()) });

const importState = z
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

const model = ['attributes', 'entities', 'optionSets', 'optionSetValues'] as const;
const reads = { asOf: true } as const;
const file = {
  costs: 'work',
  shows: [],
  input: byUuid,
  example: { uuid: demo.version },
  answer: z.unknown(),
} as const;

export const versions = calls('data-model/version', 'admin', {
  list: {
    summary: 'The versions of a product, newest first',
    input: byId,
    example: { id: demo.product },
    answer: z.array(version),
    shows: 'versions',
    wide: true,
    ...reads,
  },
  detail: {
    summary: 'One version, by its `id` or `uuid`',
    input: byId,
    specified: identified,
    example: { id: demo.version },
    answer: version,
    shows: 'versions',
    ...reads,
  },
  pending: {
    summary: 'A preview of the next version of a product: changes, statements, findings',
    costs: 'work',
    input: byId,
    example: { id: demo.product },
    answer: difference.extend({
      /** The newest version; 0 if there is none. */
      last: z.int(),
    }),
    shows: ['versions', ...model],
    wide: true,
    ...reads,
  },
  difference: {
    summary:
      'The differences between two versions of a product, or a version and now, with the statements from one to the other',
    costs: 'work',
    input: versionDifference,
    example: { product: { id: demo.product }, from: 0, to: 1 },
    answer: difference,
    shows: ['versions', ...model],
    ...reads,
  },
  origins: {
    summary: 'Who added each attribute of a version, when, and in which version',
    costs: 'work',
    input: byId,
    example: { id: demo.version },
    answer: z.array(origin),
    shows: ['versions', ...model],
    wide: true,
    ...reads,
  },
  create: {
    summary: 'Generates the next version of a product from its data model',
    costs: 'work',
    input: byId,
    example: { id: demo.product },
    answer: ids,
    stales: 'versions',
    wide: true,
  },
  update: {
    summary: 'Promotes a version to the next environment, or moves it back to the one before',
    input: versionUpdate,
    example: { uuid: demo.version, data: { env: { id: 2 } } },
    answer: ids,
    stales: 'versions',
  },
  delete: {
    summary: 'Removes a version that is the newest one and was never applied',
    input: byUuid,
    example: { uuid: demo.version },
    answer: ids,
    stales: 'versions',
  },
  plan: {
    summary: 'A preview of applying a version to a database, after a look at the real database',
    costs: 'waiting',
    input: versionPlan,
    example: { uuid: demo.version, database: { id: demo.database } },
    answer: plan,
    shows: [],
    volatile: true,
  },
  apply: {
    summary: 'Applies a version to a database of its environment, as a run',
    costs: 'waiting',
    input: versionApply,
    example: {
      uuid: demo.version,
      database: { id: demo.database },
      seal: seen,
      repair: true,
      name: 'Shop',
      runId: newRunId,
    },
    answer: started,
    stales: ['runs', 'versions'],
  },
  adopt: {
    summary: 'Edits the data model so that it says what a database really is',
    costs: 'waiting',
    input: versionAdopt,
    example: { uuid: demo.version, database: { id: demo.database }, seal: seen },
    answer: edited,
    stales: model,
  },
  baseline: {
    summary:
      'Records that a database has a version already, as a run without a statement, if its structure is the same',
    costs: 'waiting',
    input: versionBaseline,
    example: { uuid: demo.version, database: { id: demo.database }, seal: seen, runId: newRunId },
    answer: started,
    stales: ['runs', 'versions'],
  },
  preview: {
    summary:
      'A preview of an import into the data model of a product, with the parts that no model can represent',
    path: 'import/preview',
    costs: 'waiting',
    input: structurePreview,
    example: { product: { id: demo.product }, database: { id: demo.database } },
    answer: additions,
    shows: [],
    volatile: true,
  },
  import: {
    summary:
      'Adds entities and attributes to a data model as a run: those of a starter, which it waits for, or of a database',
    path: 'import/structure',
    costs: 'waiting',
    input: structureImport,
    example: { product: { id: demo.product }, structure: { id: 1 }, runId: newRunId },
    answer: started.extend(edited.partial().shape),
    stales: ['runs', ...model],
    wide: true,
  },
  importDetail: {
    summary: 'How far an import into a data model is, and at its end what it left out',
    path: 'import/detail',
    input: structureImportRun,
    example: { run: demo.modelImport },
    answer: importState,
    shows: ['runs', ...model],
    wide: true,
    volatile: true,
  },
  init: {
    summary:
      'Creates the first instance of a product and its administrator in its dev database, as a recorded run',
    path: 'fetch/init',
    costs: 'waiting',
    input: instanceInit,
    example: {
      product: { id: demo.product },
      password: 'a long password',
      email: 'ada@example.org',
      database: { id: demo.database },
      runId: newRunId,
    },
    /** `ignored`: what had no effect because the instance exists already, in words. */
    answer: started.extend({ instance, ignored: z.array(z.string()) }),
    stales: 'runs',
    wide: true,
    receipt: false,
  },
  get: {
    ...file,
    summary: 'The migrations up to a version as SQL files of one dialect, in a zip archive',
    input: versionSql,
    example: { uuid: demo.version, dialect: 'mysql' },
    produces: ['application/zip'],
  },
  getJs: {
    ...file,
    summary: 'An ES module that describes the model of a version',
    produces: ['text/javascript'],
  },
  getTypes: { ...file, summary: 'TypeScript types of the rows of a version', produces: ['text/plain'] },
  bundle: {
    ...file,
    summary: 'Migrations, module, types, JSON schema and a README of a version, in a zip archive',
    produces: ['application/zip'],
  },
});

export const migrations = calls('data-model/migration', 'admin', {
  list: {
    summary: 'The migrations of a version, in order',
    costs: 'work',
    input: migrationList,
    example: { product: { id: demo.product }, version: { uuid: demo.version } },
    answer: z.array(migrationView),
    shows: 'versions',
    ...reads,
  },
  detail: {
    summary: 'One migration',
    input: byId,
    example: { id: demo.migration },
    answer: migrationView,
    shows: 'versions',
    wide: true,
    ...reads,
  },
  delete: {
    summary: 'Is always refused: the migrations of a version never change',
    input: byId,
    example: { id: demo.migration },
    answer: ids,
    stales: [],
  },
});

/** Versions of a product's data model, their migrations, and applying them to databases. */
import {
  byId,
  byUuid,
  instanceInit,
  migrationList,
  structureImport,
  structurePreview,
  versionAdopt,
  versionApply,
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
});

/** The additions that an import would make to the model. */
const additions = z.strictObject({
  entities: z.array(
    z.strictObject({
      name: z.string(),
      table: z.string(),
      isUuid: z.boolean(),
      attributes: z.array(
        z.strictObject({
          name: z.string(),
          column: z.string(),
          type: z.int(),
          optional: z.boolean(),
          /** The entity that it points to. */
          to: z.string().optional(),
        }),
      ),
    }),
  ),
  /** Parts that are not imported, with reasons, in words. */
  left: z.array(z.string()),
  seal: z.string(),
});
const edited = z.strictObject({ edits: z.int(), left: z.array(z.string()) });

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
    answer: z.array(versionRow),
    shows: 'versions',
    wide: true,
    ...reads,
  },
  detail: {
    summary: 'One version',
    input: byId,
    example: { id: demo.version },
    answer: versionRow,
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
    summary: 'Adds entities and attributes to a data model: those of a starter, or of a database that exists',
    path: 'import/structure',
    costs: 'waiting',
    input: structureImport,
    example: { product: { id: demo.product }, structure: { id: 1 } },
    answer: edited,
    stales: model,
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
    answer: z.strictObject({
      instance,
      /** The fields that were not used, because the instance existed already. */
      ignored: z.array(z.string()).optional(),
    }),
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

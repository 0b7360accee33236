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
import { migrationView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids, instance, started } from './answers';
import { calls } from './call';
import { demo, newRunId, seen } from './demo';
import { identified } from './specified';
import { version, difference, origin, plan, additions, edited, importState } from './version-answers';

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

/** Versions of data models: their order, their environment, and the databases that they were applied to. */
import { fileNameOf, type Migration } from '@quarterdeck/data-model';
import type { EventData } from '@quarterdeck/events';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';

/** A database that the version was applied to, with the newest apply. */
const applied = z.strictObject({
  database: z.strictObject({ id: z.string(), name: z.string() }),
  run: z.string(),
  at: z.string(),
  by: z.string(),
  /** What differs from the version all the same, in words. */
  left: z.array(z.string()).optional(),
});

export const versionRow = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    workspace: z.string(),
    product: z.string(),
    /** `sequenceIndex` as text. */
    version: z.string(),
    /** Number within the product, from 1. */
    sequenceIndex: z.int(),
    logDateAdded: z.string(),
    by: z.string(),
    env: z.strictObject({ id: z.int() }),
    /** How many migrations it has. */
    statements: z.int(),
    applied: z.array(applied),
    /** Log position at which it was generated. The model as of this position is the version's model. */
    madeAt: z.string(),
    /** If set, the version is hidden until it is restored. */
    removedAt: z.string().optional(),
    revision: z.int(),
    position: z.string(),
  })
  .meta({ id: 'Version' });
export interface VersionRow extends z.infer<typeof versionRow> {}

export const migrationView = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    version: z.strictObject({ uuid: z.string(), sequenceIndex: z.int() }),
    sequenceIndex: z.int(),
    label: z.string(),
    fileName: z.string(),
    migration: z.strictObject({ mysql: z.string(), postgresql: z.string() }),
  })
  .meta({ id: 'Migration' });
export interface MigrationView extends z.infer<typeof migrationView> {}

type Recorded = EventData<'VersionGenerated'>;

export interface VersionView extends VersionRow {
  model: Recorded['model'];
  migrations: Recorded['migrations'];
}

export const migrationViewOf = (
  { id, sequenceIndex }: Pick<VersionRow, 'id' | 'sequenceIndex'>,
  migration: Recorded['migrations'][number],
): MigrationView => ({
  id: migration.id,
  uuid: migration.id,
  version: { uuid: id, sequenceIndex },
  sequenceIndex: migration.sequenceIndex,
  label: migration.label,
  fileName: fileNameOf(sequenceIndex, migration as Pick<Migration, 'sequenceIndex' | 'label'>),
  migration: migration.sql,
});

export const versions = defineProjection<VersionView>({
  name: 'versions',
  version: 2,
  columns: { product: 'text', sequenceIndex: 'integer', removedAt: 'timestamptz' },
  hiddenBy: 'removedAt',
  indexes: ['(workspace, product, "sequenceIndex")'],
  ...rowPerStream('version'),
  evolve: (view, event, id) => {
    const { meta, revision, position } = event;
    if (event.type === 'VersionGenerated') {
      const { env, after: _from, ...data } = event.data;
      return {
        ...data,
        id,
        uuid: id,
        workspace: meta.workspace,
        version: String(data.sequenceIndex),
        logDateAdded: meta.at,
        by: meta.actor,
        env: { id: env },
        statements: data.migrations.length,
        applied: [],
        madeAt: position,
        revision,
        position,
      };
    }
    if (!view) return undefined;
    const place = { revision, position };
    switch (event.type) {
      case 'VersionPromoted':
      case 'VersionDemoted':
        return { ...view, env: { id: event.data.env }, ...place };
      case 'VersionApplyStarted':
      case 'VersionApplyRefused':
        return { ...view, ...place };
      case 'VersionBaselined':
      case 'VersionApplied': {
        const {
          database,
          run,
          left,
        }: EventData<'VersionApplied' | 'VersionBaselined'> & { left?: string[] } = event.data;
        const others = view.applied.filter((one) => one.database.id !== database.id);
        const newest = { database, run, at: meta.at, by: meta.actor, ...(left && { left }) };
        return { ...view, applied: [...others, newest], ...place };
      }
      case 'VersionRemoved':
        return { ...view, removedAt: meta.at, ...place };
      case 'VersionRestored':
        return { ...view, removedAt: undefined, ...place };
      default:
        return view;
    }
  },
});

/** Queries for the read model of versions. Versions of removed products are not returned. */
import {
  migrationViewOf,
  type MigrationView,
  type VersionRow,
  type VersionView,
} from '@quarterdeck/projections';
import type { VersionModel } from '@quarterdeck/data-model';
import { inView } from '../platform/in-view';
import type { Pool } from '../platform/tokens';

const version = inView<VersionView>('v.view');

/** Oldest first. */
async function found<V>(db: Pool, what: string, condition: string, values: readonly unknown[]): Promise<V[]> {
  const { rows } = await db.query<{ view: V }>(
    `select ${what} as view from read.versions v
     join read.products p on p.workspace = v.workspace and p.id = v.product
     where v.workspace = $1 and ${condition} order by v."sequenceIndex"`,
    [...values],
  );
  return rows.map(({ view }) => view);
}

const BRIEF = `v.view - ${version.keys('model', 'migrations')}`;

/** Newest first, without their models. */
export const listVersions = async (db: Pool, workspace: string, product: string): Promise<VersionRow[]> =>
  (await found<VersionRow>(db, BRIEF, 'v.product = $2', [workspace, product])).toReversed();

export const versionDetail = async (
  db: Pool,
  workspace: string,
  id: string,
): Promise<VersionRow | undefined> => (await found<VersionRow>(db, BRIEF, 'v.id = $2', [workspace, id]))[0];

const WITH_MODEL = `jsonb_build_object('id', v.id, 'sequenceIndex', v."sequenceIndex", 'model', ${version.json('model')})`;

/**
 * Oldest first, without their texts.
 * @param only numbers of the versions to return; default: all
 */
export const versionModels = (
  db: Pool,
  workspace: string,
  product: string,
  only?: readonly number[],
): Promise<VersionModel[]> =>
  found(db, WITH_MODEL, 'v.product = $2 and ($3::integer[] is null or v."sequenceIndex" = any($3))', [
    workspace,
    product,
    only,
  ]);

const WHOLE = `${WITH_MODEL} || jsonb_build_object('migrations', ${version.json('migrations')})`;

/**
 * The versions from the lowest to the highest of these numbers, oldest first. Each is the JSON of a `ModelVersion`, or of
 * a `VersionModel`, for a job: to parse a large one takes long.
 */
export const versionTexts = (
  db: Pool,
  workspace: string,
  product: string,
  ends: readonly number[],
  what: 'whole' | 'model' = 'whole',
): Promise<string[]> => {
  const text = `(${what === 'whole' ? WHOLE : WITH_MODEL})::text`;
  return found(db, text, 'v.product = $2 and v."sequenceIndex" between $3 and $4', [
    workspace,
    product,
    Math.min(...ends),
    Math.max(...ends),
  ]);
};

/** Without its texts. */
export const newestVersion = async (
  db: Pool,
  workspace: string,
  product: string,
): Promise<(VersionModel & { id: string }) | undefined> => {
  const newest = `(select max("sequenceIndex") from read.versions where workspace = $1 and product = $2)`;
  const condition = `v.product = $2 and v."sequenceIndex" = ${newest}`;
  const [row] = await found<VersionModel & { id: string }>(db, WITH_MODEL, condition, [workspace, product]);
  return row;
};

export const migrationsOfVersion = async (
  db: Pool,
  workspace: string,
  { product, version }: { product: string; version: string },
): Promise<MigrationView[] | undefined> => {
  const [view] = await found<VersionView>(db, 'v.view', 'v.product = $2 and v.id = $3', [
    workspace,
    product,
    version,
  ]);
  return view?.migrations.map((migration) => migrationViewOf(view, migration));
};

export const migrationDetail = async (
  db: Pool,
  workspace: string,
  id: string,
): Promise<MigrationView | undefined> => {
  const has = `v.view @> jsonb_build_object('migrations', jsonb_build_array(jsonb_build_object('id', $2::text)))`;
  const [view] = await found<VersionView>(db, 'v.view', has, [workspace, id]);
  const migration = view?.migrations.find((one) => one.id === id);
  return view && migration && migrationViewOf(view, migration);
};

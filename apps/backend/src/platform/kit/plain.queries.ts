/** Queries on the read model of a plain noun. */
import {
  fieldsOfKind,
  inWords,
  namedBy,
  nounOf,
  plainNounOf,
  plainNouns,
  type PlainNoun,
} from '@quarterdeck/events';
import {
  plainColumns,
  projections,
  tableOf,
  withOptionNames,
  type PlainRecord,
  type ListColumn,
} from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { notFound } from '../errors';
import { type Hooks, type Moment, moment } from '../hooks';
import { inView } from '../in-view';

export type View = PlainRecord & Readonly<Record<string, unknown>>;

/** What the calls `list`, `page` and `detail` of a noun show. */
export interface Reads<V = View, Row = View> {
  /** @param parent only what belongs to this parent */
  list(db: Pool, workspace: string, parent?: string): Promise<V[]>;
  detail(db: Pool, workspace: string, id: string): Promise<V | undefined>;
  /** For the pages of the list. */
  rows(db: Pool, workspace: string, parent?: string): Promise<Row[]>;
  columns: readonly ListColumn<Row>[];
}

/** Those of a noun whose read model is the kit's. */
export const readsOf = (noun: PlainNoun): Reads => {
  const rows: Reads['rows'] = (db, workspace, parent) => listOf(noun, db, workspace, parent);
  const list: Reads['list'] = async (db, workspace, parent) =>
    withParts(noun, db, workspace, await rows(db, workspace, parent));
  const detail: Reads['detail'] = async (db, workspace, id) => {
    const found = await detailOf(noun, db, workspace, id);
    return found && (await withParts(noun, db, workspace, [found]))[0];
  };
  return { list, detail, rows, columns: plainColumns(noun) };
};

/** Adds the records within, of which each has its ids and fields alone. */
const withParts = async (
  noun: PlainNoun,
  db: Pool,
  workspace: string,
  views: readonly View[],
): Promise<View[]> => {
  let all = [...views];
  const ids = views.map(({ id }) => id);
  for (const [key, category] of Object.entries(noun.parts)) {
    const part = plainNounOf(category);
    if (!part || ids.length === 0) continue;
    const { rows } = await db.query<{ parent: string; parts: object[] }>(partsWithin(noun, part), [
      workspace,
      ids,
    ]);
    const named = withOptionNames(part);
    const within = new Map(rows.map(({ parent, parts }) => [parent, parts.map(named)]));
    all = all.map((view) => ({ ...view, [key]: within.get(view.id) ?? [] }));
  }
  return all;
};

/** SQL of the records within each of those with the ids `$2`, in order: their ids and fields, and nothing else. */
const partsWithin = ({ category }: PlainNoun, part: PlainNoun): string => {
  const others = inView<View>('p.view').keys(
    ...(['workspace', 'addedAt', 'addedBy', 'changedAt', 'changedBy'] as const),
    ...(['removedAt', 'revision', 'position', category] as const),
    ...(part.parentAs === undefined ? [] : [part.parentAs]),
  );
  return `select p."${category}" as parent, json_agg((${shown(part)}) - ${others} order by ${orderOf(part)}) as parts
    from read.${tableOf(part)} p
    where p.workspace = $1 and p."${category}" = any($2)${parentShown(part, 'p')} group by p."${category}"`;
};

const everyNoun: readonly PlainNoun[] = plainNouns;

/** @throws if a noun refers to one without a read model or a name, which is a mistake in its declaration */
const namedRowsOf = (category: string): { rows: string; named: string } => {
  const { rows } = nounOf(category) ?? {};
  const named = namedBy(category);
  if (rows === undefined || named === undefined) throw new Error(`${category} has no name to show`);
  return { rows, named };
};

/** Condition that hides things whose ancestor was removed, until the ancestor is restored. */
const parentShown = (noun: PlainNoun, row: string): string => {
  const { within } = noun;
  if (within === undefined) return '';
  const parent = plainNounOf(within);
  const alias = `${row}_`;
  const above = parent ? parentShown(parent, alias) : '';
  return ` and exists (select from read.${tableOf(namedRowsOf(within))} ${alias}
    where ${alias}.workspace = ${row}.workspace and ${alias}.id = ${row}."${within}"${above})`;
};

/** Some read models also show what was removed, because they count it. */
const notRemoved = (target: { rows: string }): string => {
  const table = projections.find(({ name }) => name === tableOf(target));
  return table && !('hiddenBy' in table) && 'removedAt' in table.columns ? ' and r."removedAt" is null' : '';
};

/** SQL of the view as it is answered, with the names of referenced things. */
const shown = (noun: PlainNoun): string =>
  fieldsOfKind(noun.fields, 'reference').reduce(
    (view, [key, { to = '', keyed }]) => {
      const target = namedRowsOf(to);
      const names = `'id', r.id, 'name', r."${target.named}"`;
      const all = keyed ? `${names}, 'uuid', r.id, 'key', r."${target.named}"` : names;
      const kept = `p.view->'${key}'`;
      const lost = keyed
        ? `case when jsonb_typeof(${kept}) = 'object' then ${kept} || jsonb_build_object('uuid', ${kept}->'id') end, ${kept}`
        : kept;
      return `${view} || jsonb_build_object('${key}', coalesce((
      select jsonb_build_object(${all}) from read.${tableOf(target)} r
      where r.workspace = p.workspace and r.id = p."${key}"->>'id'${notRemoved(target)}), ${lost}))`;
    },
    `p.view || jsonb_build_object('uuid', p.id)${parentNamed(noun)}`,
  );

const parentNamed = ({ within, parentAs }: PlainNoun): string => {
  if (within === undefined || parentAs === undefined) return '';
  const { rows, named } = namedRowsOf(within);
  return ` || jsonb_build_object('${parentAs}', (
    select jsonb_build_object('id', o.id, 'uuid', o.id, 'name', o."${named}") from read.${tableOf({ rows })} o
    where o.workspace = p.workspace and o.id = p."${within}"))`;
};

const orderOf = ({ named, within, inOrder }: PlainNoun): string =>
  within === undefined || inOrder === undefined
    ? `lower(p."${named}"), p.id`
    : `array_position(array(
        select jsonb_array_elements_text(o."${inOrder}") from read.${tableOf(namedRowsOf(within))} o
        where o.workspace = p.workspace and o.id = p."${within}"), p.id), ${inView<PlainRecord>('p.view').text('addedAt')}, p.id`;

/** The views that match `which` and are not hidden. `$2` is `value`. */
const viewsWith = async (
  noun: PlainNoun,
  db: Pool,
  [workspace, value]: [workspace: string, value: unknown],
  { which, order = orderOf(noun) }: { which: string; order?: string },
): Promise<View[]> => {
  const { rows } = await db.query<{ view: View }>(
    `select ${shown(noun)} as view from read.${tableOf(noun)} p
     where p.workspace = $1 and ${which}${parentShown(noun, 'p')} order by ${order}`,
    [workspace, value],
  );
  const named = withOptionNames(noun);
  return rows.map(({ view }) => named(view));
};

/** @param parent lists only what belongs to this parent */
export const listOf = (noun: PlainNoun, db: Pool, workspace: string, parent?: string): Promise<View[]> =>
  viewsWith(noun, db, [workspace, parent ?? null], {
    which: `($2::text is null${noun.within === undefined ? '' : ` or p."${noun.within}" = $2`})`,
  });

export const detailOf = async (noun: PlainNoun, db: Pool, workspace: string, id: string) =>
  (await viewsWith(noun, db, [workspace, id], { which: 'p.id = $2' }))[0];

/** The name of a thing. @throws DomainError `notFound` */
export const requireNamed = async (
  noun: PlainNoun,
  db: Pool,
  workspace: string,
  id: string,
): Promise<{ id: string; name: string }> => {
  const found = await detailOf(noun, db, workspace, id);
  if (!found) throw notFound(inWords(noun.category));
  return { id, name: String(found['name']) };
};

/** The views with these ids, in the order in which they were last changed. */
export const viewsOf = (noun: PlainNoun, db: Pool, workspace: string, ids: readonly string[]) =>
  viewsWith(noun, db, [workspace, ids], { which: 'p.id = any($2)', order: 'p.position, p.id' });

/** Names of things within those with `ids`, without the ones in `besides`. */
export const namesWithin = async (
  { category }: PlainNoun,
  db: Pool,
  workspace: string,
  { ids, besides }: { ids: readonly string[]; besides: readonly string[] },
): Promise<string[]> => {
  const found = await Promise.all(
    everyNoun
      .filter(({ within }) => within === category)
      .map(async (noun) => {
        const { rows } = await db.query<{ name: string }>(
          `select p."${noun.named}" as name from read.${tableOf(noun)} p
           where p.workspace = $1 and p."${category}" = any($2) and not p.id = any($3) order by 1`,
          [workspace, ids, besides],
        );
        return rows.map(({ name }) => name);
      }),
  );
  return found.flat();
};

/** `besides`: what is removed with them, and so does not count. */
interface Referring {
  ids: readonly string[];
  besides: readonly string[];
}

/** Names of things outside the kit that refer to those with `ids`. */
export const referring = ({
  category,
}: Pick<PlainNoun, 'category'>): Moment<(ids: readonly string[], workspace: string) => Promise<string[]>> =>
  moment(`referring to ${category}`);

/** Names of everything that refers to those with `ids`. */
export const allReferrersTo = async (
  noun: PlainNoun,
  { db, hooks }: { db: Pool; hooks: Hooks },
  workspace: string,
  of: Referring,
): Promise<string[]> => {
  const others = hooks.of(referring(noun)).map((names) => names(of.ids, workspace));
  return (await Promise.all([referrersTo(noun, db, workspace, of), ...others])).flat();
};

/** Names of things that refer to those with `ids`, with the parent's name: `Order.customer`. Loose references do not count. */
const referrersTo = async (
  { category }: PlainNoun,
  db: Pool,
  workspace: string,
  { ids, besides }: Referring,
): Promise<string[]> => {
  const found = await Promise.all(
    everyNoun.flatMap((noun) =>
      fieldsOfKind(noun.fields, 'reference')
        .filter(([, { to, loose }]) => to === category && !loose)
        .map(async ([key]) => {
          const { within = '', named } = noun;
          const parent = namedRowsOf(within);
          const { rows } = await db.query<{ name: string }>(
            `select a."${parent.named}" || '.' || p."${named}" as name
             from read.${tableOf(noun)} p join read.${tableOf(parent)} a
               on a.workspace = p.workspace and a.id = p."${within}"
             where p.workspace = $1 and p."${key}"->>'id' = any($2)
               and not (p.id = any($3) or a.id = any($3))${parentShown(noun, 'p')}
             order by 1`,
            [workspace, ids, besides],
          );
          return rows.map(({ name }) => name);
        }),
    ),
  );
  return found.flat();
};

/** What is asked of the read model of a plain noun. */
import { nounOf, plainNouns, type PlainNoun } from '@quarterdeck/events';
import { tableOf, type Kept } from '@quarterdeck/projections';
import type { Pool } from 'pg';

export type View = Kept & Readonly<Record<string, unknown>>;

/** What belongs to something removed is not shown either, and comes back with it. */
const parentShown = (noun: PlainNoun, row: string): string => {
  const { within } = noun;
  if (within === undefined) return '';
  const parent = plainNouns.find(({ category }) => category === within);
  const rows = nounOf(within)?.rows;
  if (rows === undefined) throw new Error(`${noun.category} is within ${within}, which has no read model`);
  const alias = `${row}_`;
  const above = parent ? parentShown(parent, alias) : '';
  return ` and exists (select from read.${tableOf({ rows })} ${alias}
    where ${alias}.workspace = ${row}.workspace and ${alias}.id = ${row}."${within}"${above})`;
};

/** @param parent only what belongs to it */
export const listOf = async (
  noun: PlainNoun,
  db: Pool,
  workspace: string,
  parent?: string,
): Promise<View[]> => {
  const { within, named } = noun;
  const { rows } = await db.query<{ view: View }>(
    `select p.view from read.${tableOf(noun)} p where p.workspace = $1
     ${within === undefined ? 'and $2::text is null' : `and ($2::text is null or p."${within}" = $2)`}
     ${parentShown(noun, 'p')} order by lower(p."${named}"), p.id`,
    [workspace, parent ?? null],
  );
  return rows.map(({ view }) => view);
};

export const detailOf = async (
  noun: PlainNoun,
  db: Pool,
  workspace: string,
  id: string,
): Promise<View | undefined> => {
  const { rows } = await db.query<{ view: View }>(
    `select p.view from read.${tableOf(noun)} p where p.workspace = $1 and p.id = $2${parentShown(noun, 'p')}`,
    [workspace, id],
  );
  return rows[0]?.view;
};

/** The parts of a record, and theirs: the entities of a product with their attributes, its services with their packages. */
import { streamName } from '@quarterdeck/events';
import type { DropletView } from '@quarterdeck/projections';
import { inView } from '../platform/in-view';
import type { Queries } from './history-filter';

/** A forged row must not lead round in a circle. */
export const DEEPEST = 5;

/** A record with more parts is looked for among the parents of each event: the list of ids would be too long. */
const MAX_PARTS = 5_000;

/** What happens to a droplet without a change of what is known about it, such as a snapshot, is only in its runs. */
const RUNS_OF_DROPLET = `
  union all
  select r.id from read.runs r where r.workspace = $2 and r."subjectId" = $3
  union all
  select ${inView<DropletView>('d.view').text('run')} from read.droplets d where d.workspace = $2 and d.id = $3`;

/** @returns their ids, with those that were removed since; undefined if there are too many */
export const partsOf = async (
  db: Queries,
  workspace: string,
  { category, id }: { category: string; id: string },
): Promise<string[] | undefined> => {
  const isDroplet = category === 'droplet';
  const { rows } = await db.query<{ id: string | null }>(
    `with recursive below as (
       select s.id, s."subjectId", 1 as depth from read.subjects s where s.within = $1 and s.workspace = $2
       union all
       select s.id, s."subjectId", b.depth + 1
       from below b join read.subjects s on s.within = b.id and s.workspace = $2
       where b.depth < ${DEEPEST}
     )
     select "subjectId" as id from below ${isDroplet ? RUNS_OF_DROPLET : ''} limit ${MAX_PARTS + 1}`,
    [streamName(category, id), workspace, ...(isDroplet ? [id] : [])],
  );
  if (rows.length > MAX_PARTS) return undefined;
  return rows.flatMap((row) => (row.id === null ? [] : [row.id]));
};

/** Whether an event `h` is about this record or a part of it, or the run of a deploy. @param stream a parameter */
export const isWithin = (stream: string): string => `${stream} in (
  with recursive above as (
    select kind || '-' || h."subjectId" as stream, 0 as height
    from unnest(array[h.category, case when h.category = 'run' then 'release' end]) kind
    where kind is not null
    union all
    select s.within, a.height + 1
    from above a join read.subjects s on s.id = a.stream and s.workspace = h.workspace
    where s.within is not null and a.height < ${DEEPEST}
  )
  select stream from above)`;

/**
 * Text search in the history: in the sentences of events, the labels of their types, and the names of subjects and
 * actors. Frequent text is found among the newest events that match the other filters. Rare text is found with indexes,
 * one query for each of these places, because an `or` over all of them would use no index.
 */
import { placement } from '@quarterdeck/events';
import { same, sameAsAny, sameAsOneOf } from '@quarterdeck/projections';
import { literally } from '../platform/database';
import { hashesOf, type Conditions, type HistoryFilter, type Queries, type Reader } from './history-filter';

/**
 * How many of the newest events are checked one by one for each wanted result: first 20, and 200 if a tenth of those
 * matched.
 */
const LOOKED_AT = [20, 200];
/** If more subjects of a kind match the name, events are compared one by one: the list of ids would be too long. */
const SUBJECTS = 2_000;

/** Text shorter than a trigram is only searched at the beginning of words. */
const WORD_BEGINS = ['', '% ', '%-', '%.', '%/', '%@', '%"'];

const patternsOf = (text: string): string[] => {
  const literal = literally(text);
  return /^[\p{L}\p{N}]{1,2}$/u.test(text)
    ? WORD_BEGINS.map((before) => `${before}${literal}%`)
    : [`%${literal}%`];
};

/** One comparison per pattern, since a list of patterns would use no index. */
const like = (column: string, patterns: readonly string[]): string =>
  `(${patterns.map((p) => `${column} ilike ${p}`).join(' or ')})`;

const typesNamed = (text: string): string[] => {
  const wanted = text.toLowerCase();
  return Object.keys(placement).filter((type) => {
    const words = type.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
    return type.toLowerCase().includes(wanted) || words.includes(wanted);
  });
};

/** SQL placeholders for `values`, numbered from `first`. */
const numbered = (values: readonly unknown[], first: number): string[] =>
  values.map((_, index) => `$${first + index}`);

const peopleNamed = async (
  db: Queries,
  workspace: string,
  patterns: readonly string[],
): Promise<string[]> => {
  const given = numbered(patterns, 2);
  const { rows } = await db.query<{ id: string }>(
    `select id::text from app.person_records
     where workspace::text = $1 and (${like('name', given)} or ${like('email', given)})`,
    [workspace, ...patterns],
  );
  return rows.map(({ id }) => id);
};

/** The kinds of subjects that match the other filters: one look-up per kind, not a scan of all events. */
const kindsLeft = async (
  db: Queries,
  workspace: string,
  { types = [], subject }: HistoryFilter,
): Promise<string[]> => {
  const ours = same('h.workspace', '$1');
  const { rows } = await db.query<{ category: string }>(
    `with recursive kinds as (
       select min(h.category) as category from read.history h where ${ours}
       union all
       select (select min(h.category) from read.history h where ${ours} and h.category > kinds.category)
       from kinds where kinds.category is not null)
     select k.category from kinds k
     where k.category = coalesce($2, k.category) ${
       types.length === 0
         ? ''
         : `and exists (
       select from read.history h where ${ours} and h.category = k.category and ${sameAsAny('h.type', numbered(types, 3))})`
     }`,
    [workspace, subject?.category ?? null, ...types],
  );
  return rows.map(({ category }) => category);
};

interface Named {
  category: string;
  ids: string[];
}

/** One query per kind: a plan that is fast for few of thousands is slow for most of them. */
const subjectsNamed = async (
  db: Queries,
  workspace: string,
  kinds: readonly string[],
  patterns: readonly string[],
): Promise<Named[]> => {
  if (kinds.length === 0) return [];
  const given = numbered(patterns, 2);
  const ofKind = numbered(kinds, 2 + patterns.length).map(
    (kind) => `select ${kind} as category, array(
      select s."subjectId" from read.subjects s
      where s.workspace = $1 and s.category = ${kind} and ${like('s.name', given)}
      limit ${SUBJECTS + 1}) as ids`,
  );
  const { rows } = await db.query<Named>(ofKind.join('\nunion all\n'), [workspace, ...patterns, ...kinds]);
  return rows.filter(({ ids }) => ids.length > 0);
};

/** Name of the subject of `h`. */
const NAME = `select s.name from read.subjects s where s.id = (h.category || '-' || h."subjectId") collate "C"`;

interface TextQuery {
  conditions: Conditions;
  limit: number;
  types: string[];
  people: string[];
  patterns: string[];
}

interface TextMatches {
  positions: string[];
  /** Whether there are as many as wanted, or no older events are left. */
  enough: boolean;
}

/** @param width how many are checked */
const amongNewest = async (
  db: Queries,
  { conditions, limit, types, people, patterns }: TextQuery,
  width: number,
): Promise<TextMatches> => {
  const walk = conditions.copy();
  const given = patterns.map((pattern) => walk.parameter(pattern));
  const [ofType, ofPerson] = [walk.parameter(types), walk.parameter(people)];
  const { rows } = await db.query<{ found: string[]; seen: number | null }>(
    `with newest as materialized (
       select h.position, h.says, h.type, h.actor, h."subjectId", s.name from (
         select * from read.history h
         where ${walk.sql}
         order by h.position desc limit ${width}) h
       left join lateral (${NAME} limit 1) s on true
       order by h.position desc)
     select found, case when cardinality(found) < ${limit} then (select count(*)::int from newest) end as seen
     from (select array(
       select h.position::text from newest h
       where h.type = any(${ofType}) or h.actor = any(${ofPerson}) or h."subjectId" = any(${ofPerson})
         or ${like('h.says', given)} or ${like('h.name', given)}
       order by h.position desc limit ${limit}) as found) f`,
    walk.values,
  );
  const { found = [], seen = 0 } = rows[0] ?? {};
  return { positions: found, enough: seen === null || seen < width };
};

/**
 * Sorting by an expression keeps Postgres from walking along the position index. It finds the few matches with the best
 * other index.
 */
const FOUND_FIRST = 'order by h.position + 0 desc';

const byIndexes = async (db: Queries, named: Named[], wanted: TextQuery): Promise<string[]> => {
  const { limit, types, people, patterns } = wanted;
  const conditions = wanted.conditions.copy();
  const given = patterns.map((pattern) => conditions.parameter(pattern));
  const ways = [like('h.says', given)];
  if (types.length > 0) ways.push(conditions.anyOf('h.type', types));
  if (people.length > 0) ways.push(conditions.anyOf('h.actor', people));
  const few = named.filter(({ ids }) => ids.length <= SUBJECTS);
  const subjects = [...people, ...few.flatMap(({ ids }) => ids)];
  if (subjects.length > 0) {
    const hashes = conditions.parameter(await hashesOf(db, subjects));
    ways.push(sameAsOneOf('h."subjectId"', { hashes, values: conditions.parameter(subjects) }));
  }
  for (const { category } of named.filter((one) => !few.includes(one)))
    ways.push(
      `h.category = ${conditions.parameter(category)} and exists (${NAME} and ${like('s.name', given)})`,
    );
  const found = ways.map(
    (way) =>
      `(select h.position from read.history h where ${conditions.sql} and ${way} ${FOUND_FIRST} limit ${limit})`,
  );
  const { rows } = await db.query<{ position: string }>(
    `select position::text from (${found.join('\nunion\n')}) h order by h.position desc limit ${limit}`,
    conditions.values,
  );
  return rows.map(({ position }) => position);
};

/** @returns the newest matches, newest first */
export const positionsWith = async (
  db: Queries,
  { workspace }: Reader,
  filter: HistoryFilter,
  conditions: Conditions,
  limit: number,
): Promise<string[]> => {
  const { text = '' } = filter;
  const patterns = patternsOf(text);
  const people = await peopleNamed(db, workspace, patterns);
  const types = typesNamed(text).filter((type) => !filter.types?.length || filter.types.includes(type));
  const wanted = { conditions, limit, types, people, patterns };
  for (const times of LOOKED_AT) {
    const { positions, enough } = await amongNewest(db, wanted, limit * times);
    if (enough) return positions;
    if (positions.length * 10 < limit) break;
  }
  const kinds = await kindsLeft(db, workspace, filter);
  return byIndexes(db, await subjectsNamed(db, workspace, kinds, patterns), wanted);
};

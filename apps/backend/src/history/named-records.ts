/** Finds records of any kind by their name, for the command palette. */
import type { Answer, history } from '@quarterdeck/contract';
import { streamName } from '@quarterdeck/events';
import { hasParent, type SubjectView } from '@quarterdeck/projections';
import { literally } from '../platform/database';
import { inView } from '../platform/in-view';
import type { Queries } from './history-filter';
import { parentsOf } from './history.queries';

/** Shorter words have no trigram, so every name would be compared. */
const SHORTEST = 3;
const MAX_WORDS = 4;
/** Candidates for each word. A name that more records have is not found by that word alone. */
const MAX_CANDIDATES = 500;
const MAX_FOUND = 50;

type Named = Answer<typeof history.find>;

const wordsOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .filter((word) => [...word].length >= SHORTEST)
    .slice(0, MAX_WORDS);

/** @returns the records that match the most words, of these the ones with the shortest names first */
export const findNamed = async (db: Queries, workspace: string, text: string): Promise<Named> => {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  const removed = inView<SubjectView>('s.view').text('removed');
  // One query for each word, since a list of patterns would use no index.
  const candidates = words.map(
    (_, at) => `(select s.id, s.category, s."subjectId", s.name from read.subjects s
      where s.workspace = $1 and s.name ilike $${at + 2} and ${removed} = 'false' limit ${MAX_CANDIDATES})`,
  );
  const { rows } = await db.query<{ category: string; id: string; name: string }>(
    `select category, "subjectId" as id, name from (${candidates.join(' union all ')}) found
     group by found.id, category, "subjectId", name
     order by count(*) desc, length(name), name collate "C", found.id limit ${MAX_FOUND}`,
    [workspace, ...words.map((word) => `%${literally(word)}%`)],
  );
  const parents = await parentsOf(
    db,
    rows
      .filter(({ category }) => hasParent(category))
      .map(({ category, id }) => ({ stream: streamName(category, id), workspace })),
  );
  return rows.map((row) => {
    const within = parents.get(streamName(row.category, row.id));
    return { ...row, ...(within && { within }) };
  });
};

/** Finds records of any kind by their name, and parts of products by their kind too, for the command palette. */
import type { Answer, history } from '@quarterdeck/contract';
import { inWords, nouns, streamName, type AnyNoun } from '@quarterdeck/events';
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

/** What a product consists of is looked for by what it is: `database`, `option sets`. */
const kinds = (nouns as readonly AnyNoun[])
  .filter(({ within }) => within === 'product')
  .map(({ category, words }) => ({
    category,
    words: `${inWords(category)} ${words?.many ?? ''}`.toLowerCase().split(' '),
  }));

const kindsCalled = (words: readonly string[]): string[] =>
  kinds
    .filter((kind) => kind.words.some((own) => words.some((word) => own.startsWith(word.toLowerCase()))))
    .map(({ category }) => category);

/** @returns the records that match the most words, of these those by name first, with the shortest names first */
export const findNamed = async (db: Queries, workspace: string, text: string): Promise<Named> => {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  const removed = inView<SubjectView>('s.view').text('removed');
  // One query for each word, since a list of patterns would use no index.
  const candidates = words.map(
    (_, at) => `(select s.id, s.category, s."subjectId", s.name, 0 as by_kind from read.subjects s
      where s.workspace = $1 and s.name ilike $${at + 2} and ${removed} = 'false' limit ${MAX_CANDIDATES})`,
  );
  const called = kindsCalled(words);
  if (called.length > 0)
    candidates.push(`(select s.id, s.category, s."subjectId", s.name, 1 as by_kind from read.subjects s
      where s.workspace = $1 and s.category = any($${words.length + 2}) and ${removed} = 'false'
      limit ${MAX_CANDIDATES})`);
  const { rows } = await db.query<{ category: string; id: string; name: string }>(
    `select category, "subjectId" as id, name from (${candidates.join(' union all ')}) found
     group by found.id, category, "subjectId", name
     order by count(*) desc, min(by_kind), length(name), name collate "C", found.id limit ${MAX_FOUND}`,
    [workspace, ...words.map((word) => `%${literally(word)}%`), ...(called.length > 0 ? [called] : [])],
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

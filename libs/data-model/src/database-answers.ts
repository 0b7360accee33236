/** What a database has answered to all questions, so that its structure can be built elsewhere, as in a thread. */
import type { Answers } from './answers';
import type { questions } from './questions';
import type { ExactAnswers, exactQuestions } from './exact-postgresql';
import { structureFrom } from './introspection';
import type { Structure } from './structure';

/** PostgreSQL answers with the JSON of the rows: a text is handed on at no cost, whatever its length. */
export type DatabaseAnswers =
  | {
      readonly dialect: 'mysql';
      readonly answers: Answers;
      /** The statement of each table, by its name. */
      readonly statements: ReadonlyMap<string, string>;
    }
  | {
      readonly dialect: 'postgresql';
      readonly answers: Readonly<Record<keyof typeof questions.postgresql, string>>;
      readonly exact: Readonly<Record<keyof typeof exactQuestions, string>>;
    };

/** A question of PostgreSQL, answered by one row: the number of rows, and their JSON. */
export const asJson = (sql: string): string =>
  `select count(*) as amount, coalesce(json_agg(q), '[]')::text as rows from (${sql}) q`;

export const structureIn = (read: DatabaseAnswers): Structure =>
  read.dialect === 'mysql'
    ? structureFrom('mysql', read.answers, { mysql: read.statements })
    : structureFrom('postgresql', parsed<Answers>(read.answers), {
        postgresql: parsed<ExactAnswers>(read.exact),
      });

const parsed = <T>(texts: Readonly<Record<string, string>>): T =>
  Object.fromEntries(Object.entries(texts).map(([about, text]) => [about, JSON.parse(text) as unknown])) as T;

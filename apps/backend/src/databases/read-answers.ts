/** Asks a product database about its structure. */
import {
  asJson,
  exactQuestions,
  MAX_COLUMNS,
  questions,
  quoted,
  type Answers,
  type DatabaseAnswers,
} from '@quarterdeck/data-model';
import { DomainError } from '../platform/errors';
import type { Target } from './target';
import type { Row } from './target-connection';

type AskedTarget = Pick<Target, 'dialect' | 'query'>;

/**
 * What `structureIn` builds the structure from, which takes long for thousands of columns.
 *
 * @throws DomainError `unprocessable` if the database has more columns than a model may have
 */
export const readAnswers = async (target: AskedTarget): Promise<DatabaseAnswers> =>
  target.dialect === 'mysql' ? mysqlAnswers(target) : postgresqlAnswers(target);

async function mysqlAnswers(target: AskedTarget): Promise<DatabaseAnswers> {
  const answers: Record<string, Row[]> = {};
  for (const [about, sql] of Object.entries(questions.mysql)) {
    const rows = (answers[about] = await target.query(sql));
    if (about === 'columns') refuseColumns(rows.length);
  }
  const statements = new Map<string, string>();
  for (const name of new Set(answers['columns']?.map((row) => String(row.table_name)))) {
    const [row] = await target.query(`show create table ${quoted(name, 'mysql')}`);
    statements.set(name, (row?.['Create Table'] as string | undefined) ?? '');
  }
  return { dialect: 'mysql', answers: answers as unknown as Answers, statements };
}

async function postgresqlAnswers(target: AskedTarget): Promise<DatabaseAnswers> {
  const asked = async <T extends string>(all: Readonly<Record<T, string>>): Promise<Record<T, string>> => {
    const answers: Record<string, string> = {};
    for (const [about, sql] of Object.entries<string>(all)) {
      const [row] = await target.query(asJson(sql));
      if (about === 'columns') refuseColumns(Number(row?.amount));
      answers[about] = String(row?.rows);
    }
    return answers as Record<T, string>;
  };
  const answers = await asked(questions.postgresql);
  await target.query('set quote_all_identifiers = on');
  const exact = await asked(exactQuestions);
  await target.query('set quote_all_identifiers = off');
  return { dialect: 'postgresql', answers, exact };
}

function refuseColumns(amount: number): void {
  if (amount > MAX_COLUMNS)
    throw new DomainError(
      'unprocessable',
      `the database has ${amount} columns, and at most ${MAX_COLUMNS} can be compared with a data model`,
    );
}

/** Carries out work with models: at once, or in a thread if they are large. */
import type { DatabaseAnswers, Model, Structure } from '@quarterdeck/data-model';
import { type Job, threads } from '../platform/threads';

/** Attributes or columns that take a few milliseconds. */
const MAX_AT_ONCE = 2000;
/** Characters of JSON that an attribute takes with its share of the migrations. */
const CHARACTERS = 300;

/** Versions that are lists of texts are JSON, and so are the answers of PostgreSQL. */
type Part = Model | Structure | DatabaseAnswers | readonly string[];

const sizeOf = (one: Part): number => {
  if ('tables' in one) return one.tables.reduce((sum, { columns }) => sum + columns.length, 0);
  if ('entities' in one) return one.entities.reduce((sum, { attributes }) => sum + attributes.length, 0);
  if ('dialect' in one && one.dialect === 'mysql') return one.answers.columns.length;
  const texts = 'answers' in one ? Object.values<string>({ ...one.answers, ...one.exact }) : one;
  return texts.reduce((sum, { length }) => sum + length, 0) / CHARACTERS;
};

/**
 * @param large the parts of the input on whose size the work depends
 * @throws JobOverran
 */
export const workWith = async <Input, Result>(
  job: Job<Input, Result>,
  input: Input,
  large: readonly Part[],
): Promise<Result> => {
  const size = large.reduce((sum, one) => sum + sizeOf(one), 0);
  return size > MAX_AT_ONCE ? threads.run(job, input) : job.work(input);
};

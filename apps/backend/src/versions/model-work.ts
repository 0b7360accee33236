/** Carries out work with models: at once, or in a thread if they are large. */
import type { Model, Structure } from '@quarterdeck/data-model';
import { type Job, threads } from '../platform/threads';

/** Attributes or columns that take a few milliseconds. */
const MAX_AT_ONCE = 2000;

const sizeOf = (one: Model | Structure): number =>
  'tables' in one
    ? one.tables.reduce((sum, { columns }) => sum + columns.length, 0)
    : one.entities.reduce((sum, { attributes }) => sum + attributes.length, 0);

/** @throws JobOverran */
export const workWith = async <Input extends Readonly<Record<string, Model | Structure>>, Result>(
  job: Job<Input, Result>,
  input: Input,
): Promise<Result> => {
  const size = Object.values(input).reduce((sum, one) => sum + sizeOf(one), 0);
  return size > MAX_AT_ONCE ? threads.run(job, input) : job.work(input);
};

/** Rules of requests that need more than the fields themselves. */
import { invalidField } from '../platform/errors';
import type { JudgeFields } from '../platform/kit';
import { refusedChecks } from './checks';

/** Compiling is quick, but what an operator writes is not known to be. */
export const judgedChecks: JudgeFields = async ({ checks }, before) => {
  if (typeof checks !== 'string' || checks.trim() === '' || checks === before?.['checks']) return;
  const wrong = await refusedChecks(checks);
  if (wrong !== undefined) throw invalidField('checks', wrong);
};

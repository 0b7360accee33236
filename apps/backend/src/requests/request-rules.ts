/** Rules of requests that need more than the fields themselves. */
import { invalidField } from '../platform/errors';
import type { JudgeFields } from '../platform/kit';
import { threads } from '../platform/threads';
import { CHECKS_MS, judgeChecks } from './checks.jobs';

/** Compiling is quick, but what an operator writes is not known to be. */
export const judgedChecks: JudgeFields = async ({ checks }, before) => {
  if (typeof checks !== 'string' || checks.trim() === '' || checks === before?.['checks']) return;
  const wrong = await threads.run(judgeChecks, checks, { timeoutMs: CHECKS_MS });
  if (wrong) throw invalidField('checks', `line ${wrong.line}: ${wrong.reason}`);
};

/**
 * What runs in the threads of `platform/threads`: it carries out one job after the other. It imports the jobs only, and
 * not the back end: a thread has to begin quickly.
 */
import { parentPort } from 'node:worker_threads';
import { matchLines } from './logs/log-search.jobs';
import { factsOfMail, fileOfMail, htmlOfMail, messageOf } from './mails/mail.jobs';
import { evaluateExpressions, judgeExpressions } from './platform/expressions/expressions.jobs';
import { watchMainThreadFromOutside } from './platform/http/watchdog.jobs';
import { openKey } from './platform/ssh/key.jobs';
import { compareFile, exportFile } from './texts/text.jobs';
import {
  afterApply,
  beforeApply,
  outcomeOfStep,
  planOfApply,
  wayOfApply,
  zeroDatesIn,
} from './versions/apply.jobs';
import { readImport } from './requests/import.jobs';
import {
  adoptionOfStructure,
  differenceOfModels,
  downloadOfVersion,
  filesOfVersion,
  importOfStructure,
  nextVersion,
  originsOfAttributes,
  previewOfImport,
} from './versions/model.jobs';
import type { Job, Question, Reply } from './platform/threads';

const jobs: readonly Job<never, unknown>[] = [
  openKey,
  factsOfMail,
  htmlOfMail,
  fileOfMail,
  messageOf,
  differenceOfModels,
  nextVersion,
  previewOfImport,
  importOfStructure,
  adoptionOfStructure,
  downloadOfVersion,
  filesOfVersion,
  originsOfAttributes,
  planOfApply,
  wayOfApply,
  outcomeOfStep,
  beforeApply,
  afterApply,
  zeroDatesIn,
  compareFile,
  exportFile,
  judgeExpressions,
  evaluateExpressions,
  readImport,
  matchLines,
  watchMainThreadFromOutside,
];

const byName = new Map(jobs.map((job) => [job.name, job]));

const reply = async ({ job, input }: Question): Promise<Reply> => {
  try {
    const known = byName.get(job);
    if (!known) throw new Error(`no thread knows the job ${job}`);
    return { result: await known.work(input as never) };
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { error: message, stack };
  }
};

parentPort?.on('message', (question: Question) => {
  void reply(question).then((answer) => parentPort?.postMessage(answer));
});

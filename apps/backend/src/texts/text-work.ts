/** Carries out work with files of texts. Apart from the jobs, because a thread must not load what starts threads. */
import { type Job, threads } from '../platform/threads';

/** Characters that take a few milliseconds. */
const MAX_AT_ONCE = 50_000;
/** A file of 16 MB on a busy machine. */
const TIMEOUT_MS = 60_000;

/** At once, or in a thread if its input is large. */
export const workOn = async <Input, Result>(
  job: Job<Input, Result>,
  input: Input,
  characters: number,
): Promise<Result> =>
  characters > MAX_AT_ONCE ? threads.run(job, input, { timeoutMs: TIMEOUT_MS }) : job.work(input);

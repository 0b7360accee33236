/**
 * `backup create --to s3://…`: asks a running console for the backup, because two programs that write to one bucket
 * would abort each other's uploads.
 */
import { setTimeout as rest } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { Decisions } from '../../platform/decisions';
import { ownMeta } from '../../platform/sessions';
import type { Log } from '../../platform/boot';
import type { BackupState, RecordedArchive } from '../backups.decider';
import type { Plan } from '../plan';
import { CannotTake } from '../take';
import { BackupBook } from './backup-book';
import { progressOf, type Progress } from './progress';

const LOOK_MS = 250;
/** A console that takes backups checks for requests every second. */
const UNANSWERED_MS = 20_000;

const bucketAddress = (target: Plan['target']): string | undefined =>
  target.kind === 's3' ? `s3://${target.bucket}/${target.prefix}`.replace(/\/$/, '') : undefined;

interface Asking {
  log: Pick<Log, 'pool' | 'store'>;
  /** `s3://bucket/prefix`. Must be the target of the plan. */
  to: string;
  full: boolean;
  tell: (progress: Progress) => void;
  signal: AbortSignal;
  unansweredMs?: number;
}

const outcomeOf = ({ archives, failed }: BackupState, work: string, since: string): RecordedArchive => {
  const taken = archives.find(({ id }) => id === work);
  if (taken) return taken;
  const has = failed !== undefined && failed.at >= since;
  throw new CannotTake(
    has ? `no archive was made: ${failed.reason}` : 'it was cancelled; no archive was made',
  );
};

/**
 * Requests the backup and waits until it ends; cancels it if interrupted.
 * @throws CannotTake, and DomainError `conflict` while other work is running
 */
export const askConsole = async (asking: Asking): Promise<RecordedArchive> => {
  const { log, to, full, tell, signal, unansweredMs = UNANSWERED_MS } = asking;
  const book = new BackupBook(new Decisions(log.store));
  const meta = ownMeta('cli', '-');
  const { plan } = await book.state();
  const bucket = bucketAddress(plan.target);
  if (bucket !== to.replace(/\/$/, ''))
    throw new CannotTake(
      `--to ${to}: the console's plan has ${bucket === undefined ? 'no bucket' : bucket}; name this one there first, with its credentials`,
    );
  const work = uuidv7();
  await book.request({ work, why: 'operator', full }, meta);
  const askedAt = performance.now();
  let refusal: Error | undefined;
  for (;;) {
    const state = await book.state();
    const { current, waiting } = state;
    const asked = [current, waiting].find((one) => one?.work === work);
    if (!asked) {
      if (refusal) throw refusal;
      return outcomeOf(state, work, meta.at);
    }
    if (signal.aborted) refusal = signal.reason as Error;
    // A console that drills is running.
    else if (current?.attempts === 0 && performance.now() - askedAt > unansweredMs)
      refusal = new CannotTake('no console runs that takes backups; start it, or give a folder');
    if (refusal) await book.cancel(work, meta).catch(() => undefined);
    const progress = await progressOf(log.pool, work);
    if (progress) tell(progress);
    await rest(LOOK_MS);
  }
};

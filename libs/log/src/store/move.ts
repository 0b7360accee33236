/**
 * Moves a log to another place. Everything is copied and compared while the console runs. Then `LogMoved` closes the
 * old log, the remaining events are copied, and `LogArrived` opens the new one. Both logs then hold the same events in
 * the same order, so moving back works the same way and copies only new events.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EncodedEvent } from '../codec';
import { LOG_STREAM } from '../log.events';
import { logOf, verify, type AuditedLog, type LogIdentity, type Seal } from './audit';
import { AuthenticStore } from './authentic-store';
import { atTarget, Copy, MoveRefused, type MoveProgress } from './copy';
import type { LogEngine } from './engine';
import { LogElsewhere, UNFINISHED, WrongExpectedRevision } from './event-store';
import { encoded, logCodec, LogKeys } from './log-keys';
import { SETTLED_MS, LogHead } from './log-head';

export { MoveRefused, TargetFailed, type MoveProgress } from './copy';

interface Moving {
  source: AuthenticStore;
  masterKey: Buffer;
  /** The source, for the audit. */
  audited: AuditedLog;
  tell: (progress: MoveProgress) => void;
}

export interface Moved {
  events: number;
  /** How many of the events other programs wrote. They take up revisions, so they are copied unchanged. */
  foreign: number;
  /** End of the copy before it was opened; undefined if there was nothing left to copy. */
  seal: Seal | undefined;
}

/** @returns the log's new place, as in `LogElsewhere`; undefined if the log is written here */
export const placeOf = async (log: AuthenticStore): Promise<string | undefined> => {
  try {
    await log.locate();
    return undefined;
  } catch (error) {
    if (error instanceof LogElsewhere) return error.to;
    throw error;
  }
};

/**
 * @param to the new place, in its recorded form without credentials
 * @throws MoveRefused, TargetFailed
 */
export async function moveLog({
  source,
  masterKey,
  audited,
  target,
  to,
  tell,
}: Moving & { target: LogEngine; to: string }): Promise<Moved> {
  const keys = keysOf(source);
  const place = await placeOf(source);
  if (place === UNFINISHED) throw new MoveRefused('the log to copy is a copy itself that is not finished');
  if (place !== undefined && place !== to)
    throw new MoveRefused(`the log has moved to ${place} already; name that place to finish it`);
  if (await isThere(target, keys, place === to)) return { events: 0, foreign: 0, seal: undefined };
  const { events, foreign } = await checked(source, audited, tell);
  const copy = new Copy(source.log, target, tell, events);
  await copy.copy(await source.log.head());
  const arrived = new AuthenticStore(target, logCodec, await atTarget(LogKeys.open(target, masterKey, true)));
  await copy.compare(arrived);
  if (place === undefined)
    await appendAtEnd(source.log, (revision) =>
      keys.tagged(encoded('LogMoved', { to }), LOG_STREAM, revision),
    );
  if (source.engine === 'eventstoredb') await sleep(SETTLED_MS);
  await copy.copy();
  const seal = await copy.compare(arrived);
  await atTarget(open(target, keysOf(arrived), to, seal));
  return { events, foreign, seal };
}

/**
 * Opens a log again that was closed for a move whose destination is lost.
 * @param to the lost place, in its recorded form
 * @param at the place of this log
 */
export async function reopenLog({
  source,
  audited,
  tell,
  to,
  at,
}: Omit<Moving, 'masterKey'> & { to: string; at: string }) {
  const place = await placeOf(source);
  if (place === undefined) throw new MoveRefused('this log has not moved: there is nothing to open again');
  if (place !== to)
    throw new MoveRefused(
      place === UNFINISHED
        ? 'this log is a copy that is not finished'
        : `this log has moved to ${place}, not there`,
    );
  const { head } = await checked(source, audited, tell);
  await open(source.log, keysOf(source), at, head);
}

/**
 * Opens a log that was restored from a backup. Until then it is an unfinished copy.
 * @param at the place of the log, as recorded
 * @throws MoveRefused, WrongLogKey
 */
export async function openTakenIn(
  target: LogEngine,
  { masterKey, identity, at }: { masterKey: Buffer; identity: LogIdentity; at: string },
): Promise<Seal> {
  const keys = await LogKeys.open(target, masterKey, true);
  if (!keys) throw new MoveRefused('the log had no identity yet at that position');
  if (keys.id !== identity.log || keys.publicKey !== identity.publicKey)
    throw new MoveRefused('the log in the backup is not the one that has signed it');
  let seal = await target.chain?.seal();
  if (!seal) {
    const links = logOf(new AuthenticStore(target, logCodec, keys), undefined).links;
    for await (const { position, hash } of links) seal = { position, hash };
  }
  if (!seal) throw new MoveRefused('the log in the backup is empty');
  await open(target, keys, at, seal);
  return seal;
}

function keysOf({ keys }: AuthenticStore): LogKeys {
  if (!keys) throw new MoveRefused('the log has no identity yet: it gets one when the console starts');
  return keys;
}

/** Whether the log has already arrived at the target and is open. @throws MoveRefused if another log is in use there */
async function isThere(target: LogEngine, keys: LogKeys, isExpected: boolean): Promise<boolean> {
  const newest = await atTarget(target.newest());
  if (!newest || (await atTarget(target.isUnfinished()))) return false;
  const logHead = new LogHead(target, (event) => keys.foreign(event) !== undefined);
  await atTarget(logHead.look());
  if (logHead.moved !== undefined) return false;
  if (isExpected && logHead.arrived !== undefined) return true;
  throw new MoveRefused('there is a log in use, or another one; name an empty place');
}

/**
 * Verifies the source before the copy. `LogArrived` contains a seal, which must not vouch for an altered log.
 */
async function checked(
  { log }: AuthenticStore,
  audited: AuditedLog,
  tell: (progress: MoveProgress) => void,
): Promise<{ events: number; foreign: number; head: Seal }> {
  const [cut] = await log.truncated();
  if (cut)
    throw new MoveRefused(
      `stream ${cut.stream} is not shown whole to its readers: the event log has it as ${cut.limits}; restore it first`,
    );
  async function* told(): AuditedLog['links'] {
    let events = 0;
    for await (const link of audited.links) {
      if (++events % 1_000 === 0) tell({ phase: 'checking', events, total: undefined });
      yield link;
    }
  }
  const { ok, events, head, firstBad, foreign = 0 } = await verify({ ...audited, links: told() });
  if (!ok && foreign === 0) throw new MoveRefused(`the log is not whole: ${firstBad?.problem}`);
  return { events, foreign, head };
}

async function open(log: LogEngine, keys: LogKeys, at: string, seal: Seal): Promise<void> {
  const data = { at, ...seal, log: keys.id, signature: keys.sign(seal) };
  await appendAtEnd(log, (revision) => keys.tagged(encoded('LogArrived', data), LOG_STREAM, revision));
}

/** Appends to the stream about the log. @param make returns the event for that revision */
async function appendAtEnd(log: LogEngine, make: (revision: number) => EncodedEvent): Promise<void> {
  for (;;) {
    const end = (await log.readStream(LOG_STREAM, { from: 0 })).at(-1)?.revision ?? -1;
    try {
      await log.append(LOG_STREAM, [make(end + 1)], end < 0 ? 'no_stream' : end);
      return;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
    }
  }
}

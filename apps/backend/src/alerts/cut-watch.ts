/** Raises an alert while the log hides events of ours, because somebody has deleted or cut their streams. */
import { streamParts } from '@quarterdeck/events';
import { LOG_STREAM } from '@quarterdeck/events/catalogue';
import { v5 as uuidv5 } from 'uuid';
import type { EventStore } from '../platform/tokens';
import { TOLD_OF_INSTALLATION, Watch, type WatchDeps } from './watch';

const NAMESPACE = '2f4f9c1b-5f8e-4d0f-8f44-0a6f2b7f9d35';
const SUBJECT = { kind: 'log', id: streamParts(LOG_STREAM).id, name: 'event log' };
/** Streams that the alert names. */
const MAX_NAMED = 3;

const inWords = (streams: readonly string[]): string => {
  const [first = '', ...others] = streams.slice(0, MAX_NAMED);
  const more = streams.length - others.length - 1;
  const named = [first, ...others, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `Somebody has deleted or cut streams of the event log: ${named}. Their things cannot be changed.`;
};

export class CutWatch extends Watch {
  protected readonly everyMs = 30_000;

  constructor(
    deps: WatchDeps,
    private readonly store: Pick<EventStore, 'truncated'>,
  ) {
    super(deps);
  }

  protected async settle(): Promise<void> {
    const streams = (await this.store.truncated())
      .map(({ stream, limits }) => `${stream} (${limits})`)
      .sort();
    const open = await this.openAlerts(['logCut']);
    const { rows: told } =
      streams.length > 0
        ? await this.deps.db.query<{ workspace: string }>(TOLD_OF_INSTALLATION)
        : { rows: [] };
    const wanted = new Map(
      told.map(({ workspace }) => [uuidv5(`${workspace} ${streams.join()}`, NAMESPACE), workspace]),
    );
    const reason =
      streams.length > 0 ? 'other streams are concerned now' : 'the streams have their events again';
    for (const { id, workspace } of open) if (!wanted.has(id)) await this.resolve(id, reason, workspace);
    // Not reconciled: the same streams may be cut again, which raises the alert again.
    const says = inWords(streams);
    for (const [id, workspace] of wanted)
      await this.raise(id, { subject: SUBJECT, about: 'logCut', says }, workspace);
  }
}

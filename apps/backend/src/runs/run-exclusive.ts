/** One run at a time that changes a thing. Who comes second is told which run is at it and who started it. */
import { Inject, Injectable } from '@nestjs/common';
import { runLabel, streamName, type EventData, type RecordedEvent } from '@quarterdeck/events';
import { Claims } from '../platform/claims';
import { Decisions } from '../platform/decider-handlers';
import { conflict } from '../platform/errors';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { workplaceOf } from './run-kind';
import { runsDecider, type RunRequest } from './runs.decider';

const SCOPE = 'changing run';

@Injectable()
export class ExclusiveRuns {
  private readonly claims: Claims;

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(Decisions) private readonly decisions: Decisions,
  ) {
    this.claims = new Claims(db);
  }

  /** @throws DomainError `conflict` */
  async claim(run: string, request: RunRequest, workspace: string): Promise<void> {
    const key = keyOf(workspace, request);
    // An old claim of a run that was never requested is one that a crash left behind.
    const holds = async (other: string): Promise<boolean> =>
      (await this.stateOf(other, workspace)) === 'open';
    if (await this.claims.claim(SCOPE, key, run, holds)) return;
    const holder = await this.claims.holderOf(SCOPE, key);
    // Gone between the two looks, or left behind by a run that has its end: one more try.
    if (holder === undefined || (await this.stateOf(holder, workspace)) === 'ended') {
      if (holder !== undefined) await this.claims.release(SCOPE, key, holder);
      if (await this.claims.claim(SCOPE, key, run, holds)) return;
    }
    throw await this.refusal(holder, workplaceOf(request).name);
  }

  async release(run: string, request: RunRequest, workspace: string): Promise<void> {
    await this.claims.release(SCOPE, keyOf(workspace, request), run);
  }

  private async stateOf(run: string, workspace: string) {
    return (await this.decisions.load(runsDecider, run, workspace)).state.is;
  }

  private async refusal(holder: string | undefined, subject: string): Promise<Error> {
    const [requested] = holder
      ? ((await this.store.readStream(streamName('run', holder), { limit: 1 })) as RecordedEvent<
          'RunRequested',
          EventData<'RunRequested'>
        >[])
      : [];
    if (!requested) return conflict(`another run that changes ${subject} is beginning`, undefined);
    const { kind, input } = requested.data;
    const { actor, at } = requested.meta;
    const label = runLabel(kind, input);
    const { rows } = await this.db.query<{ name: string }>(
      'select shown_as as name from app.person_records where id::text = $1',
      [actor],
    );
    const current = { runId: holder, kind, label, requestedBy: actor, requestedAt: at };
    return conflict(
      `${label} is under way on ${subject}, started by ${rows[0]?.name ?? actor}: wait for its end, or cancel it`,
      current,
    );
  }
}

const keyOf = (workspace: string, request: RunRequest): string => {
  const { kind, id } = workplaceOf(request);
  return `${workspace} ${kind}-${id}`;
};

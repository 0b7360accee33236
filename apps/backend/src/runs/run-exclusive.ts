/**
 * Allows one changing run at a time on a thing: on the server where it works and on its subject. A second caller gets
 * the name of the active run and of the person who started it. Changes without a run are made between two runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { runLabel, streamName, type EventData, type RecordedEvent } from '@quarterdeck/events';
import { v7 as uuidv7 } from 'uuid';
import { Claims, Decisions } from '../platform/decisions';
import { conflict, DomainError } from '../platform/errors';
import { Leases } from '../platform/leases';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { workplaceOf } from './run-kind';
import { runsDecider, type RunRequest } from './runs.decider';

const SCOPE = 'changing run';
/**
 * A holder that is starting a run, or changes something without a run, finishes within this time. A claim left by a
 * crash stays.
 */
const PATIENCE_MS = 5000;
const LOOK_AGAIN_MS = 25;

type Thing = RunRequest['subject'];

interface Holder {
  msg: string;
  /** The active run, if there is one. */
  current?: object;
}

/** A run is active on the thing to be changed. This is not a stale edit: nothing has to be reviewed again. */
export class UnderWay extends DomainError {
  constructor(msg: string) {
    super('conflict', msg);
  }
}

@Injectable()
export class ExclusiveRuns {
  private readonly claims: Claims;

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly decisions: Decisions,
    private readonly leases: Leases,
  ) {
    this.claims = new Claims(db);
  }

  /** @throws DomainError `conflict` */
  async claim(run: string, request: RunRequest, workspace: string): Promise<void> {
    const other = await this.takeAll(run, request, workspace);
    if (other) throw conflict(other.msg, other.current);
  }

  /** @returns whether the run may change its things now */
  async tryClaim(run: string, request: RunRequest, workspace: string): Promise<boolean> {
    return (await this.takeAll(run, request, workspace)) === undefined;
  }

  async release(run: string, request: RunRequest, workspace: string): Promise<void> {
    for (const thing of thingsOf(request)) await this.claims.release(SCOPE, keyOf(workspace, thing), run);
  }

  /**
   * Performs `work` without a run while no run changes the thing, and keeps new changing runs from starting.
   * @throws UnderWay if a run, or another change without a run, is active
   */
  async whileFree<T>(thing: Thing, workspace: string, work: () => Promise<T>): Promise<T> {
    const holder = uuidv7();
    const other = await this.take(holder, thing, workspace);
    if (other) throw new UnderWay(other.msg);
    const release = () => this.claims.release(SCOPE, keyOf(workspace, thing), holder);
    try {
      const done = await work();
      await release();
      return done;
    } catch (error) {
      // After any other error it is unknown whether something is still being written. The claim then expires by itself.
      if (error instanceof DomainError) await release();
      throw error;
    }
  }

  /** Claims all things or none. @returns the holder of one that is already claimed */
  private async takeAll(run: string, request: RunRequest, workspace: string): Promise<Holder | undefined> {
    for (const thing of thingsOf(request)) {
      const other = await this.take(run, thing, workspace);
      if (!other) continue;
      await this.release(run, request, workspace);
      return other;
    }
    return undefined;
  }

  /** @returns the current holder, unless the claim succeeds */
  private async take(holder: string, thing: Thing, workspace: string): Promise<Holder | undefined> {
    const key = keyOf(workspace, thing);
    // An old claim of a run that was never requested was left behind by a crash.
    const holds = async (other: string): Promise<boolean> =>
      (await this.stateOf(other, workspace)) === 'open';
    for (const began = performance.now(); ; await sleep(LOOK_AGAIN_MS)) {
      if (await this.claims.claim(SCOPE, key, holder, holds)) return undefined;
      const other = await this.claims.holderOf(SCOPE, key);
      const state = other === undefined ? 'gone' : await this.stateOf(other, workspace);
      // The claim was left behind by an ended run, and no process holds that run's lease to release the claim or to
      // retry the run.
      if (other !== undefined && state === 'ended' && !(await this.leases.isHeld(streamName('run', other))))
        await this.claims.release(SCOPE, key, other);
      else if (state === 'open' || performance.now() - began > PATIENCE_MS)
        return this.told(other, thing.name);
    }
  }

  private async stateOf(run: string, workspace: string) {
    return (await this.decisions.load(runsDecider, run, workspace)).state.is;
  }

  private async told(holder: string | undefined, subject: string): Promise<Holder> {
    const [requested] = holder
      ? ((await this.store.readStream(streamName('run', holder), { limit: 1 })) as RecordedEvent<
          'RunRequested',
          EventData<'RunRequested'>
        >[])
      : [];
    if (!requested) return { msg: `another change of ${subject} is beginning, please try again` };
    const { kind, input } = requested.data;
    const { actor, at } = requested.meta;
    const label = runLabel(kind, input);
    const { rows } = await this.db.query<{ name: string }>(
      'select shown_as as name from app.person_records where id::text = $1',
      [actor],
    );
    return {
      msg: `${label} is under way on ${subject}, started by ${rows[0]?.name ?? actor}: wait for it to end, or cancel it`,
      current: { runId: holder, kind, label, requestedBy: actor, requestedAt: at },
    };
  }
}

const keyOf = (workspace: string, { kind, id }: Thing): string => `${workspace} ${kind}-${id}`;

/** The run's server and its subject: a domain must not be removed while a run on its server changes it. */
const thingsOf = (request: RunRequest): readonly Thing[] => {
  const workplace = workplaceOf(request);
  return workplace === request.subject ? [workplace] : [workplace, request.subject];
};

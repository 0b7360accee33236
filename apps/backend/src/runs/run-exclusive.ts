/**
 * Allows one changing run at a time on a thing: on the server where it works and on its subject. A second caller gets
 * the name of the active run and of the person who started it. Changes without a run are made between two runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { runLabel, streamName, type EventData, type RecordedEvent } from '@quarterdeck/events';
import type { ServerView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { Claims, Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { Leases } from '../platform/leases';
import { inView } from '../platform/in-view';
import { ifRecorded } from '../platform/as-of';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { thingsOf, workplaceOf } from './run-kind';
import { runsDecider, type RunRequest } from './runs.decider';

/** Scope of the claims. */
export const CHANGING = 'changing run';
/**
 * A holder that is starting a run, or changes something without a run, finishes within this time. A claim left by a
 * crash stays.
 */
const PATIENCE_MS = 5000;
const LOOK_AGAIN_MS = 25;

type Thing = RunRequest['subject'];

/** The kind of a thing that is a machine: the host key identifies it. */
const MACHINE = 'machine';
const server = inView<ServerView>('view');

export interface Holder {
  /** `Docker prune is under way on web-1, started by Ada Marsh` */
  says: string;
  /** What to do, for a person whose run is refused. */
  msg: string;
  /** The active run, if there is one. */
  current?: { runId: string; kind: string; label: string; requestedBy: string; requestedAt: string };
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

  /** @returns what holds one of the things; undefined if the run may change all of them now */
  tryClaim(
    run: string,
    request: RunRequest,
    workspace: string,
    patienceMs = PATIENCE_MS,
  ): Promise<Holder | undefined> {
    return this.takeAll(run, request, workspace, patienceMs);
  }

  /** What holds one of the things now. */
  async holder(request: RunRequest, workspace: string): Promise<Holder | undefined> {
    for (const thing of await this.thingsOf(request, workspace)) {
      const holder = await this.claims.holderOf(CHANGING, keyOf(workspace, thing));
      if (holder !== undefined) return this.told(holder, thing);
    }
    return undefined;
  }

  async release(run: string, request: RunRequest, workspace: string): Promise<void> {
    for (const thing of await this.thingsOf(request, workspace))
      await this.claims.release(CHANGING, keyOf(workspace, thing), run);
  }

  /**
   * Performs `work` without a run while no run changes the thing, and keeps new changing runs from starting.
   * @throws UnderWay if a run, or another change without a run, is active
   */
  async withLock<T>(thing: Thing, workspace: string, work: () => Promise<T>): Promise<T> {
    const repeated = await ifRecorded(work);
    if (repeated) return repeated.done;
    const holder = uuidv7();
    const other = await this.take(holder, thing, workspace);
    if (other) throw new UnderWay(other.msg);
    const release = () => this.claims.release(CHANGING, keyOf(workspace, thing), holder);
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
  private async takeAll(
    run: string,
    request: RunRequest,
    workspace: string,
    patienceMs: number,
  ): Promise<Holder | undefined> {
    for (const thing of await this.thingsOf(request, workspace)) {
      const other = await this.take(run, thing, workspace, patienceMs);
      if (!other) continue;
      await this.release(run, request, workspace);
      return other;
    }
    return undefined;
  }

  /** @returns the current holder, unless the claim succeeds */
  private async take(
    holder: string,
    thing: Thing,
    workspace: string,
    patienceMs = PATIENCE_MS,
  ): Promise<Holder | undefined> {
    const key = keyOf(workspace, thing);
    // An old claim of a run that was never requested was left behind by a crash.
    const holds = async (other: string): Promise<boolean> =>
      (await this.stateOf(other, workspace)) === 'open';
    for (const began = performance.now(); ; await sleep(LOOK_AGAIN_MS)) {
      if (await this.claims.claim(CHANGING, key, holder, holds)) return undefined;
      const other = await this.claims.holderOf(CHANGING, key);
      const state = other === undefined ? 'gone' : await this.stateOf(other, workspace);
      // The claim was left behind by an ended run, and no process holds that run's lease to release the claim or to
      // retry the run.
      if (other !== undefined && state === 'ended' && !(await this.leases.isHeld(streamName('run', other))))
        await this.claims.release(CHANGING, key, other);
      else if (state === 'open' || performance.now() - began >= patienceMs) return this.told(other, thing);
    }
  }

  /** What a run claims. Two records of one machine show the same host key, so their runs exclude each other. */
  private async thingsOf(request: RunRequest, workspace: string): Promise<readonly Thing[]> {
    const things = thingsOf(request);
    const { kind, id, name } = workplaceOf(request);
    if (kind !== 'server') return things;
    const { rows } = await this.db.query<{ hostKey: string | null }>({
      name: 'host-key-of-workplace',
      text: `select ${server.text('hostKey', 'fingerprint')} as "hostKey" from read.servers where workspace = $1 and id = $2`,
      values: [workspace, id],
    });
    const hostKey = rows[0]?.hostKey;
    return hostKey ? [...things, { kind: MACHINE, id: hostKey, name }] : things;
  }

  private async stateOf(run: string, workspace: string) {
    return (await this.decisions.load(runsDecider, run, workspace)).state.is;
  }

  /** @param holder a run that holds the thing or is the first in line for it, or a change without a run */
  async told(holder: string | undefined, thing: Thing): Promise<Holder> {
    const [requested] = holder
      ? ((await this.store.readStream(streamName('run', holder), { limit: 1 })) as RecordedEvent<
          'RunRequested',
          EventData<'RunRequested'>
        >[])
      : [];
    if (!holder || !requested) {
      const says = `another change of ${thing.name} is beginning`;
      return { says, msg: `${says}, please try again` };
    }
    const { kind, input } = requested.data;
    const { name } = workplaceOf(requested.data);
    const isTwin = thing.kind === MACHINE && name !== thing.name;
    const subject = isTwin ? `${name}, the same machine as ${thing.name}` : thing.name;
    const { actor, at } = requested.meta;
    const label = runLabel(kind, input);
    const { rows } = await this.db.query<{ name: string }>(
      'select shown_as as name from app.person_records where id::text = $1',
      [actor],
    );
    const says = `${label} is under way on ${subject}, started by ${rows[0]?.name ?? actor}`;
    return {
      says,
      msg: `${says}: wait for it to end, or cancel it`,
      current: { runId: holder, kind, label, requestedBy: actor, requestedAt: at },
    };
  }
}

const keyOf = (workspace: string, { kind, id }: Thing): string => `${workspace} ${kind}-${id}`;

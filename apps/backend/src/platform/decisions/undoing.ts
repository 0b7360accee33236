/**
 * Undo. Each feature registers, for its own events, which commands would undo them. Their deciders determine the
 * result, and the folds of the read models show it.
 */
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  undoableTypes,
  type AppEvent,
  type LoggedEvent,
  type Position,
  type UndoableType,
} from '@quarterdeck/events';
import { differences, type UndoNeed } from '@quarterdeck/projections';
import { foldEvents, type Decider, type DomainCommand } from '../decider';
import { sameData } from '../same-data';
import { DomainError } from '../errors';
import type { CommandMeta } from '../sessions';
import type { Decisions } from './decider-handlers';

/** The events of one request about one thing, and the earlier events of that thing. */
export interface Undone {
  /** Id of the thing. */
  id: string;
  /** Meta of the undo request. */
  meta: CommandMeta;
  /** Oldest first. */
  before: readonly LoggedEvent[];
  /** The events that the request emitted together; they are undone as a unit. */
  events: readonly LoggedEvent[];
  /** Ids of other things with an event of this type from the same request. */
  alsoDone(type: UndoableType): Promise<readonly string[]>;
}

/** Inputs to supply again because the originals were destroyed. */
export interface UndoGiven {
  privateKey?: string | undefined;
  passphrase?: string | undefined;
  secret?: string | undefined;
}

/** One thing that would change. */
export interface UndoWork {
  subject: { category: string; id: string; name: string };
  /** The events that would be recorded. */
  would: readonly AppEvent[];
  /** Why this cannot be undone. It is skipped, and the rest is undone. */
  refused?: string;
  /** Records the events. Files on servers stay as they are. @returns the position in the log */
  carryOut(given: UndoGiven, meta: CommandMeta): Promise<{ position: Position }>;
}

export interface UndoPlan {
  /** The first one is done before all others. */
  works: readonly UndoWork[];
  needs?: readonly UndoNeed[];
  /** What the undo does not do, as sentences for the operator. */
  notes?: readonly string[];
}

/** @throws DomainError with the reason if it cannot be undone, for example because of later changes */
export type PlanUndo = (undone: Undone) => Promise<UndoPlan>;

@Injectable()
export class Undoing implements OnApplicationBootstrap {
  private readonly plans = new Map<UndoableType, PlanUndo>();

  /** @param types that one request may emit together; they are undone as a unit */
  use(types: readonly UndoableType[], plan: PlanUndo): void {
    for (const type of types) this.plans.set(type, plan);
  }

  /** @throws if no feature undoes an event that a noun declares undoable; the process then does not start */
  onApplicationBootstrap(): void {
    const forgotten = undoableTypes.filter((type) => !this.plans.has(type));
    if (forgotten.length > 0) throw new Error(`no feature says how to undo ${forgotten.join(', ')}`);
  }

  planFor(type: UndoableType): PlanUndo {
    const plan = this.plans.get(type);
    if (!plan) throw new Error(`no feature says how to undo ${type}`);
    return plan;
  }
}

const changedAgain = (field: string, made: unknown, now: unknown): DomainError => {
  const [first] = differences({ [field]: made }, { [field]: now });
  const isNow = first?.after === undefined ? '' : `: it is ${first.after} now`;
  return new DomainError('conflict', `${first?.field ?? field} was changed again since${isNow}`);
};

/**
 * The present fields with the changed ones set back. Other later changes stay.
 *
 * @param was state before the change
 * @param made state right after it
 * @throws DomainError `conflict` if the changed fields were changed again since, or are set back already
 */
export const fieldsBack = <T extends object>(was: T, made: T, now: T): T => {
  const fields = [...new Set([...Object.keys(was), ...Object.keys(made)])] as (keyof T & string)[];
  const changed = fields.filter((field) => !sameData(was[field], made[field]));
  if (changed.every((field) => sameData(now[field], was[field])))
    throw new DomainError('conflict', 'it is already as it was before');
  const other = changed.find((field) => !sameData(now[field], made[field]));
  if (other !== undefined) throw changedAgain(other, made[other], now[other]);
  const back = { ...now, ...Object.fromEntries(changed.map((field) => [field, was[field]])) };
  return Object.fromEntries(Object.entries(back).filter(([, value]) => value !== undefined)) as T;
};

/** What a change would be set back to. */
export interface SetBack<S, V> {
  now: S;
  /** Of the stream, as `now` was read. */
  revision: number;
  /** The present values with the changed ones set back. */
  back: V;
}

/**
 * @param of the part of a state that the undone events changed
 * @throws DomainError as `fieldsBack` does
 */
export const setBack = async <S, C extends DomainCommand, E extends AppEvent, V extends object>(
  decisions: Decisions,
  decider: Decider<S, C, E>,
  { id, meta, before, events }: Undone,
  of: (state: S) => V,
): Promise<SetBack<S, V>> => {
  const { state: now, revision } = await decisions.load(decider, id, meta.workspace);
  const present = of(now);
  const valuesAfter = (past: readonly LoggedEvent[]): V =>
    of(foldEvents(decider, past as unknown as readonly E[]));
  return {
    now,
    revision,
    back: fieldsBack(valuesAfter(before), valuesAfter([...before, ...events]), present),
  };
};

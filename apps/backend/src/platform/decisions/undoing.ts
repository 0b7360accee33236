/**
 * Putting back what turned out to have been a mistake. Each feature says, for its own events, which commands would undo
 * them; what they would do is what their deciders decide, shown by the folds that make the read models.
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
import { dequal } from 'dequal/lite';
import { DomainError } from '../errors';
import type { CommandMeta } from '../sessions';

/** What one request did to one thing, and what had happened to that before. */
export interface Undone {
  /** Of the thing. */
  id: string;
  /** Of who asks. */
  meta: CommandMeta;
  /** Oldest first. */
  before: readonly LoggedEvent[];
  /** Only those that one plan undoes together. */
  events: readonly LoggedEvent[];
  /** Ids of the things to which the same request did this. */
  alsoDone(type: UndoableType): Promise<readonly string[]>;
}

/** What is asked again, since it was destroyed. */
export interface UndoGiven {
  privateKey?: string | undefined;
  passphrase?: string | undefined;
  secret?: string | undefined;
}

/** One thing that would change. */
export interface UndoWork {
  subject: { category: string; id: string; name: string };
  /** What would be recorded of it. */
  would: readonly AppEvent[];
  /** Why it stays as it is, although others are put back. */
  refused?: string;
  /** Records it, and nothing else: what lies on servers stays as it is. @returns where it stands in the log */
  carryOut(given: UndoGiven, meta: CommandMeta): Promise<{ position: Position }>;
}

export interface UndoPlan {
  /** The first one comes before all others. */
  works: readonly UndoWork[];
  needs?: readonly UndoNeed[];
  /** What it does not do: sentences for who decides. */
  notes?: readonly string[];
}

/** @throws DomainError saying why it cannot be undone: the present is another by now */
export type PlanUndo = (undone: Undone) => Promise<UndoPlan>;

@Injectable()
export class Undoing implements OnApplicationBootstrap {
  private readonly plans = new Map<UndoableType, PlanUndo>();

  /** @param types of which one request may have done several, which are undone together */
  use(types: readonly UndoableType[], plan: PlanUndo): void {
    for (const type of types) this.plans.set(type, plan);
  }

  /** @throws for an event that a noun calls undoable and no feature undoes: the process then does not start */
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
 * The present with what was changed as it was before; whatever else was changed since stays.
 *
 * @param was before the change
 * @param made right after it
 * @throws DomainError `conflict` where the present is not what the change made, or is as it was already
 */
export const fieldsBack = <T extends object>(was: T, made: T, now: T): T => {
  const fields = [...new Set([...Object.keys(was), ...Object.keys(made)])] as (keyof T & string)[];
  const changed = fields.filter((field) => !dequal(was[field], made[field]));
  if (changed.every((field) => dequal(now[field], was[field])))
    throw new DomainError('conflict', 'it is as it was before already');
  const other = changed.find((field) => !dequal(now[field], made[field]));
  if (other !== undefined) throw changedAgain(other, made[other], now[other]);
  const back = { ...now, ...Object.fromEntries(changed.map((field) => [field, was[field]])) };
  return Object.fromEntries(Object.entries(back).filter(([, value]) => value !== undefined)) as T;
};

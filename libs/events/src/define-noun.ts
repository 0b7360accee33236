/**
 * What a noun says about itself, once, beside its events. Placement, history words, subjects, live cache, undo, command
 * palette and the tests' lists are derived from it. Free of schemas, since the browser loads it first.
 */
import type { z } from 'zod';
import type { EventDefinition } from './define-event';
import type { Role } from './people.events';

export type Definitions = Record<string, EventDefinition>;
type DataOf<D> = D extends EventDefinition<infer S> ? z.infer<S> : never;

/** An event in words, without actor and subject: "registered as web-1". */
export type Says<D> = (data: D) => string;

/** An event that differs from its noun in who is told of it, or in what it makes stale. */
interface Differing<D> {
  says: Says<D>;
  audience?: Role;
  stale?: readonly string[];
}

export interface NounOf<E extends Definitions> {
  /** The first half of the names of its streams. */
  category: string;
  /** As the history's filter calls all of them, and one. Absent: nothing in a workspace to filter for. */
  words?: { many: string; one: string };
  /** The read model with one row for each of its streams. */
  rows?: string;
  /** The read models that its events make stale. Default: `rows`. */
  stale?: readonly string[];
  /** The least role that is told of its events. */
  audience: Role;
  /** The field that names it: each of its events that has the field gives it this name. Or how an event names it. */
  named?: string | { [T in keyof E]?: (data: DataOf<E[T]>) => string };
  events: { [T in keyof E]: Says<DataOf<E[T]>> | Differing<DataOf<E[T]>> };
  removedBy?: keyof E;
  restoredBy?: keyof E;
  /** What can be undone when it turns out to have been a mistake. */
  undo?: readonly (keyof E)[];
}

/** `export const script = defineNoun<typeof scriptEvents>()({ … })`: an event without words does not compile. */
export const defineNoun =
  <E extends Definitions>() =>
  <const N extends NounOf<E>>(noun: N): N =>
    noun;

/** A noun without its specific types, for code that handles all nouns alike. */
export interface AnyNoun {
  readonly category: string;
  readonly words?: { readonly many: string; readonly one: string };
  readonly rows?: string;
  readonly stale?: readonly string[];
  readonly audience: Role;
  readonly named?: string | Readonly<Record<string, ((data: never) => string) | undefined>>;
  readonly events: Readonly<Record<string, Says<never> | Differing<never>>>;
  readonly removedBy?: string;
  readonly restoredBy?: string;
  readonly undo?: readonly string[];
}

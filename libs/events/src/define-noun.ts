/**
 * The declaration of a noun, beside its events. Placement, history words, subjects, live cache, undo, command palette
 * and lists in tests are derived from it. It contains no schemas, because the browser loads it with its lists.
 */
import type { z } from 'zod';
import type { EventDefinition } from '@quarterdeck/log';
import type { Role } from './people.events';

export type Definitions = Record<string, EventDefinition>;
type DataOf<D> = D extends EventDefinition<infer S> ? z.infer<S> : never;

/** An event in words, without actor and subject: "registered as web-1". */
export type Says<D> = (data: D) => string;

/** An event whose audience or stale read models differ from those of its noun. */
interface Differing<D> {
  says: Says<D>;
  audience?: Role;
  stale?: readonly string[];
}

export interface NounOf<E extends Definitions> {
  /** Stream names begin with it: `server-0190…`. */
  category: string;
  /** Plural and singular in the history's filter. Absent if a workspace has no such records to filter by. */
  words?: { many: string; one: string };
  /** The read model with one row for each of its streams. */
  rows?: string;
  /** Category of the parent. The event that adds a record has the parent, or its id, in a field of this name. */
  within?: string;
  /** Has the new parent in a field of that name. */
  movedBy?: keyof E;
  /** Its streams have the id of the parent: each parent has at most one. */
  sharesId?: true;
  /** The read models that its events make stale. Default: `rows`. */
  stale?: readonly string[];
  /** The minimum role that receives its events. */
  audience: Role;
  /** The event field that contains its name, or for some event types a function that returns the name. */
  named?: string | { [T in keyof E]?: (data: DataOf<E[T]>) => string };
  events: { [T in keyof E]: Says<DataOf<E[T]>> | Differing<DataOf<E[T]>> };
  removedBy?: keyof E;
  restoredBy?: keyof E;
  /** Event types that can be undone. */
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
  readonly within?: string;
  readonly movedBy?: string;
  readonly sharesId?: true;
  readonly stale?: readonly string[];
  readonly audience: Role;
  readonly named?: string | Readonly<Record<string, ((data: never) => string) | undefined>>;
  readonly events: Readonly<Record<string, Says<never> | Differing<never>>>;
  readonly removedBy?: string;
  readonly restoredBy?: string;
  readonly undo?: readonly string[];
}

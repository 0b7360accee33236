/**
 * SQL for the fields of a view. A path that the view does not have is a compile error, so no query can silently find
 * nothing after a view has changed.
 */
import type { EventData, EventType } from '@quarterdeck/events';
import type { HistoryView } from '@quarterdeck/projections';

/** The only key of a list is its last entry. */
type Key<V> = V extends readonly unknown[] ? '-1' : V extends object ? keyof V & string : never;
type At<V, K> = V extends readonly (infer One)[] ? One : K extends keyof V ? NonNullable<V[K]> : never;

/** A row of the history about an event of this type. */
export type HistoryOf<T extends EventType> = Omit<HistoryView, 'data'> & { data: EventData<T> };

/** @param view the column in the query: `r.view` */
export const inView = <V extends object>(view: string) => {
  const path = <A extends Key<V>, B extends Key<At<V, A>>, C extends Key<At<At<V, A>, B>>>(
    ...keys: [A, B?, C?]
  ) => `'{${keys.join(',')}}'`;
  return {
    path,
    text: <A extends Key<V>, B extends Key<At<V, A>>, C extends Key<At<At<V, A>, B>>>(...keys: [A, B?, C?]) =>
      `(${view} #>> ${path(...keys)})`,
    json: <A extends Key<V>, B extends Key<At<V, A>>, C extends Key<At<At<V, A>, B>>>(...keys: [A, B?, C?]) =>
      `(${view} #> ${path(...keys)})`,
    /** For `view - keys`. */
    keys: (...names: Key<V>[]) => `'{${names.join(',')}}'::text[]`,
  };
};

import type { z } from 'zod';

/** Brings data of one version up to the next. Pure, JSON to JSON. */
export type Upcast = (data: unknown) => unknown;

export interface EventDefinition<S extends z.ZodType = z.ZodType> {
  schema: S;
  /** The version that is written today. */
  version: number;
  /** `upcasts[0]` takes version 1 to version 2, and so on; as many as `version - 1`. */
  upcasts: readonly Upcast[];
}

/** One event type: the schema of its newest version, and how older ones become it. */
export const defineEvent = <S extends z.ZodType>(schema: S, ...upcasts: Upcast[]): EventDefinition<S> => ({
  schema,
  version: upcasts.length + 1,
  upcasts,
});

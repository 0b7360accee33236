import type { z } from 'zod';

/** Upgrades data from one version to the next. Pure, JSON to JSON. */
export type Upcast = (data: unknown) => unknown;

export interface EventDefinition<S extends z.ZodType = z.ZodType> {
  schema: S;
  /** The version of new events. */
  version: number;
  /** `upcasts[0]` upgrades version 1 to version 2, and so on. There are `version - 1` of them. */
  upcasts: readonly Upcast[];
}

/** One event type: the schema of its newest version, and the upcasts from older versions. */
export const defineEvent = <S extends z.ZodType>(schema: S, ...upcasts: Upcast[]): EventDefinition<S> => ({
  schema,
  version: upcasts.length + 1,
  upcasts,
});

/** A row of a read model's table: one view, and the event that changed it last. */
import type { Position } from '@quarterdeck/events';

export interface Row {
  workspace: string;
  /** Position of the last event that changed the row. */
  position: Position;
  view: object;
}

/** A row as it is sent to Postgres. Postgres copies the lifted columns from `view`. */
export interface StoredRow extends Row {
  id: string;
}

/** A row as known without asking Postgres: the row, null if it does not exist, undefined if unknown. */
export type KnownRow = Row | null | undefined;

const ownWorkspace = (view: object): string | undefined => {
  const { workspace } = view as { workspace?: unknown };
  return typeof workspace === 'string' ? workspace : undefined;
};

/** The row after an event. If the fold returns the same view, nothing has changed. */
export const nextRow = (
  before: Row | null,
  view: object | undefined,
  event: { position: Position; meta: { workspace: string } },
): Row | null => {
  if (view === undefined) return null;
  if (before !== null && view === before.view) return before;
  const workspace = ownWorkspace(view) ?? before?.workspace ?? event.meta.workspace;
  return { workspace, position: event.position, view };
};

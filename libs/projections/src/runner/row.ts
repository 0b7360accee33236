/** What a read model's table holds: one view, and which event changed it last. */
import type { Position } from '@quarterdeck/events';

export interface Row {
  workspace: string;
  /** Of the last event that changed the row. */
  position: Position;
  view: object;
}

/** A row as it travels to Postgres; the lifted columns are taken from `view` there. */
export interface StoredRow extends Row {
  id: string;
}

/** What is known of a row without asking Postgres: the row, that there is none (null), or nothing (undefined). */
export type Known = Row | null | undefined;

const ownWorkspace = (view: object): string | undefined => {
  const { workspace } = view as { workspace?: unknown };
  return typeof workspace === 'string' ? workspace : undefined;
};

/** The row that an event makes of the row before it. The same view returned means: nothing changed. */
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

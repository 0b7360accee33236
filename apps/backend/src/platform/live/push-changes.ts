/**
 * Which events are pushed to whom. Pure: a window over the newest events, for live pushes and for clients that
 * reconnect.
 */
import {
  comparePositions,
  placement,
  type Position,
  type RecordedEvent,
  type Role,
} from '@quarterdeck/events';
import { mayActAs } from '../sessions';

/** An event as the console gets it: type, subject, position. The console derives what it makes stale. */
export interface Change {
  type: string;
  stream: string;
  position: Position;
}

export interface Changes {
  events: Change[];
  /** The client has everything that it may see up to this position. */
  position: Position;
}

interface Entry extends Change {
  workspace: string;
  audience: Role;
}

/** An event type of a newer build is shown to admins. */
export const audienceOf = (type: string): Role =>
  Object.hasOwn(placement, type) ? placement[type as keyof typeof placement].audience : 'admin';

/** Leaves out foreign events: nobody receives them. */
export const toEntries = (events: readonly RecordedEvent[]): Entry[] =>
  events
    .filter(({ foreign }) => foreign === undefined)
    .map(({ type, stream, position, meta }) => ({
      type,
      stream,
      position,
      workspace: meta.workspace,
      audience: audienceOf(type),
    }));

export const visibleTo = (entries: readonly Entry[], workspace: string, role: Role): Change[] =>
  entries
    .filter((entry) => entry.workspace === workspace && mayActAs(role, entry.audience))
    .map(({ type, stream, position }) => ({ type, stream, position }));

/** The newest events of the log, as far as the read models show them. */
export class RecentEvents {
  private entries: Entry[] = [];

  /** @param start everything up to here was dropped or never seen */
  constructor(
    private start: Position,
    private readonly size = 4096,
  ) {}

  get since(): Position {
    return this.start;
  }

  add(events: readonly RecordedEvent[]): Entry[] {
    const added = toEntries(events);
    this.entries.push(...added);
    // Not at every event, because dropping entries shifts all others.
    if (this.entries.length > 2 * this.size) {
      const dropped = this.entries.splice(0, this.entries.length - this.size);
      this.start = dropped.at(-1)?.position ?? this.start;
    }
    return added;
  }

  /** Changes after a position; `undefined` if the window does not reach back that far. */
  after(position: Position, workspace: string, role: Role): Change[] | undefined {
    if (comparePositions(position, this.start) < 0) return undefined;
    const from = this.entries.findIndex((entry) => comparePositions(entry.position, position) > 0);
    return from < 0 ? [] : visibleTo(this.entries.slice(from), workspace, role);
  }
}

/** The messages of one flush, for each workspace and role with listeners. */
export const messagesOf = (
  entries: readonly Entry[],
  position: Position,
  listening: (workspace: string, role: Role) => boolean,
): { workspace: string; role: Role; changes: Changes }[] => {
  const messages: { workspace: string; role: Role; changes: Changes }[] = [];
  for (const workspace of new Set(entries.map((entry) => entry.workspace)))
    for (const role of ['member', 'admin', 'superadmin'] as const) {
      if (!listening(workspace, role)) continue;
      const events = visibleTo(entries, workspace, role);
      if (events.length > 0) messages.push({ workspace, role, changes: { events, position } });
    }
  return messages;
};

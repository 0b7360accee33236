/** Finds the position in the log for an instant, for one workspace. */
import { comparePositions, START, type Position } from '@quarterdeck/events';
import { instant as instantInput, position as positionInput } from '@quarterdeck/events/inputs';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { same, timeOf, type HistoryView } from '@quarterdeck/projections';
import { DomainError, invalidField } from '../errors';
import { inView } from '../in-view';
import { askedInstant, type Instant } from './as-of';

interface LogPosition {
  position: Position;
  recordedAt: string;
}

const isAfter = (one: Instant, other: Instant): boolean =>
  comparePositions(one.position, other.position) > 0 ||
  (one.position === other.position && Date.parse(one.at) > Date.parse(other.at));

const REMEMBERED = 2000;

/** The last event of the workspace up to then: `$2` is a position. */
const BY_POSITION = `
  select h.position, ${inView<HistoryView>('h.view').text('recordedAt')} as "recordedAt" from read.history h
  where ${same('h.workspace', '$1')} and h.position <= $2 order by h.position desc limit 1`;

const LAST_POSITION = '9223372036854775807';

/** Tolerance, because clocks of operators and servers always differ a little. */
const AHEAD_MS = 60_000;
const RETRY_AFTER_S = 2;

export class Instants {
  /** Found positions can be cached, since the past does not change. */
  private readonly known = new LRUCache<string, Instant>({ max: REMEMBERED });

  /** @param projected position of the read models, over all workspaces */
  constructor(
    private readonly db: Pool,
    private readonly projected: () => Position,
  ) {}

  /**
   * @param at an ISO instant, or a position of the history, which means right after that event
   * @param field name of the input in error messages
   * @throws DomainError `invalid` if it is neither, in the future, or before the workspace; `unavailable` while the
   * read models are built for the first time, or after the log has moved
   */
  async resolve(at: string, workspace: string, field = 'at'): Promise<Instant> {
    this.refuseUnbuilt();
    const key = `${workspace} ${at}`;
    const known = this.known.get(key);
    if (known) return known;
    const newest = await this.by(LAST_POSITION, workspace);
    const found = positionInput.safeParse(at).success
      ? await this.atPosition(at, workspace, field)
      : await this.atTime(at, workspace, newest, field);
    // Cached only if a later event exists: until then more events may belong to the instant.
    if (newest && comparePositions(found.position, newest.position) < 0) this.known.set(key, found);
    return found;
  }

  /** Right after the last event in the read models. */
  async newest(workspace: string): Promise<Instant> {
    this.refuseUnbuilt();
    const place = await this.by(LAST_POSITION, workspace);
    if (!place) throw await this.tooEarly(workspace, 'at');
    return { workspace, position: place.position, at: place.recordedAt };
  }

  /**
   * Two instants to compare. The later one defaults to now, or to the instant that the call asks about.
   * @throws DomainError `invalid` that names `from` or `to`
   */
  async ends(
    asked: { from: string; to?: string | undefined },
    workspace: string,
  ): Promise<[from: Instant, to: Instant]> {
    const now = askedInstant.getStore() ?? (await this.newest(workspace));
    const from = await this.resolve(asked.from, workspace, 'from');
    if (asked.to === undefined) {
      // Compared by position: any time after the last event counts as now.
      if (comparePositions(from.position, now.position) > 0)
        throw invalidField('from', 'this is later than the instant being viewed');
      return [from, now];
    }
    const to = await this.resolve(asked.to, workspace, 'to');
    if (isAfter(from, to)) throw invalidField('to', 'this is before the beginning');
    if (askedInstant.getStore() && isAfter(to, now))
      throw invalidField('to', 'this is later than the instant being viewed');
    return [from, to];
  }

  /** Right before the first event of a request, in the view of a workspace; undefined if it recorded none. */
  async before(correlationId: string, workspace: string): Promise<Instant | undefined> {
    const { rows } = await this.db.query<LogPosition>(
      `select position, ${inView<HistoryView>('view').text('recordedAt')} as "recordedAt" from read.history
       where ${same('"correlationId"', '$1', timeOf)} order by position limit 1`,
      [correlationId],
    );
    const [first] = rows;
    return first && { workspace, position: String(BigInt(first.position) - 1n), at: first.recordedAt };
  }

  /** Rows that are still shown may have positions of an earlier place of the log. */
  private refuseUnbuilt(): void {
    if (this.projected() !== START) return;
    const msg = 'the past cannot be shown while the read models are being built; try again in a moment';
    throw new DomainError('unavailable', msg, undefined, { retryAfter: RETRY_AFTER_S });
  }

  private async atPosition(at: string, workspace: string, field: string): Promise<Instant> {
    if (comparePositions(at, this.projected()) > 0)
      throw invalidField(field, 'this position is in the future: the history has not reached it yet');
    const place = await this.by(at, workspace);
    if (!place) throw await this.tooEarly(workspace, field);
    return { workspace, position: place.position, at: place.recordedAt };
  }

  private async atTime(
    at: string,
    workspace: string,
    newest: LogPosition | undefined,
    field: string,
  ): Promise<Instant> {
    const time = Date.parse(at);
    if (!instantInput.safeParse(at).success || Number.isNaN(time))
      throw invalidField(
        field,
        'an instant is expected, such as 2026-01-31T12:00:00Z, or a position of the history',
      );
    if (time > Date.now() + AHEAD_MS) throw invalidField(field, 'this instant is in the future');
    const place = newest && (await this.lastBy(time, workspace, newest));
    if (!place) throw await this.tooEarly(workspace, field);
    return { workspace, position: place.position, at: new Date(time).toISOString() };
  }

  /** Binary search: twenty index look-ups for a million events. */
  private async lastBy(
    time: number,
    workspace: string,
    newest: LogPosition,
  ): Promise<LogPosition | undefined> {
    if (Date.parse(newest.recordedAt) <= time) return newest;
    let found: LogPosition | undefined;
    let low = 0n;
    let high = BigInt(newest.position) - 1n;
    while (low <= high) {
      const middle = (low + high) / 2n;
      const place = await this.by(String(middle), workspace);
      if (place && Date.parse(place.recordedAt) > time) {
        high = BigInt(place.position) - 1n;
        continue;
      }
      found = place ?? found;
      low = middle + 1n;
    }
    return found;
  }

  private async by(position: Position, workspace: string): Promise<LogPosition | undefined> {
    const { rows } = await this.db.query<LogPosition>({
      name: 'instant-by-position',
      text: BY_POSITION,
      values: [workspace, position],
    });
    return rows[0];
  }

  private async tooEarly(workspace: string, field: string) {
    const { rows } = await this.db.query<{ at: string }>(
      `select ${inView<HistoryView>('view').text('recordedAt')} as at from read.history where ${same('workspace', '$1')} order by position limit 1`,
      [workspace],
    );
    return invalidField(
      field,
      `this is before the workspace existed: its history begins at ${rows[0]?.at ?? 'no instant yet'}`,
    );
  }
}

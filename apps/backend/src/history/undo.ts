/**
 * Undoes one event, together with everything that the same request did to the same thing: first as a preview, then as
 * new events. Only the log changes. Files on servers are left alone.
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { isUndoable, streamName, type LoggedEvent, type Position } from '@quarterdeck/events';
import { messages } from '@quarterdeck/events/inputs';
import {
  same,
  timeOf,
  wordsOfEvent,
  type Difference,
  type HistoryView,
  type UndoPreview,
} from '@quarterdeck/projections';
import { readStreams } from '@quarterdeck/projections/runner';
import { followUp, type UndoGiven, Undoing, type UndoPlan, type UndoWork } from '../platform/decisions';
import { conflict, DomainError, invalidField, notFound } from '../platform/errors';
import type { CommandMeta, Session } from '../platform/sessions';
import { beforeItsEffect } from '../platform/as-of';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { changesBetween, folded } from './changes';
import { namesIn } from './names';
import { readableBy } from './history-filter';
import { rowsOf } from './history.queries';
import { putBack, type PutBack } from './put-back';

/** How many things are previewed field by field. A server may have had thousands of domains. */
const SHOWN = 50;

export interface UndoDone extends PutBack {
  /** Id of the subject of the event. */
  id: string;
}

interface Look {
  event: HistoryView;
  preview: UndoPreview;
  works: readonly UndoWork[];
}

@Injectable()
export class Undo {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly undoing: Undoing,
  ) {}

  async preview(position: Position, session: Session, meta: CommandMeta): Promise<UndoPreview> {
    return (await this.look(position, session, meta)).preview;
  }

  /**
   * @param seen of the preview that the operator reviewed
   * @throws DomainError `conflict` with the current preview if it has changed; `invalid` if a required input is
   * missing; `unavailable` if the undo was interrupted
   */
  async carryOut(
    position: Position,
    { seen, ...given }: UndoGiven & { seen: string },
    session: Session,
    meta: CommandMeta,
  ): Promise<UndoDone> {
    const { event, preview, works } = await this.look(position, session, meta);
    if (preview.refused !== undefined) throw conflict(preview.refused, preview);
    if (preview.seen !== seen)
      throw conflict('this has changed in the meantime: review again what would be done', preview);
    for (const need of preview.needs) if (!given[need]) throw invalidField(need, messages.required);
    const [first, ...others] = works.filter(({ refused }) => refused === undefined);
    if (!first) throw conflict('there is nothing to restore', preview);
    const asker = { ...meta, causationId: event.id };
    const { position: begun } = await first.carryOut(given, asker);
    const done = await putBack(others, begun, (work) => work.carryOut(given, followUp(meta, event.id)));
    return { id: event.subjectId, ...done };
  }

  private async look(position: Position, session: Session, meta: CommandMeta): Promise<Look> {
    const [event] = await rowsOf(
      this.db,
      readableBy(session).and(position, (p) => `h.position = ${p}::bigint`),
      'asc',
      1,
    );
    if (!event) throw notFound('event');
    const none = { undoes: [], removes: false, steps: [], count: 0, needs: [], notes: [], seen: '' };
    const nothing = { position, ...none };
    try {
      const { plan, undoes } = await this.plan(event, session, meta);
      const refused = plan.works.every((work) => work.refused !== undefined) && plan.works[0]?.refused;
      if (refused) return { event, works: [], preview: { ...nothing, refused } };
      return { event, works: plan.works, preview: { ...(await this.shown(position, plan)), undoes } };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { event, works: [], preview: { ...nothing, refused: error.msg } };
    }
  }

  private async plan(
    event: HistoryView,
    session: Session,
    meta: CommandMeta,
  ): Promise<{ plan: UndoPlan; undoes: string[] }> {
    const { type, category, subjectId: id, correlationId, revision } = event;
    if (!isUndoable(type)) throw new DomainError('conflict', 'an event of this kind cannot be undone');
    const planned = this.undoing.planFor(type);
    const stream = await this.streamOf(category, id);
    const together = stream.filter(
      (one) =>
        one.meta.correlationId === correlationId &&
        isUndoable(one.type) &&
        this.undoing.planFor(one.type) === planned,
    );
    const first = together[0]?.revision ?? revision;
    const plan = await planned({
      id,
      meta,
      before: stream.filter((one) => one.revision < first),
      events: together,
      alsoDone: async (other) => {
        const asked = readableBy(session).and(correlationId, (p) => same('h."correlationId"', p, timeOf));
        const { rows } = await this.db.query<{ id: string }>(
          `select h."subjectId" as id from read.history h where ${asked.sql} and h.type = $${asked.values.length + 1}
           order by h.position`,
          [...asked.values, other],
        );
        return rows.map((row) => row.id);
      },
    });
    return { plan, undoes: together.map(wordsOfEvent) };
  }

  private async streamOf(category: string, id: string): Promise<LoggedEvent[]> {
    const upTo = beforeItsEffect.getStore()?.position;
    return (await readStreams(this.store, [streamName(category, id)], upTo)) as LoggedEvent[];
  }

  private async shown(position: Position, plan: UndoPlan): Promise<Omit<UndoPreview, 'undoes'>> {
    const { works, needs = [], notes = [] } = plan;
    const steps = await Promise.all(
      works.slice(0, SHOWN).map(async ({ subject, would, refused }) => ({
        subject,
        says: refused === undefined ? would.map(wordsOfEvent).join(', ') : '',
        changes: refused === undefined ? await this.changes(subject, would) : [],
        ...(refused !== undefined && { refused }),
      })),
    );
    const whole = works.map(({ subject, would, refused }) => [subject.id, would, refused]);
    const seen = createHash('sha256')
      .update(JSON.stringify([whole, needs]))
      .digest('hex');
    const recorded = works.flatMap(({ would, refused }) => (refused === undefined ? would : []));
    const removes = recorded.every(({ type }) => type.endsWith('Removed'));
    return { position, removes, steps, count: works.length, needs: [...needs], notes: [...notes], seen };
  }

  /** Folds the events that would be recorded, as the read models would. */
  private async changes(
    { category, id }: UndoWork['subject'],
    would: UndoWork['would'],
  ): Promise<Difference[]> {
    const stream = await this.streamOf(category, id);
    const last = stream.at(-1);
    if (!last) return [];
    // Spreading two unions of all events is too complex a type.
    const next = would.map((event) => ({ ...(last as object), ...event }) as LoggedEvent);
    const later = [...stream, ...next];
    return changesBetween(folded, stream, later, await namesIn(this.db, last.meta.workspace, later));
  }
}

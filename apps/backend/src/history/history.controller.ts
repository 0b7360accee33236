import { Readable } from 'node:stream';
import { Controller, Inject, StreamableFile } from '@nestjs/common';
import { history, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker, written } from '../platform/http';
import { notFound } from '../platform/errors';
import { Instants, queriesAt } from '../platform/past';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { historyDetail } from './history-detail';
import { contentTypeOf, exportOf, namesOfPeople } from './history-export';
import { historyPages, listHistory } from './history.queries';
import { Undo } from './undo';

@Controller()
export class HistoryController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly instants: Instants,
    private readonly undo: Undo,
  ) {}

  @Answers(history.list)
  list(query: InputOf<typeof history.list>, { session }: Asker) {
    return listHistory(this.db, session, query);
  }

  @Answers(history.detail)
  async detail({ position }: InputOf<typeof history.detail>, { session }: Asker) {
    const found = await historyDetail(this.db, this.store, session, position);
    if (!found) throw notFound('event');
    return found;
  }

  @Answers(history.preview)
  preview({ position }: InputOf<typeof history.preview>, { session, meta }: Asker) {
    return this.undo.preview(position, session, meta);
  }

  @Answers(history.undo)
  async carryOut({ position, ...given }: InputOf<typeof history.undo>, { session, meta }: Asker) {
    const { id, position: at, left } = await this.undo.carryOut(position, given, session, meta);
    return written({ id, uuid: id, left }, at);
  }

  @Answers(history.export)
  async export(
    { format, type, category, id, at, ...filter }: InputOf<typeof history.export>,
    { session }: Asker,
  ) {
    const types = type === undefined ? undefined : [type].flat();
    const subject = category === undefined ? undefined : { category, id };
    const instant = at === undefined ? undefined : await this.instants.resolve(at, session.workspace);
    const db = instant ? queriesAt(instant, this.db) : this.db;
    const pages = historyPages(db, session, { ...filter, types, subject });
    const lines = exportOf(pages, format, await namesOfPeople(this.db, session));
    return new StreamableFile(Readable.from(lines, { objectMode: true, highWaterMark: 1 }), {
      type: contentTypeOf(format),
      disposition: `attachment; filename="history-${(instant?.at ?? new Date().toISOString()).slice(0, 10)}.${format}"`,
    });
  }
}

import { Readable } from 'node:stream';
import { Body, Controller, Get, HttpCode, Inject, Post, Query, StreamableFile } from '@nestjs/common';
import {
  historyDetail as detailInput,
  historyExport as exportInput,
  historyList as listInput,
  historyUndo as undoInput,
  historyUndoPreview as previewInput,
} from '@quarterdeck/events/inputs';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { written } from '../platform/answers';
import { notFound } from '../platform/errors';
import { Instants } from '../platform/instants';
import { queriesAt } from '../platform/past';
import type { CommandMeta, Session } from '../platform/session';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { valid } from '../platform/validation';
import { contentTypeOf, exportOf, namesOfPeople } from './history-export';
import { historyDetail } from './history-detail';
import { historyPages, listHistory } from './history.queries';
import { Undo } from './undo';

@Controller('history')
export class HistoryController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(Instants) private readonly instants: Instants,
    @Inject(Undo) private readonly undo: Undo,
  ) {}

  @Post('list')
  @HttpCode(200)
  @Access('admin', {
    summary: 'Everything that happened, newest first, by pages',
    receipt: false,
    past: true,
  })
  list(@CurrentSession() session: Session, @Body(valid(listInput)) query: z.infer<typeof listInput>) {
    return listHistory(this.db, session, query);
  }

  @Post('detail')
  @HttpCode(200)
  @Access('admin', {
    summary: 'One event: what it changed, what led to it, what was set in motion with it',
    receipt: false,
    past: true,
  })
  async detail(
    @CurrentSession() session: Session,
    @Body(valid(detailInput)) { position }: z.infer<typeof detailInput>,
  ) {
    const found = await historyDetail(this.db, this.store, session, position);
    if (!found) throw notFound('event');
    return found;
  }

  @Post('undo/preview')
  @HttpCode(200)
  @Access('admin', { summary: 'What undoing an event would do, or why it cannot be undone', receipt: false })
  preview(
    @CurrentSession() session: Session,
    @Meta() meta: CommandMeta,
    @Body(valid(previewInput)) { position }: z.infer<typeof previewInput>,
  ) {
    return this.undo.preview(position, session, meta);
  }

  @Post('undo')
  @HttpCode(200)
  @Access('admin', { summary: 'Undoes an event by new ones, just as the preview `seen` says' })
  async carryOut(
    @CurrentSession() session: Session,
    @Meta() meta: CommandMeta,
    @Body(valid(undoInput)) { position, ...given }: z.infer<typeof undoInput>,
  ) {
    const { id, position: at, left } = await this.undo.carryOut(position, given, session, meta);
    return written({ id, uuid: id, left }, at);
  }

  @Get('export')
  @Access('admin', { summary: 'What the filter finds, newest first, as a file: CSV or lines of JSON' })
  async export(
    @CurrentSession() session: Session,
    @Query(valid(exportInput))
    { format, type, category, id, at, ...filter }: z.infer<typeof exportInput>,
  ): Promise<StreamableFile> {
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

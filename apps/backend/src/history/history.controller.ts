import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { historyDetail as detailInput, historyList as listInput } from '@quarterdeck/events/inputs';
import type { z } from 'zod';
import { Access, CurrentSession } from '../platform/access';
import { notFound } from '../platform/errors';
import type { Session } from '../platform/session';
import { DB, type Pool } from '../platform/tokens';
import { valid } from '../platform/validation';
import { historyDetail, listHistory } from './history.queries';

@Controller('history')
export class HistoryController {
  constructor(@Inject(DB) private readonly db: Pool) {}

  @Post('list')
  @HttpCode(200)
  @Access('admin', { summary: 'Everything that happened, newest first, by pages', receipt: false })
  list(@CurrentSession() session: Session, @Body(valid(listInput)) query: z.infer<typeof listInput>) {
    return listHistory(this.db, session, query);
  }

  @Post('detail')
  @HttpCode(200)
  @Access('admin', { summary: 'One event, with what the same request set in motion', receipt: false })
  async detail(
    @CurrentSession() session: Session,
    @Body(valid(detailInput)) { position }: z.infer<typeof detailInput>,
  ) {
    const found = await historyDetail(this.db, session, position);
    if (!found) throw notFound('event');
    return found;
  }
}

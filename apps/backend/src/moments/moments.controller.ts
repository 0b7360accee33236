import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import {
  momentDetail as detailInput,
  momentDifference as differenceInput,
  momentTimeline as timelineInput,
} from '@quarterdeck/events/inputs';
import type { MomentDifference, MomentTimeline, MomentView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession } from '../platform/access';
import { invalidField } from '../platform/errors';
import { Instants } from '../platform/instants';
import type { Session } from '../platform/session';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { valid } from '../platform/validation';
import { momentDifference } from './moment-difference';
import { momentDetail, momentTimeline } from './moments.queries';

@Controller('moment')
export class MomentsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(Instants) private readonly instants: Instants,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  @Post('detail')
  @HttpCode(200)
  @Access('admin', {
    summary: 'An instant: what had happened last, and what comes before and after',
    receipt: false,
  })
  async detail(
    @CurrentSession() session: Session,
    @Body(valid(detailInput)) { at }: z.infer<typeof detailInput>,
  ): Promise<MomentView> {
    return momentDetail(this.db, session, await this.instants.resolve(at, session.workspace));
  }

  @Post('timeline')
  @HttpCode(200)
  @Access('admin', { summary: 'How much happened when, in stretches of equal length', receipt: false })
  async timeline(
    @CurrentSession() session: Session,
    @Body(valid(timelineInput)) asked: z.infer<typeof timelineInput>,
  ): Promise<MomentTimeline> {
    if (asked.from && asked.to && Date.parse(asked.from) >= Date.parse(asked.to))
      throw invalidField('to', 'this is not after the beginning');
    return momentTimeline(this.db, session, asked, new Date());
  }

  @Post('difference')
  @HttpCode(200)
  @Access('admin', {
    summary: 'What became of one thing between two instants, field by field',
    receipt: false,
    past: true,
  })
  difference(
    @CurrentSession() session: Session,
    @Body(valid(differenceInput)) asked: z.infer<typeof differenceInput>,
  ): Promise<MomentDifference> {
    return momentDifference(this.store, this.instants, session, asked);
  }
}

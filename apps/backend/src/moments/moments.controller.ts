import { Controller, Inject } from '@nestjs/common';
import { moments, type Given } from '@quarterdeck/contract';
import { Answers, type Asker } from '../platform/http';
import { invalidField } from '../platform/errors';
import { Instants } from '../platform/past';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { momentDifference } from './moment-difference';
import { momentDetail, momentTimeline } from './moments.queries';

@Controller()
export class MomentsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly instants: Instants,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  @Answers(moments.detail)
  async detail({ at }: Given<typeof moments.detail>, { session }: Asker) {
    return momentDetail(this.db, session, await this.instants.resolve(at, session.workspace));
  }

  @Answers(moments.timeline)
  async timeline(asked: Given<typeof moments.timeline>, { session }: Asker) {
    if (asked.from && asked.to && Date.parse(asked.from) >= Date.parse(asked.to))
      throw invalidField('to', 'this is not after the beginning');
    return momentTimeline(this.db, session, asked, new Date());
  }

  @Answers(moments.difference)
  difference(asked: Given<typeof moments.difference>, { session }: Asker) {
    return momentDifference(this.store, this.instants, session, asked);
  }
}

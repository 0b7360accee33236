import { Controller, Inject } from '@nestjs/common';
import { instants, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker } from '../platform/http';
import { invalidField } from '../platform/errors';
import { Instants } from '../platform/past';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { instantDifference } from './instant-difference';
import { instantDetail, instantTimeline } from './instants.queries';

@Controller()
export class InstantsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly instants: Instants,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  @Answers(instants.detail)
  async detail({ at }: InputOf<typeof instants.detail>, { session }: Asker) {
    return instantDetail(this.db, session, await this.instants.resolve(at, session.workspace));
  }

  @Answers(instants.timeline)
  async timeline(asked: InputOf<typeof instants.timeline>, { session }: Asker) {
    if (asked.from && asked.to && Date.parse(asked.from) >= Date.parse(asked.to))
      throw invalidField('to', 'this is not after the beginning');
    return instantTimeline(this.db, session, asked, new Date());
  }

  @Answers(instants.difference)
  difference(asked: InputOf<typeof instants.difference>, { session }: Asker) {
    return instantDifference(this.store, this.instants, session, asked);
  }
}

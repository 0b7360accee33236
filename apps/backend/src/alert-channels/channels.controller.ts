import { Controller, Inject } from '@nestjs/common';
import { alertChannels, type InputOf } from '@quarterdeck/contract';
import { alertChannel } from '@quarterdeck/events';
import { Answers, type Asker } from '../platform/http';
import { requireNamed } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import { ChannelTests } from './channel-tests';
import { messagesTo, newestMessages } from './channels.queries';

@Controller()
export class ChannelsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly tests: ChannelTests,
  ) {}

  @Answers(alertChannels.newest)
  newest(_: object, { session: { workspace } }: Asker) {
    return newestMessages(this.db, workspace);
  }

  @Answers(alertChannels.messages)
  async messages({ id }: InputOf<typeof alertChannels.messages>, { session: { workspace } }: Asker) {
    await requireNamed(alertChannel, this.db, workspace, id);
    return messagesTo(this.db, workspace, id);
  }

  @Answers(alertChannels.test)
  test({ id }: InputOf<typeof alertChannels.test>, { meta }: Asker) {
    return this.tests.test(id, meta);
  }
}

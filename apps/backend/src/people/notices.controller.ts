import { Controller, Inject } from '@nestjs/common';
import { notices, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker } from '../platform/http';
import { DB, type Pool } from '../platform/tokens';
import { rememberNotices, rememberedNotices } from './notices';

@Controller()
export class NoticesController {
  constructor(@Inject(DB) private readonly db: Pool) {}

  @Answers(notices.memory)
  memory(_: object, { session: { person } }: Asker) {
    return rememberedNotices(this.db, person);
  }

  @Answers(notices.remember)
  async remember(asked: InputOf<typeof notices.remember>, { session: { person, workspace } }: Asker) {
    await rememberNotices(this.db, { person, workspace }, asked);
    return {};
  }
}

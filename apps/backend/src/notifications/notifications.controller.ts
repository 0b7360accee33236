import { Controller, Inject } from '@nestjs/common';
import { notifications as calls, type InputOf } from '@quarterdeck/contract';
import { product as productNoun } from '@quarterdeck/events';
import { Answers, type Asker } from '../platform/http';
import { requireNamed } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import { previewedIn } from './notification-reads';

@Controller()
export class NotificationsController {
  constructor(@Inject(DB) private readonly db: Pool) {}

  @Answers(calls.preview)
  async preview({ product, language }: InputOf<typeof calls.preview>, { session: { workspace } }: Asker) {
    await requireNamed(productNoun, this.db, workspace, product.id);
    const { all } = await previewedIn(this.db, { workspace, product: product.id, language, fallback: 'en' });
    return all;
  }
}

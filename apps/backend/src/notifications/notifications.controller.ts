import { Controller, Inject } from '@nestjs/common';
import { notifications as calls, type InputOf } from '@quarterdeck/contract';
import { product as productNoun } from '@quarterdeck/events';
import { notFound } from '../platform/errors';
import { Answers, type Asker } from '../platform/http';
import { detailOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import { previewedIn } from './notification-reads';

@Controller()
export class NotificationsController {
  constructor(@Inject(DB) private readonly db: Pool) {}

  @Answers(calls.preview)
  async preview({ product, language }: InputOf<typeof calls.preview>, { session: { workspace } }: Asker) {
    if (!(await detailOf(productNoun, this.db, workspace, product.id))) throw notFound('product');
    const { all } = await previewedIn(this.db, { workspace, product: product.id, language, fallback: 'en' });
    return all;
  }
}

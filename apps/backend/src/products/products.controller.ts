import { Controller, Inject } from '@nestjs/common';
import { products, type InputOf, type ProductWithServices } from '@quarterdeck/contract';
import { product, service } from '@quarterdeck/events';
import { Answers, type Asker } from '../platform/http';
import { listOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';

@Controller()
export class ProductsController {
  constructor(@Inject(DB) private readonly db: Pool) {}

  @Answers(products.listWServices)
  async listWServices(_: InputOf<typeof products.listWServices>, { session: { workspace } }: Asker) {
    const [all, services] = await Promise.all([
      listOf(product, this.db, workspace),
      listOf(service, this.db, workspace),
    ]);
    return all.map((one) => ({
      ...one,
      services: services.filter((each) => each['product'] === one.id),
    })) as unknown as ProductWithServices[];
  }
}

import { Module } from '@nestjs/common';
import { product } from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { beforeRemoval, plain } from '../platform/kit';
import { WorkspacesModule } from '../workspaces';
import { AudienceController } from './audience';
import { ProductsController } from './products.controller';

const products = plain(product);

@Module({
  ...products,
  imports: [WorkspacesModule],
  controllers: [...products.controllers, AudienceController, ProductsController],
  providers: [
    ...products.providers,
    hook({
      on: beforeRemoval(product),
      by: AudienceController,
      does: (audience) => (id, workspace) => audience.holds(id, workspace),
    }),
  ],
})
export class ProductsModule {}

import { Module } from '@nestjs/common';
import { product } from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { beforeRemoval, plain } from '../platform/kit';
import { WorkspaceSettings, WorkspacesModule } from '../workspaces';
import { AudienceController, heldByAudience } from './audience';
import { ProductsController } from './products.controller';

const products = plain(product);

@Module({
  ...products,
  imports: [WorkspacesModule],
  controllers: [...products.controllers, AudienceController, ProductsController],
  providers: [
    ...products.providers,
    hook({ on: beforeRemoval(product), by: WorkspaceSettings, does: heldByAudience }),
  ],
})
export class ProductsModule {}

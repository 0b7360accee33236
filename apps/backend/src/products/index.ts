import { Module } from '@nestjs/common';
import { product } from '@quarterdeck/events';
import { plain } from '../platform/kit';
import { WorkspacesModule } from '../workspaces';
import { AudienceController } from './audience';
import { ProductsController } from './products.controller';

const products = plain(product);

@Module({
  ...products,
  imports: [WorkspacesModule],
  controllers: [...products.controllers, AudienceController, ProductsController],
})
export class ProductsModule {}

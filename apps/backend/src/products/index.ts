import { Module } from '@nestjs/common';
import { product } from '@quarterdeck/events';
import { plain } from '../platform/kit';
import { ProductsController } from './products.controller';

const products = plain(product);

@Module({ ...products, controllers: [...products.controllers, ProductsController] })
export class ProductsModule {}

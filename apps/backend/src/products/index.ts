import { Module } from '@nestjs/common';
import { product } from '@quarterdeck/events';
import { plain } from '../platform/kit';

@Module(plain(product))
export class ProductsModule {}

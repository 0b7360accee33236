import { Module } from '@nestjs/common';
import { DomainsModule } from '../domains';
import { HomeController } from './home.controller';

@Module({ imports: [DomainsModule], controllers: [HomeController] })
export class HomeModule {}

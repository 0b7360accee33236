import { Module } from '@nestjs/common';
import { InstantsController } from './instants.controller';

@Module({ controllers: [InstantsController] })
export class InstantsModule {}

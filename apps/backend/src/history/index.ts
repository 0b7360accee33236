import { Module } from '@nestjs/common';
import { HistoryController } from './history.controller';

export { changesBetween, folded } from './changes';

@Module({ controllers: [HistoryController] })
export class HistoryModule {}

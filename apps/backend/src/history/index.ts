import { Module } from '@nestjs/common';
import { HistoryController } from './history.controller';
import { Undo } from './undo';

export { changesBetween, folded } from './changes';
export { namesIn } from './names';

@Module({ controllers: [HistoryController], providers: [Undo] })
export class HistoryModule {}

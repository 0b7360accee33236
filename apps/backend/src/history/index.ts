import { Module } from '@nestjs/common';
import { HistoryController } from './history.controller';
import { Undo } from './undo';

export { changesBetween, existsAfter, folded } from './changes';
export { lastOfParts } from './history.queries';
export { namesIn } from './names';

@Module({ controllers: [HistoryController], providers: [Undo] })
export class HistoryModule {}

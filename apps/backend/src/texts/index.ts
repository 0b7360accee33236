import { Module } from '@nestjs/common';
import { deciderHandlers } from '../platform/decisions';
import { RunsModule } from '../runs';
import { TextExport } from './text-export';
import { TextHistory } from './text-history';
import { TextImport } from './text-import';
import { TextImportRuns } from './text-import-runs';
import { Texts } from './texts';
import { TextsController } from './texts.controller';
import { textDecider } from './texts.decider';
import { TextUndo } from './text-undo';

export { beforeTextRemoval } from './texts';

@Module({
  imports: [RunsModule],
  controllers: [TextsController],
  providers: [
    TextExport,
    TextHistory,
    TextImport,
    TextImportRuns,
    Texts,
    TextUndo,
    ...deciderHandlers(textDecider),
  ],
})
export class TextsModule {}

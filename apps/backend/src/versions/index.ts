import { Module } from '@nestjs/common';
import { DatabasesModule } from '../databases';
import { AttributesModule, EntitiesModule } from '../entities';
import { deciderHandlers } from '../platform/decisions';
import { RunsModule } from '../runs';
import { ApplyPlans } from './apply-plans';
import { DuplicatesController } from './duplicates.controller';
import { FirstInstance } from './first-instance';
import { ImportRuns } from './import-runs';
import { ImportSources } from './import-sources';
import { Importing } from './importing';
import { ModelEdits } from './model-edits';
import { ModelRecording } from './model-recording';
import { Versions } from './versions';
import { VersionsController } from './versions.controller';
import { versionsDecider } from './versions.decider';
import { VersionUndo } from './version-undo';

export { instanceOf } from './first-instance';
export { Importing } from './importing';
export { Versions } from './versions';

@Module({
  imports: [AttributesModule, DatabasesModule, EntitiesModule, RunsModule],
  controllers: [DuplicatesController, VersionsController],
  providers: [
    ApplyPlans,
    FirstInstance,
    ImportRuns,
    ImportSources,
    Importing,
    ModelEdits,
    ModelRecording,
    Versions,
    VersionUndo,
    ...deciderHandlers(versionsDecider),
  ],
  exports: [Importing, Versions],
})
export class VersionsModule {}

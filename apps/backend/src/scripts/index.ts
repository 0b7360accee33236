import { Module } from '@nestjs/common';
import { deciderHandlers } from '../platform/decisions';
import { RunsModule } from '../runs';
import { ScriptLibrary } from './script-library';
import { ScriptNames } from './script-names';
import { ScriptUndo } from './script-undo';
import { ScriptsController } from './scripts.controller';
import { scriptsDecider } from './scripts.decider';

export { ScriptLibrary } from './script-library';
export { scriptInput, type ScriptInput } from './script.kind';

@Module({
  imports: [RunsModule],
  controllers: [ScriptsController],
  providers: [ScriptLibrary, ScriptNames, ScriptUndo, ...deciderHandlers(scriptsDecider)],
  exports: [ScriptLibrary],
})
export class ScriptsModule {}

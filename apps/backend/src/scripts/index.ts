import { Module } from '@nestjs/common';
import { plainWork } from '../platform/kit';
import { RunsModule } from '../runs';
import { script, scriptRules } from './script';
import { ScriptLibrary } from './script-library';
import { ScriptsController } from './scripts.controller';

export { ScriptLibrary } from './script-library';
export { scriptInput, type ScriptInput } from './script.kind';

const { providers } = plainWork(script, scriptRules);

@Module({
  imports: [RunsModule],
  controllers: [ScriptsController],
  providers: [...providers, ScriptLibrary],
  exports: [ScriptLibrary],
})
export class ScriptsModule {}

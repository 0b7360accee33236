import { Module } from '@nestjs/common';
import { scripts } from '@quarterdeck/contract';
import { script } from '@quarterdeck/events';
import { plain } from '../platform/kit';
import { RunsModule } from '../runs';
import { ScriptLibrary } from './script-library';
import { scriptReads } from './scripts.queries';

export { ScriptLibrary } from './script-library';
export { scriptInput, type ScriptInput } from './script.kind';

const { controllers, providers } = plain(script, {}, { calls: scripts, reads: scriptReads });

@Module({
  imports: [RunsModule],
  controllers,
  providers: [...providers, ScriptLibrary],
  exports: [ScriptLibrary],
})
export class ScriptsModule {}

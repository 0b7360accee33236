import { Module } from '@nestjs/common';
import { scripts } from '@quarterdeck/contract';
import { script } from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { plain } from '../platform/kit';
import { RunsModule } from '../runs';
import { ServersModule } from '../servers';
import { workflowActions } from '../workflows';
import { ScriptAction } from './script-action';
import { ScriptLibrary } from './script-library';
import { scriptReads } from './scripts.queries';

export { ScriptLibrary } from './script-library';
export { scriptInput, type ScriptInput } from './script.kind';

const { controllers, providers } = plain(script, {}, { calls: scripts, reads: scriptReads });

@Module({
  imports: [RunsModule, ServersModule],
  controllers,
  providers: [
    ...providers,
    ScriptAction,
    ScriptLibrary,
    hook({ on: workflowActions, by: ScriptAction, does: (action) => action }),
  ],
  exports: [ScriptLibrary],
})
export class ScriptsModule {}

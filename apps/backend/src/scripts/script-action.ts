/** A saved script with its arguments as the action of a workflow's node: the newest version when the node is entered. */
import { Injectable } from '@nestjs/common';
import { RunEngine } from '../runs';
import { ServerRegistry } from '../servers';
import { outcomeOfRun, type ActionAsk, type WorkflowAction } from '../workflows';
import { ScriptLibrary } from './script-library';
import { scriptInput } from './script.kind';

/** Characters of the output that conditions and later nodes can read. The run has all of it. */
const MAX_OUTPUT = 8000;

type Ask = ActionAsk<'script'>;

@Injectable()
export class ScriptAction implements WorkflowAction<'script'> {
  readonly is = 'script';

  constructor(
    private readonly engine: RunEngine,
    private readonly servers: ServerRegistry,
    private readonly scripts: ScriptLibrary,
  ) {}

  async problems({ server, script }: Ask['does'], workspace: string) {
    const [hasServer, hasScript] = await Promise.all([
      this.servers.exists(server.id, workspace),
      this.scripts.exists(script.id, workspace),
    ]);
    return [
      ...(hasServer ? [] : [{ field: 'server', says: 'this server does not exist' }]),
      ...(hasScript ? [] : [{ field: 'script', says: 'this script does not exist' }]),
    ];
  }

  async start({ id, does, meta }: Ask): Promise<void> {
    const { workspace } = meta;
    // The script may have been revised since the run was requested, and a run has one version.
    if (await this.engine.knows(id, workspace)) return;
    const [{ alias }, { name, version }] = await Promise.all([
      this.servers.server(does.server.id, workspace),
      this.scripts.script(does.script.id, workspace),
    ]);
    const content = await this.scripts.version(does.script.id, version, workspace);
    const { args } = does;
    const input = scriptInput({ script: does.script.id, version, name, ...(args && { args }) }, content);
    const subject = { kind: 'server', id: does.server.id, name: alias };
    await this.engine.start(id, 'script', { subject, input: { ...input } }, meta);
  }

  outcome({ id, meta: { workspace } }: Ask) {
    return outcomeOfRun(this.engine, { id, workspace }, async (run) => ({
      output: await this.engine.outputEnd(run, MAX_OUTPUT),
    }));
  }

  async cancel({ id, meta }: Ask): Promise<void> {
    if (await this.engine.isOpen(id, meta.workspace)) await this.engine.cancel(id, meta);
  }
}

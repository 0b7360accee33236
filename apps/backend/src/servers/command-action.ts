/** A fixed command as the action of a workflow's node. */
import { Injectable } from '@nestjs/common';
import { RunEngine } from '../runs';
import { outcomeOfRun, type ActionAsk, type WorkflowAction } from '../workflows';
import { ServerRegistry } from './server-registry';

/** Characters of the output that conditions and later nodes can read. The run has all of it. */
const MAX_OUTPUT = 8000;

type Ask = ActionAsk<'command'>;

@Injectable()
export class CommandAction implements WorkflowAction<'command'> {
  readonly is = 'command';

  constructor(
    private readonly engine: RunEngine,
    private readonly servers: ServerRegistry,
  ) {}

  async problems({ server }: Ask['does'], workspace: string) {
    return (await this.servers.exists(server.id, workspace))
      ? []
      : [{ field: 'server', says: 'this server does not exist' }];
  }

  async start({ id, does: { server, cmdType }, meta }: Ask): Promise<void> {
    if (await this.engine.knows(id, meta.workspace)) return;
    const { alias } = await this.servers.server(server.id, meta.workspace);
    const subject = { kind: 'server', id: server.id, name: alias };
    await this.engine.start(id, 'command', { subject, input: { cmdType } }, meta);
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

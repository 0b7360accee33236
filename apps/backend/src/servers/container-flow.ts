/**
 * The server that the workspace pulls containers from: a workspace setting. The existence of the server is checked
 * here.
 */
import { Controller, type OnModuleInit } from '@nestjs/common';
import { workspaces, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker } from '../platform/http';
import { DomainError } from '../platform/errors';
import { SettingUndo, WorkspaceSettings } from '../workspaces';
import { ServerRegistry } from './server-registry';

@Controller()
export class ContainerFlowController implements OnModuleInit {
  constructor(
    private readonly settings: WorkspaceSettings,
    private readonly undo: SettingUndo,
    private readonly servers: ServerRegistry,
  ) {}

  onModuleInit(): void {
    this.undo.use('ContainerFlowConfigured', async (back, _, { meta }) => {
      if (back.server && !(await this.servers.exists(back.server.id, meta.workspace)))
        throw new DomainError('conflict', 'the server that was chosen before no longer exists');
      return this.undo.asItIs('ContainerFlowConfigured', back);
    });
  }

  @Answers(workspaces.containerFlow)
  async containerFlow({ revision, ...data }: InputOf<typeof workspaces.containerFlow>, { meta }: Asker) {
    if (data.server) await this.servers.server(data.server.id, meta.workspace);
    return this.settings.set({ type: 'ContainerFlowConfigured', data }, meta, revision);
  }
}

/** The server and the product that the container flow begins with: a workspace setting. They have to exist. */
import { Controller, Inject, type OnModuleInit } from '@nestjs/common';
import { workspaces, type InputOf } from '@quarterdeck/contract';
import { product } from '@quarterdeck/events';
import { Answers, type Asker } from '../platform/http';
import { DomainError } from '../platform/errors';
import { detailOf, PlainRecords, recordsOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import { ServerRegistry } from '../servers';
import { SettingUndo, WorkspaceSettings } from '../workspaces';

@Controller()
export class ContainerFlowController implements OnModuleInit {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly settings: WorkspaceSettings,
    private readonly undo: SettingUndo,
    private readonly servers: ServerRegistry,
    @Inject(recordsOf(product)) private readonly products: PlainRecords,
  ) {}

  onModuleInit(): void {
    this.undo.use('ContainerFlowConfigured', async (back, _, { meta }) => {
      const gone = (what: string) =>
        new DomainError('conflict', `the ${what} that was chosen before no longer exists`);
      const { workspace } = meta;
      if (back.server && !(await this.servers.exists(back.server.id, workspace))) throw gone('server');
      if (back.product && !(await detailOf(product, this.db, workspace, back.product.id)))
        throw gone('product');
      return this.undo.asItIs('ContainerFlowConfigured', back);
    });
  }

  @Answers(workspaces.containerFlow)
  async containerFlow({ revision, ...data }: InputOf<typeof workspaces.containerFlow>, { meta }: Asker) {
    if (data.server) await this.servers.server(data.server.id, meta.workspace);
    if (data.product) await this.products.opened(data.product.id, meta.workspace);
    return this.settings.set({ type: 'ContainerFlowConfigured', data }, meta, revision);
  }
}

/** A deploy of a service as the action of a workflow's node. */
import { Inject, Injectable } from '@nestjs/common';
import { service, servicePackage, type Json } from '@quarterdeck/events';
import type { DeployRow } from '@quarterdeck/projections';
import { DomainError } from '../platform/errors';
import { PlainRecords, recordsOf } from '../platform/kit';
import { RunEngine } from '../runs';
import { outcomeOfRun, type ActionAsk, type WorkflowAction } from '../workflows';
import { Deploys } from './deploys';
import { servingDeploys } from './deploys.queries';

type Ask = ActionAsk<'deploy'>;

const deployed = ({ package: { version }, serves }: DeployRow): { [key: string]: Json } => ({
  version,
  serves,
});

const isText = (value: string | undefined): value is string => value !== undefined && value !== '';

@Injectable()
export class DeployAction implements WorkflowAction<'deploy'> {
  readonly is = 'deploy';

  constructor(
    private readonly engine: RunEngine,
    private readonly deploys: Deploys,
    @Inject(recordsOf(service)) private readonly services: PlainRecords,
    @Inject(recordsOf(servicePackage)) private readonly packages: PlainRecords,
  ) {}

  async problems({ service: { id }, packageId }: Ask['does'], workspace: string) {
    const known = (of: PlainRecords, one: string): Promise<boolean> =>
      of.opened(one, workspace).then(
        () => true,
        (error: unknown) => {
          if (error instanceof DomainError) return false;
          throw error;
        },
      );
    if (!(await known(this.services, id))) return [{ field: 'service', says: 'this service does not exist' }];
    // A package that the data name is known only when the node is entered.
    if (!isText(packageId) || packageId.includes('{{')) return [];
    return (await known(this.packages, packageId))
      ? []
      : [{ field: 'packageId', says: 'this package does not exist' }];
  }

  async start({ id, does, workflow, meta }: Ask): Promise<void> {
    // What a deploy asks for is recorded before its run. Only then is a second start no new request.
    if (await this.engine.knows(id, meta.workspace)) return;
    const packageId = isText(does.packageId)
      ? does.packageId
      : await this.serving(does.service.id, meta.workspace);
    await this.deploys.deploy(
      {
        id: does.service.id,
        packageId,
        ...(does.env && { env: does.env.id }),
        why: `workflow ${workflow.name}`.slice(0, 500),
        runId: id,
      },
      meta,
    );
  }

  outcome({ id, meta: { workspace } }: Ask) {
    return outcomeOfRun(this.engine, { id, workspace }, async () => {
      const release = await this.deploys.release(id, workspace).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
      });
      return release ? deployed(release) : {};
    });
  }

  async cancel({ id, meta }: Ask): Promise<void> {
    if (await this.engine.isOpen(id, meta.workspace)) await this.engine.cancel(id, meta);
  }

  private async serving(id: string, workspace: string): Promise<string> {
    const [now] = await servingDeploys(this.deploys.reads, workspace, { service: id });
    if (!now)
      throw new DomainError('unprocessable', 'no package of this service is deployed yet: choose a package');
    return now.package.id;
  }
}

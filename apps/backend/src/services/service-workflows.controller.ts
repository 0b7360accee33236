/** The workflows of a service's repositories, at the source-code host. */
import { Controller, Inject } from '@nestjs/common';
import { serviceRepositories, type InputOf } from '@quarterdeck/contract';
import { repositoryNamed, service } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import { notFound } from '../platform/errors';
import { Answers, type Asker, written } from '../platform/http';
import { detailOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import { Repositories, RepositoryReads, type RepositoryName } from '../repositories';

const DEFAULT_REF = 'master';

@Controller()
export class ServiceWorkflowsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly repositories: Repositories,
    private readonly reads: RepositoryReads,
  ) {}

  @Answers(serviceRepositories.workflows)
  async workflows(
    { serviceId }: InputOf<typeof serviceRepositories.workflows>,
    { session: { person, workspace } }: Asker,
  ) {
    const all = await this.workflowsOf(serviceId, { actor: person, workspace });
    return { workflows: all.map(({ workflow }) => workflow) };
  }

  @Answers(serviceRepositories.trigger)
  async trigger(
    { serviceId, workflowId, ref = DEFAULT_REF }: InputOf<typeof serviceRepositories.trigger>,
    { meta }: Asker,
  ) {
    const found = (await this.workflowsOf(serviceId, meta)).find(
      ({ workflow }) => workflow.id === workflowId,
    );
    if (!found) throw notFound('workflow');
    const { place, workflow } = found;
    const { id, name } = workflow;
    await this.reads.trigger(place, id, ref, meta);
    const event = {
      type: 'RepositoryWorkflowTriggered',
      data: { ...place, workflow: { id, name }, ref },
    } as const;
    return written({ ref }, await this.repositories.recorded(event, meta));
  }

  private async workflowsOf(id: string, asker: { actor: string; workspace: string }) {
    const all = [];
    for (const place of await this.placesOf(id, asker.workspace))
      for (const workflow of await this.reads.workflows(place, asker)) all.push({ place, workflow });
    return all;
  }

  /** @throws DomainError `notFound` */
  private async placesOf(id: string, workspace: string): Promise<RepositoryName[]> {
    const found = (await detailOf(service, this.db, workspace, id)) as unknown as
      | ViewOf<typeof service>
      | undefined;
    if (!found) throw notFound('service');
    const { organization, repo, repoFront } = found;
    return [repo, ...(repoFront ? [repoFront] : [])].map((one) => ({
      organization,
      repo: repositoryNamed(one),
    }));
  }
}

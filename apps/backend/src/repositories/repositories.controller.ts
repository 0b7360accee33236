import { Controller } from '@nestjs/common';
import { publishActions, repositories, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker, written } from '../platform/http';
import { Repositories } from './repositories';
import { RepositoryReads } from './repository-reads';

/** Each call uses the token of the person who makes it. */
@Controller()
export class RepositoriesController {
  constructor(
    private readonly repositories: Repositories,
    private readonly reads: RepositoryReads,
  ) {}

  @Answers(repositories.cloneFromTemplate)
  async cloneFromTemplate(
    { clientOrServer, ...place }: InputOf<typeof repositories.cloneFromTemplate>,
    { meta }: Asker,
  ) {
    const { url, event } = await this.repositories.create(place, clientOrServer, meta);
    return written({ ...place, url }, await this.repositories.recorded(event, meta));
  }

  @Answers(repositories.init)
  async init({ name, ...place }: InputOf<typeof repositories.init>, { meta }: Asker) {
    const { done, event } = await this.repositories.init(place, name, meta);
    return done.changed ? written(done, await this.repositories.recorded(event, meta)) : done;
  }

  @Answers(repositories.addModel)
  async addModel({ product, ...place }: InputOf<typeof repositories.addModel>, { meta }: Asker) {
    const { done, version, event } = await this.repositories.addModel(place, product.id, meta);
    const answer = { ...done, version };
    return done.changed ? written(answer, await this.repositories.recorded(event, meta)) : answer;
  }

  @Answers(repositories.release)
  async release({ isNpm = false, ...place }: InputOf<typeof repositories.release>, { meta }: Asker) {
    const { tag, url, event } = await this.repositories.release(place, isNpm, meta);
    return written({ tag, url }, await this.repositories.recorded(event, meta));
  }

  @Answers(repositories.containers)
  async containers(
    { repoUrl, dockerName }: InputOf<typeof repositories.containers>,
    { session: { person, workspace } }: Asker,
  ) {
    const asker = { actor: person, workspace };
    return { packages: await this.reads.containers(this.reads.placeIn(repoUrl), dockerName, asker) };
  }

  @Answers(repositories.limit)
  limit(_: object, { session: { person, workspace } }: Asker) {
    return this.reads.limit({ actor: person, workspace });
  }

  @Answers(publishActions.client)
  publishClient(given: InputOf<typeof publishActions.client>, { meta }: Asker) {
    return this.publish(given, 'npm', meta);
  }

  @Answers(publishActions.server)
  publishServer(given: InputOf<typeof publishActions.server>, { meta }: Asker) {
    return this.publish(given, 'container', meta);
  }

  private async publish(
    { org, repo }: InputOf<typeof publishActions.client>,
    kind: 'container' | 'npm',
    meta: Asker['meta'],
  ) {
    const { done, event } = await this.repositories.addPublishing({ organization: org, repo }, kind, meta);
    return done.changed ? written(done, await this.repositories.recorded(event, meta)) : done;
  }
}

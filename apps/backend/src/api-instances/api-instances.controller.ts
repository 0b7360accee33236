import { Controller, Inject } from '@nestjs/common';
import { apiInstances as calls, type InputOf } from '@quarterdeck/contract';
import { product } from '@quarterdeck/events';
import { publicAddress } from '../platform/database';
import { Answers, type Asker, done, written } from '../platform/http';
import { requireNamed } from '../platform/kit';
import { CONFIG, DB, type Config, type Pool } from '../platform/tokens';
import { ApiInstances } from './api-instances';
import { ApiLibrary } from './api-library';
import { described } from './described';
import { endpointProblems } from './endpoint-problems';

@Controller()
export class ApiInstancesController {
  constructor(
    private readonly work: ApiInstances,
    private readonly library: ApiLibrary,
    @Inject(DB) private readonly db: Pool,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Answers(calls.list)
  async list({ product: { id } }: InputOf<typeof calls.list>, { session }: Asker) {
    const all = await this.library.list(id, session.workspace);
    return all.map(({ view, endpoints }) => described(view, endpoints));
  }

  @Answers(calls.get)
  async get(
    { product: { id }, instance: { uuid } }: InputOf<typeof calls.get>,
    { session: { workspace } }: Asker,
  ) {
    const view = await this.library.instance(uuid, workspace, id);
    const endpoints = await this.library.endpoints(uuid, workspace);
    return { ...described(view, endpoints.length), endpoints };
  }

  @Answers(calls.addresses)
  async addresses(_: InputOf<typeof calls.addresses>, { session: { workspace } }: Asker) {
    return this.library.addresses(await publicAddress(this.db, this.config), workspace);
  }

  @Answers(calls.init)
  async init({ productId, ...fields }: InputOf<typeof calls.init>, { meta }: Asker) {
    return done(await this.work.init(fields, productId, meta));
  }

  @Answers(calls.updateInfo)
  async updateInfo({ uuid, data }: InputOf<typeof calls.updateInfo>, { meta }: Asker) {
    return done(await this.work.update(uuid, data, meta));
  }

  @Answers(calls.refresh)
  async refresh({ instance: { uuid } }: InputOf<typeof calls.refresh>, { session: { workspace } }: Asker) {
    await this.library.instance(uuid, workspace);
    const [endpoints, model] = await Promise.all([
      this.library.endpoints(uuid, workspace),
      this.library.apiModel(uuid, workspace),
    ]);
    const problems = endpoints.flatMap((one) =>
      endpointProblems({ ...one }, model).map((problem) => ({
        endpoint: { uuid: one.id, method: one.method, path: one.path },
        ...problem,
      })),
    );
    return { endpoints: endpoints.length, problems };
  }

  @Answers(calls.replaceToken)
  async replaceToken({ instance: { uuid } }: InputOf<typeof calls.replaceToken>, { meta }: Asker) {
    return done(await this.work.replaceToken(uuid, meta));
  }

  @Answers(calls.model)
  async model({ product: { id }, env }: InputOf<typeof calls.model>, { session: { workspace } }: Asker) {
    await requireNamed(product, this.db, workspace, id);
    const [{ entities, optionSets }, dialect] = await Promise.all([
      this.library.model(id, workspace),
      this.library.dialect(id, env, workspace),
    ]);
    return {
      dialect,
      entities: entities.map((one) => ({ ...one })),
      optionSets: optionSets.map((one) => ({ ...one })),
    };
  }

  @Answers(calls.insertOfEntity)
  async insertOfEntity(input: InputOf<typeof calls.insertOfEntity>, { meta }: Asker) {
    const { ids, position } = await this.work.addOfEntity(input, meta);
    return written({ ids }, position);
  }
}

import { Controller, Inject } from '@nestjs/common';
import { deploys, type InputOf } from '@quarterdeck/contract';
import { firsts } from '@quarterdeck/data-model';
import { service, servicePackage } from '@quarterdeck/events';
import { pageOf, deployColumns, type ViewOf } from '@quarterdeck/projections';
import { Answers, type Asker, done, written } from '../platform/http';
import { notFound } from '../platform/errors';
import { detailOf, listOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import { differences } from './comparing';
import { KeptValues } from './kept-values';
import { Deploys } from './deploys';
import { listDeploys, MAX_ROWS, servingDeploys, type DeploysOf } from './deploys.queries';

/** Sorts by number: 1.10 comes after 1.9. */
const inOrder = new Intl.Collator('en', { numeric: true });

const idsOf = ({ service, product, server }: InputOf<typeof deploys.running>): DeploysOf => ({
  service: service?.id,
  product: product?.id,
  server: server?.id,
});
import { idFor } from '../platform/sessions';

@Controller()
export class DeploysController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly releases: Deploys,
    private readonly values: KeptValues,
  ) {}

  @Answers(deploys.deploy)
  async deploy(input: InputOf<typeof deploys.deploy>, { meta }: Asker) {
    const { runId, position } = await this.releases.deploy(input, meta);
    return written({ id: runId, uuid: runId, runId }, position);
  }

  @Answers(deploys.rollback)
  async rollback({ id, runId: chosen, ...how }: InputOf<typeof deploys.rollback>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { position } = await this.releases.rollBack(id, how, runId, meta);
    return written({ id: runId, uuid: runId, runId }, position);
  }

  @Answers(deploys.versions)
  async versions({ id }: InputOf<typeof deploys.versions>, { session: { workspace } }: Asker) {
    if (!(await detailOf(service, this.db, workspace, id))) throw notFound('service');
    const packages = (await listOf(servicePackage, this.db, workspace, id)) as unknown as ViewOf<
      typeof servicePackage
    >[];
    const all = await listDeploys(this.releases.reads, workspace, { service: id });
    const newest = firsts(all, (release) => release.package.id);
    return packages
      .map((one) => {
        const deployLog = newest.get(one.id);
        return { id: one.id, version: one.version, image: one.image, ...(deployLog && { deployLog }) };
      })
      .toSorted((one, other) => inOrder.compare(other.version, one.version));
  }

  @Answers(deploys.plan)
  async plan({ id }: InputOf<typeof deploys.plan>, { session: { workspace } }: Asker) {
    const found = await detailOf(service, this.db, workspace, id);
    if (!found) throw notFound('service');
    const { moves = [], waiting } = await this.releases.moves(id, workspace);
    return { port: Number(found['port']), moves, waiting };
  }

  @Answers(deploys.releases)
  list({ limit = MAX_ROWS, ...of }: InputOf<typeof deploys.releases>, { session: { workspace } }: Asker) {
    return listDeploys(this.releases.reads, workspace, idsOf(of), limit);
  }

  @Answers(deploys.releasePage)
  async page(
    { service, server, ...asked }: InputOf<typeof deploys.releasePage>,
    { session: { workspace } }: Asker,
  ) {
    const of = { service: service?.id, server: server?.id };
    const rows = await listDeploys(this.releases.reads, workspace, of);
    return pageOf(rows, deployColumns, asked);
  }

  @Answers(deploys.running)
  running(of: InputOf<typeof deploys.running>, { session: { workspace } }: Asker) {
    return servingDeploys(this.releases.reads, workspace, idsOf(of));
  }

  @Answers(deploys.release)
  release({ id }: InputOf<typeof deploys.release>, { session: { workspace } }: Asker) {
    return this.releases.release(id, workspace);
  }

  @Answers(deploys.compare)
  async compare({ from, to }: InputOf<typeof deploys.compare>, { session: { workspace } }: Asker) {
    const [before, after] = [
      await this.releases.release(from, workspace),
      await this.releases.release(to, workspace),
    ];
    return {
      differences: differences(before, after),
      compose: { from: before.compose, to: after.compose },
      proxy: { from: before.served?.proxy ?? '', to: after.served?.proxy ?? '' },
    };
  }

  @Answers(deploys.stopRelease)
  async stop({ id, forget, runId: chosen }: InputOf<typeof deploys.stopRelease>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    if (forget === true) return done(await this.releases.forget(id, meta));
    const { position } = await this.releases.stop(id, runId, meta);
    return written({ id: runId, uuid: runId, runId }, position);
  }

  @Answers(deploys.keptValues)
  keptValues({ service: { id } }: InputOf<typeof deploys.keptValues>, { session: { workspace } }: Asker) {
    return this.values.list(id, workspace);
  }

  @Answers(deploys.destroyValue)
  async destroyValue({ service: { id }, env, key }: InputOf<typeof deploys.destroyValue>, { meta }: Asker) {
    const { count, position } = await this.values.destroy({ service: id, env, key }, meta);
    const answer = { id, uuid: id, count };
    return position === undefined ? answer : written(answer, position);
  }

  @Answers(deploys.removeRelease)
  async remove({ id }: InputOf<typeof deploys.removeRelease>, { meta }: Asker) {
    return done(await this.releases.remove(id, meta));
  }
}

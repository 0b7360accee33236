import { Controller, Inject } from '@nestjs/common';
import { releases, type Given } from '@quarterdeck/contract';
import { firsts } from '@quarterdeck/data-model';
import { service, servicePackage } from '@quarterdeck/events';
import { pageOf, releaseColumns, type ViewOf } from '@quarterdeck/projections';
import { Answers, type Asker, done, written } from '../platform/http';
import { notFound } from '../platform/errors';
import { detailOf, listOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import { differences } from './comparing';
import { KeptValues } from './kept-values';
import { Releases } from './releases';
import { listReleases, MAX_ROWS, servingReleases, type ReleasesOf } from './releases.queries';

/** Sorts by number: 1.10 comes after 1.9. */
const inOrder = new Intl.Collator('en', { numeric: true });

const idsOf = ({ service, product, server }: Given<typeof releases.running>): ReleasesOf => ({
  service: service?.id,
  product: product?.id,
  server: server?.id,
});
import { idFor } from '../platform/sessions';

@Controller()
export class ReleasesController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly releases: Releases,
    private readonly values: KeptValues,
  ) {}

  @Answers(releases.deploy)
  async deploy(input: Given<typeof releases.deploy>, { meta }: Asker) {
    const { runId, position } = await this.releases.deploy(input, meta);
    return written({ id: runId, uuid: runId, runId }, position);
  }

  @Answers(releases.rollback)
  async rollback({ id, runId: chosen, ...how }: Given<typeof releases.rollback>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { position } = await this.releases.rollBack(id, how, runId, meta);
    return written({ id: runId, uuid: runId, runId }, position);
  }

  @Answers(releases.versions)
  async versions({ id }: Given<typeof releases.versions>, { session: { workspace } }: Asker) {
    if (!(await detailOf(service, this.db, workspace, id))) throw notFound('service');
    const packages = (await listOf(servicePackage, this.db, workspace, id)) as unknown as ViewOf<
      typeof servicePackage
    >[];
    const all = await listReleases(this.releases.reads, workspace, { service: id });
    const newest = firsts(all, (release) => release.package.id);
    return packages
      .map((one) => {
        const deployLog = newest.get(one.id);
        return { id: one.id, version: one.version, image: one.image, ...(deployLog && { deployLog }) };
      })
      .toSorted((one, other) => inOrder.compare(other.version, one.version));
  }

  @Answers(releases.plan)
  async plan({ id }: Given<typeof releases.plan>, { session: { workspace } }: Asker) {
    const found = await detailOf(service, this.db, workspace, id);
    if (!found) throw notFound('service');
    const { moves = [], waiting } = await this.releases.moves(id, workspace);
    return { port: Number(found['port']), moves, waiting };
  }

  @Answers(releases.releases)
  list({ limit = MAX_ROWS, ...of }: Given<typeof releases.releases>, { session: { workspace } }: Asker) {
    return listReleases(this.releases.reads, workspace, idsOf(of), limit);
  }

  @Answers(releases.releasePage)
  async page(
    { service, server, ...asked }: Given<typeof releases.releasePage>,
    { session: { workspace } }: Asker,
  ) {
    const of = { service: service?.id, server: server?.id };
    const rows = await listReleases(this.releases.reads, workspace, of);
    return pageOf(rows, releaseColumns, asked);
  }

  @Answers(releases.running)
  running(of: Given<typeof releases.running>, { session: { workspace } }: Asker) {
    return servingReleases(this.releases.reads, workspace, idsOf(of));
  }

  @Answers(releases.release)
  release({ id }: Given<typeof releases.release>, { session: { workspace } }: Asker) {
    return this.releases.release(id, workspace);
  }

  @Answers(releases.compare)
  async compare({ from, to }: Given<typeof releases.compare>, { session: { workspace } }: Asker) {
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

  @Answers(releases.stopRelease)
  async stop({ id, forget, runId: chosen }: Given<typeof releases.stopRelease>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    if (forget === true) return done(await this.releases.forget(id, meta));
    const { position } = await this.releases.stop(id, runId, meta);
    return written({ id: runId, uuid: runId, runId }, position);
  }

  @Answers(releases.keptValues)
  keptValues({ service: { id } }: Given<typeof releases.keptValues>, { session: { workspace } }: Asker) {
    return this.values.list(id, workspace);
  }

  @Answers(releases.destroyValue)
  async destroyValue({ service: { id }, env, key }: Given<typeof releases.destroyValue>, { meta }: Asker) {
    const { count, position } = await this.values.destroy({ service: id, env, key }, meta);
    const answer = { id, uuid: id, count };
    return position === undefined ? answer : written(answer, position);
  }

  @Answers(releases.removeRelease)
  async remove({ id }: Given<typeof releases.removeRelease>, { meta }: Asker) {
    return done(await this.releases.remove(id, meta));
  }
}

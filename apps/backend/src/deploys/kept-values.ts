/** The values of secret variables that releases keep: which ones do, and their destruction after a leak. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { service } from '@quarterdeck/events';
import { DomainError, notFound } from '../platform/errors';
import { detailOf } from '../platform/kit';
import type { CommandMeta } from '../platform/sessions';
import { PROJECTIONS, type ProjectionRunner } from '../platform/tokens';
import { underWayOf } from './deploy-holds';
import { DeployVariables } from './deploy-variables';
import { Deploys } from './deploys';
import { DestroyValue } from './deploys.decider';
import { listDeploys } from './deploys.queries';

interface Which {
  service: string;
  env: number;
  key: string;
}

interface StoredValue {
  key: string;
  env: { id: number };
  releases: { id: string; version: string; date: string; serves: boolean }[];
}

/** The read models are behind only briefly. */
const PATIENCE_MS = 5000;

@Injectable()
export class KeptValues {
  constructor(
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly commands: CommandBus,
    private readonly releases: Deploys,
    private readonly variables: DeployVariables,
  ) {}

  /** By key, then by environment. */
  async list(of: string, workspace: string): Promise<StoredValue[]> {
    await this.known(of, workspace);
    const [kept, releases] = await Promise.all([
      this.variables.kept(of, workspace),
      listDeploys(this.releases.reads, workspace, { service: of }),
    ]);
    const byId = new Map(releases.map((one) => [one.id, one]));
    const found = new Map<string, StoredValue>();
    for (const { id, key, env, destroyed } of kept) {
      const release = byId.get(id);
      if (!release || destroyed) continue;
      const one = found.get(`${key} ${env}`) ?? { key, env: { id: env }, releases: [] };
      const { date, serves } = release;
      one.releases.push({ id, version: release.package.version, date, serves });
      found.set(`${key} ${env}`, one);
    }
    return [...found.values()].toSorted((a, b) =>
      a.key === b.key ? a.env.id - b.env.id : a.key < b.key ? -1 : 1,
    );
  }

  /**
   * Records one event for each release before the vault forgets the values. Can be repeated.
   * @throws DomainError `conflict` while a deploy of the service is under way, which may need the value
   */
  async destroy(which: Which, meta: CommandMeta) {
    const { workspace } = meta;
    await this.known(which.service, workspace);
    const held = await underWayOf(this.releases.reads, workspace, { service: which.service });
    if (held) throw new DomainError('conflict', held.reason, undefined, held.by && { heldBy: held.by });
    const all = await this.variables.ofVariable(which, workspace);
    const kept = all.filter(({ destroyed }) => !destroyed);
    let position = undefined;
    for (const { id, key } of kept)
      ({ position } = await this.commands.execute(new DestroyValue(id, { key }, meta)));
    if (position !== undefined) await this.projections.waitFor(position, PATIENCE_MS);
    const refs = [...new Set(all.map(({ ref }) => ref))];
    await this.variables.shredUnreferred(refs, which.service, workspace);
    return { count: kept.length, position };
  }

  private async known(id: string, workspace: string): Promise<void> {
    if (!(await detailOf(service, this.releases.reads.db, workspace, id))) throw notFound('service');
  }
}

/**
 * Starts the deploys of pushed versions that need no approval, or have got it, each once: the id of the deploy is made from
 * the version's. Withdraws those whose rule or service is gone while they wait.
 */
import { servicePackage, type ValuesOf } from '@quarterdeck/events';
import type { StoredPush } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { Watch, type WatchDeps } from '../alerts';
import type { Deploys } from '../deploys';
import { isTransient } from '../platform/database';
import { DomainError } from '../platform/errors';
import { inView } from '../platform/in-view';
import { listOf, type PlainRecords } from '../platform/kit';
import { ownMeta, type CommandMeta } from '../platform/sessions';
import type { RunEngine } from '../runs';
import type { PushDeliveries } from './push-deliveries';
import { versionNamed, withDigest } from './push-plan';
import { RecordDeploy, RecordPushFailure, WithdrawPush } from './pushes.decider';

const push = inView<StoredPush>('p.view');

const DUE = `select view from read.pushes where state = 'due' order by position limit 100`;

/** Views of things that were removed, or whose product or service was, are not joined. */
const HOMELESS = `
  select p.id, p.workspace,
    case when s.id is null or o.id is null then 'its service was removed'
      when r.id is null then 'the rule ' || ${push.text('rule', 'name')} || ' was removed'
      else 'the rule ' || ${push.text('rule', 'name')} || ' was switched off' end as reason
  from read.pushes p
  left join read.services s on s.workspace = p.workspace and s.id = p."serviceId"
  left join read.products o on o.workspace = p.workspace and o.id = p.product
  left join read.deploy_rules r on r.workspace = p.workspace and r.id = ${push.text('rule', 'id')}
  where p.state = 'waiting'
    and (s.id is null or o.id is null or r.id is null or ${inView<{ isOn: boolean }>('r.view').text('isOn')} <> 'true')
  limit 100`;

const SWEEP_EVERY = 360;

export interface StartDeps extends WatchDeps {
  deliveries: PushDeliveries;
  deploys: Deploys;
  engine: RunEngine;
  packages: PlainRecords;
}

type Package = ValuesOf<typeof servicePackage> & { id: string };

export class PushStarts extends Watch {
  protected readonly everyMs = 10_000;
  protected override readonly after = [
    'PushMatched',
    'PushApproved',
    'DeployRuleRemoved',
    'DeployRuleRevised',
    'ServiceRemoved',
    'ProductRemoved',
  ];
  private looks = 0;

  constructor(protected override readonly deps: StartDeps) {
    super(deps);
  }

  protected async settle(): Promise<void> {
    await this.deps.deliveries.recordLost();
    await this.withdraw();
    const { rows } = await this.deps.db.query<{ view: StoredPush }>(DUE);
    let failed: unknown;
    for (const { view } of rows)
      // What passes holds up no other one, and is tried again.
      await this.carryOut(view).catch((error: unknown) => (failed = error));
    if (this.looks++ % SWEEP_EVERY === 0) await this.deps.deliveries.sweep();
    if (failed !== undefined) throw failed;
  }

  private async withdraw(): Promise<void> {
    const { rows } = await this.deps.db.query<{ id: string; workspace: string; reason: string }>(HOMELESS);
    for (const { id, workspace, reason } of rows)
      await this.deps.commands.execute(new WithdrawPush(id, { reason }, ownMeta('system', workspace)));
  }

  private async carryOut(pushed: StoredPush): Promise<void> {
    const { id, workspace, correlationId, decided } = pushed;
    const release = uuidv5('deploy', id);
    const meta = ownMeta(decided?.by ?? 'system', workspace, correlationId);
    const own = ownMeta('system', workspace, correlationId);
    const outcome = await this.deploy(pushed, release, meta);
    await this.deps.commands.execute(
      outcome === undefined
        ? new RecordDeploy(id, { release }, own)
        : new RecordPushFailure(id, { reason: outcome }, own),
    );
  }

  /** @returns why the deploy was not started. @throws errors that pass */
  private async deploy(pushed: StoredPush, release: string, meta: CommandMeta): Promise<string | undefined> {
    const { id, service, rule, env, by, workspace } = pushed;
    if (await this.deps.engine.knows(release, workspace)) return undefined;
    try {
      const packageId = await this.packageOf(pushed, meta);
      const asked = { id: service.id, packageId, env: env.id, runId: release };
      await this.deps.deploys.deploy(asked, meta, { push: id, rule, by });
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError) || isTransient(error) || error.code === 'tooMany') throw error;
      return error.msg;
    }
  }

  /** The version among the packages of the service, where it is added if it is not there. */
  private async packageOf({ id, service, version, image, digest, workspace }: StoredPush, meta: CommandMeta) {
    const all = (await listOf(servicePackage, this.deps.db, workspace, service.id)) as unknown as Package[];
    const isIt = (one: Package): boolean => one.image === image && one.digest === digest;
    const known = all.find(isIt);
    if (known) return known.id;
    const named = versionNamed(version, digest);
    const isTaken = all.some((one) => one.version.toLowerCase() === named.toLowerCase());
    const data = { version: isTaken && digest !== '' ? withDigest(version, digest) : named, image, digest };
    // The same version is added once, however often this is tried.
    const added = { ...meta, keyed: true as const, commandId: uuidv5('package', id) };
    return (await this.deps.packages.add(data, service.id, added)).id;
  }
}

/** Pulls packages onto servers. Every attempt is recorded before the address is called, and its outcome afterwards. */
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { service, streamName, type EventData, type Position, type RecordedEvent } from '@quarterdeck/events';
import type { packagePullStart } from '@quarterdeck/events/inputs';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { written, type Written } from '../platform/http';
import { DomainError } from '../platform/errors';
import { PlainRecords, recordsOf } from '../platform/kit';
import { Outbound } from '../platform/outbound';
import { type CommandMeta, idFor } from '../platform/sessions';
import { EVENT_STORE, type EventStore, VAULT, type Vault } from '../platform/tokens';
import { orShred } from '../platform/vault';
import { ServerRegistry } from '../servers';
import { RecordDeploy, RequestDeploy, type PackagePullOutcome } from './package-pulls.decider';
import { PackageAddresses } from './package-addresses';
import { pullPackage, slugOf, type PullResult } from './pull-package';

type Pull = z.infer<typeof packagePullStart>;

const outcomeOf = (
  what: EventData<'DeployRequested'>,
  result: PullResult,
  of: { service?: string; durationMs: number },
): PackagePullOutcome => {
  if ('version' in result)
    return { type: 'DeploySucceeded', data: { ...what, version: result.version, ...of } };
  const { reason, status } = result;
  return { type: 'DeployFailed', data: { ...what, reason, ...(status === undefined ? {} : { status }) } };
};

type Succeeded = RecordedEvent<'DeploySucceeded', EventData<'DeploySucceeded'>>;

const answered = (id: string, version: string, position: Position) =>
  written({ id, uuid: id, version }, position);

@Injectable()
export class PackagePuller implements OnModuleDestroy {
  private readonly ending = new AbortController();
  private readonly pulls = new Set<Promise<unknown>>();

  constructor(
    private readonly commands: CommandBus,
    private readonly servers: ServerRegistry,
    private readonly outbound: Outbound,
    private readonly addresses: PackageAddresses,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(recordsOf(service)) private readonly services: PlainRecords,
  ) {}

  /** Calls that are abandoned at shutdown are recorded as abandoned: the other side may have deployed nevertheless. */
  async onModuleDestroy(): Promise<void> {
    this.ending.abort();
    await Promise.allSettled(this.pulls);
  }

  /** @throws DomainError `upstream` with the specification's message, and the reason in `data.cdUrl` */
  pull(wanted: Pull, meta: CommandMeta): Promise<Written<{ id: string; uuid: string; version: string }>> {
    const work = this.work(wanted, meta);
    this.pulls.add(work);
    const forget = (): void => void this.pulls.delete(work);
    work.then(forget, forget);
    return work;
  }

  private async work({ server, cdUrl, deployLog, slug, serviceDeploy }: Pull, meta: CommandMeta) {
    const { workspace } = meta;
    const first = idFor('deploy', meta);
    const earlier = await this.store.readStream(streamName('deploy', first));
    const succeeded = earlier.find((event): event is Succeeded => event.type === 'DeploySucceeded');
    if (succeeded) return answered(first, succeeded.data.version, succeeded.position);
    await this.servers.server(server.id, workspace);
    if (serviceDeploy) await this.services.opened(serviceDeploy.id, workspace);
    const url = cdUrl ?? (await this.addresses.of(deployLog?.id ?? '', workspace));
    const { made, ...address } = await this.addresses.keep(url, meta);
    const what = { server: server.id, ...address, slug: slug ?? slugOf(url) };
    // Nobody knows whether a call without an end has deployed. It may deploy twice, and the log shows that.
    const id = earlier.length === 0 ? first : uuidv7();
    await orShred(this.vault, workspace, made === undefined ? [] : [made], () =>
      this.commands.execute(new RequestDeploy(id, what, meta)),
    );
    const began = performance.now();
    const result = await pullPackage(this.outbound, url, { signal: this.ending.signal });
    const durationMs = Math.round(performance.now() - began);
    const outcome = outcomeOf(what, result, {
      ...(serviceDeploy && { service: serviceDeploy.id }),
      durationMs,
    });
    const { position } = await this.commands.execute(new RecordDeploy(id, outcome, meta));
    if ('version' in result) return answered(id, result.version, position);
    const { reason, code } = result;
    const detail = { code, recorded: position };
    throw new DomainError('upstream', 'something went wrong, could not deploy', { cdUrl: reason }, detail);
  }
}

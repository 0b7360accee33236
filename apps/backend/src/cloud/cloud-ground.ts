/** What all runs at a provider use: the provider itself, and what it says, recorded. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { v5 as uuidv5 } from 'uuid';
import { Decisions, followUp } from '../platform/decisions';
import { notFound } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import type { LocalIo } from '../runs';
import { CloudAccounts, type CallManner } from './cloud-accounts';
import { cloudDatabaseDecider, LoseCloudDatabase, ObserveCloudDatabase } from './cloud-databases.decider';
import { dropletDecider, LoseDroplet, ObserveDroplet } from './droplets.decider';
import { type CloudProvider, markOf, runIn, type SeenCluster, type SeenMachine } from './provider';

export const dropletId = (droplet: number, workspace: string): string =>
  uuidv5(`digitalocean droplet ${droplet}`, workspace);
export const cloudDatabaseId = (cluster: string, workspace: string): string =>
  uuidv5(`digitalocean database ${cluster}`, workspace);

const runOf = ({ tags }: { tags: readonly string[] }): { run?: string } => {
  const run = tags.map(runIn).find((one) => one !== undefined);
  return run === undefined ? {} : { run };
};

/** A run waits for pauses that the provider asks for, up to this. */
const WAIT_S = 120;

@Injectable()
export class CloudGround {
  /** Pauses between looks: often at first, then rarely. Tests shorten them. */
  readonly patience = { pollMs: 5000, laterMs: 10_000, looksAtFirst: 12 };

  constructor(
    private readonly accounts: CloudAccounts,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
  ) {}

  provider(workspace: string, manner: CallManner = {}): Promise<CloudProvider> {
    return this.accounts.provider(workspace, manner);
  }

  /** For a step of a run. */
  inRun({ meta, signal }: LocalIo): Promise<CloudProvider> {
    return this.accounts.provider(meta.workspace, { signal, waitSeconds: WAIT_S });
  }

  /** Looks until `work` returns something. */
  async until<T>(work: () => Promise<T | undefined>, signal: AbortSignal): Promise<T> {
    const { pollMs, laterMs, looksAtFirst } = this.patience;
    for (let look = 1; ; look += 1) {
      const found = await work();
      if (found !== undefined) return found;
      await sleep(look < looksAtFirst ? pollMs : laterMs, undefined, { signal });
    }
  }

  /** @throws DomainError `notFound` if it is unknown, or gone */
  async droplet(id: string, workspace: string) {
    const { state } = await this.decisions.load(dropletDecider, id, workspace);
    if (state.is !== 'here') throw notFound('droplet');
    return state;
  }

  /** @throws DomainError `notFound` if it is unknown, or gone */
  async database(id: string, workspace: string) {
    const { state } = await this.decisions.load(cloudDatabaseDecider, id, workspace);
    if (state.is !== 'here') throw notFound('cloud database');
    return state;
  }

  /** Asks the provider for machines with the mark of a run, and records them. A key with the mark is removed. */
  async markedMachines(run: string, io: LocalIo): Promise<{ id: string; name: string }[]> {
    const provider = await this.inRun(io);
    const mark = markOf(run);
    for (const { key, name } of await provider.keys()) if (name === mark) await provider.deleteKey(key);
    const found = (await provider.machines(mark)).filter(({ tags }) => tags.includes(mark));
    return Promise.all(
      found.map(async (one) => ({ id: await this.observeMachine(one, io.meta), name: one.name })),
    );
  }

  /** Asks the provider for databases with the mark of a run, and records them. */
  async markedClusters(run: string, io: LocalIo): Promise<{ id: string; name: string }[]> {
    const mark = markOf(run);
    const found = (await (await this.inRun(io)).clusters(mark)).filter(({ tags }) => tags.includes(mark));
    return Promise.all(
      found.map(async (one) => ({ id: await this.observeCluster(one, io.meta), name: one.name })),
    );
  }

  async observeMachine(machine: SeenMachine, meta: CommandMeta): Promise<string> {
    const { isLocked: _, ...seen } = machine;
    const id = dropletId(seen.droplet, meta.workspace);
    const data = { cloud: 'digitalocean' as const, ...seen, ...runOf(seen) };
    await this.commands.execute(new ObserveDroplet(id, data, followUp(meta)));
    return id;
  }

  async observeCluster(seen: SeenCluster, meta: CommandMeta): Promise<string> {
    const id = cloudDatabaseId(seen.cluster, meta.workspace);
    const data = { cloud: 'digitalocean' as const, ...seen, ...runOf(seen) };
    await this.commands.execute(new ObserveCloudDatabase(id, data, followUp(meta)));
    return id;
  }

  async loseMachine(id: string, meta: CommandMeta): Promise<void> {
    await this.commands.execute(new LoseDroplet(id, {}, followUp(meta)));
  }

  async loseCluster(id: string, meta: CommandMeta): Promise<void> {
    await this.commands.execute(new LoseCloudDatabase(id, {}, followUp(meta)));
  }
}

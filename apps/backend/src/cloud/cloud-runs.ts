/** Starts the runs at a provider. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { InputOf } from '@quarterdeck/contract';
import type { cloud } from '@quarterdeck/contract';
import { cloudNames, isTyped, type Position } from '@quarterdeck/events';
import { DomainError, invalidField } from '../platform/errors';
import { type CommandMeta, idFor } from '../platform/sessions';
import { RunEngine, type RunRequest } from '../runs';
import { CloudAccounts, noToken } from './cloud-accounts';
import { CloudGround } from './cloud-ground';
import { CloudRequests } from './cloud-requests';
import { cloudAccountId } from './cloud-tokens';
import { createDroplet } from './create-droplet.kind';
import { createCloudDatabase, deletions, dropletAction } from './droplet.kinds';
import { FirstContact } from './first-contact';
import { MachineKeys } from './machine-keys';
import { markOf } from './provider';
import type { CloudRunInput, CloudRunKind } from './run-inputs';

/** What a machine or database is made of unless the operator says otherwise: the smallest that is offered everywhere. */
export const DEFAULTS = { region: 'fra1', size: 's-1vcpu-1gb', image: 'debian-12-x64' } as const;
const DATABASE_DEFAULTS = { engine: 'mysql', region: 'fra1', size: 'db-s-1vcpu-1gb' } as const;

interface Started {
  runId: string;
  position: Position;
}

@Injectable()
export class CloudRuns implements OnModuleInit {
  constructor(
    private readonly runs: RunEngine,
    private readonly accounts: CloudAccounts,
    private readonly ground: CloudGround,
    private readonly requests: CloudRequests,
    private readonly keys: MachineKeys,
    private readonly contact: FirstContact,
  ) {}

  onModuleInit(): void {
    const { ground, requests, keys, contact } = this;
    this.runs.register(createDroplet({ ground, requests, keys, contact }));
    this.runs.register(dropletAction(ground, requests));
    for (const kind of deletions(ground)) this.runs.register(kind);
    this.runs.register(createCloudDatabase(ground, requests, markOf));
  }

  createDroplet(
    { runId, name, backups = false, ...chosen }: InputOf<typeof cloud.dropletCreate>,
    meta: CommandMeta,
  ) {
    return this.inAccount('createDroplet', runId, { ...DEFAULTS, ...given(chosen), name, backups }, meta);
  }

  createDatabase({ runId, name, ...chosen }: InputOf<typeof cloud.databaseCreate>, meta: CommandMeta) {
    return this.inAccount(
      'createCloudDatabase',
      runId,
      { ...DATABASE_DEFAULTS, ...given(chosen), name },
      meta,
    );
  }

  async act(
    { id, runId, name: typed, ...input }: InputOf<typeof cloud.dropletAct>,
    meta: CommandMeta,
  ): Promise<Started> {
    const { found } = await this.ground.droplet(id, meta.workspace);
    if (input.type === 'rebuild' && !isTyped(found.name, typed ?? ''))
      throw invalidField('name', 'a rebuild deletes everything on the droplet: type its name to confirm');
    await this.mustBeConnected(meta.workspace);
    const subject = { kind: 'droplet', id, name: found.name };
    const request = { subject, input: { ...given(input), droplet: found.droplet } };
    return this.start('dropletAction', runId, request, meta);
  }

  async deleteDroplet(
    { id, name, runId }: InputOf<typeof cloud.dropletDelete>,
    meta: CommandMeta,
  ): Promise<Started> {
    const { found } = await this.ground.droplet(id, meta.workspace);
    if (!isTyped(found.name, name)) throw invalidField('name', 'this is not the name of the droplet');
    await this.mustBeConnected(meta.workspace);
    const subject = { kind: 'droplet', id, name: found.name };
    const request = { subject, input: { droplet: found.droplet } };
    return this.start('deleteDroplet', runId, request, meta);
  }

  async deleteDatabase(
    { uuid: id, name, runId }: InputOf<typeof cloud.databaseDelete>,
    meta: CommandMeta,
  ): Promise<Started> {
    const { found } = await this.ground.database(id, meta.workspace);
    if (name !== undefined && !isTyped(found.name, name))
      throw invalidField('name', 'this is not the name of the database');
    await this.mustBeConnected(meta.workspace);
    const subject = { kind: 'clouddatabase', id, name: found.name };
    const request = { subject, input: { cluster: found.cluster } };
    return this.start('deleteCloudDatabase', runId, request, meta);
  }

  private start<K extends CloudRunKind>(
    kind: K,
    runId: string | undefined,
    request: { subject: RunRequest['subject']; input: CloudRunInput<K> },
    meta: CommandMeta,
  ): Promise<Started> {
    return this.runs.start(runId ?? idFor('run', meta), kind, request, meta);
  }

  private async inAccount<K extends CloudRunKind>(
    kind: K,
    runId: string | undefined,
    input: CloudRunInput<K>,
    meta: CommandMeta,
  ): Promise<Started> {
    const connected = await this.mustBeConnected(meta.workspace);
    const id = cloudAccountId(meta.workspace);
    const subject = { kind: 'cloudaccount', id, name: cloudNames[connected.cloud] };
    return this.start(kind, runId, { subject, input }, meta);
  }

  private async mustBeConnected(workspace: string) {
    const connected = await this.accounts.connected(workspace);
    if (!connected) throw noToken();
    if (connected.refused !== undefined)
      throw new DomainError('unprocessable', connected.refused, undefined, { code: 'tokenRefused' });
    return connected;
  }
}

/** Without fields that were not given. */
const given = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

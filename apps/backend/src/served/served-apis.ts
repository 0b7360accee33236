/** The APIs that this console serves. Each begins with its first request, or at once if it has a port of its own. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DomainError } from '../platform/errors';
import { LOGGER, type Logger } from '../platform/tokens';
import { ApiSources, type Changes } from './api-sources';
import { KeptCounts } from './kept-counts';
import { ResetMails } from './reset-mails';
import type { PortState } from './messages';
import { ServedProcesses } from './child-process';
import { ServedApi } from './served-api';
import { Traffic } from './traffic';

const IDLE_MS = 5 * 60_000;
const AGAIN_MS = 1000;

interface KnownApi {
  readonly workspace: string;
  readonly api: ServedApi;
}

@Injectable()
export class ServedApis implements OnApplicationBootstrap, OnModuleDestroy {
  /** Only those that somebody has asked for, and that exist. */
  private readonly apis = new Map<string, KnownApi>();
  private readonly noTraffic = new Traffic();
  private readonly processes = new ServedProcesses();
  private isClosed = false;

  constructor(
    private readonly sources: ApiSources,
    private readonly resets: ResetMails,
    private readonly counts: KeptCounts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    sources.watch((workspace, what) => {
      for (const [instance, one] of this.apis)
        if (workspace === undefined || one.workspace === workspace)
          void this.changed(instance, one.api, what);
      void this.openPorts(workspace);
    });
  }

  onApplicationBootstrap(): void {
    void this.openPorts();
  }

  /** @returns undefined: nobody has asked for it yet, or it does not exist */
  known(instance: string): ServedApi | undefined {
    return this.apis.get(instance)?.api;
  }

  /** @throws DomainError `notFound` */
  async of(instance: string): Promise<ServedApi> {
    const known = this.apis.get(instance);
    if (known) return known.api;
    const workspace = await this.sources.workspaceOf(instance);
    if (workspace === undefined) throw new DomainError('notFound', 'uuid not found');
    // Another request may have come meanwhile.
    const { api } = this.apis.get(instance) ?? this.add(instance, workspace);
    return api;
  }

  /** Begins no process. */
  trafficOf(instance: string): Traffic {
    return this.apis.get(instance)?.api.traffic ?? this.noTraffic;
  }

  portOf(instance: string): PortState | undefined {
    return this.apis.get(instance)?.api.port;
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosed = true;
    this.processes.close();
    await Promise.all([...this.apis.values()].map(({ api }) => api.close()));
    await this.counts.flush();
  }

  private add(instance: string, workspace: string): KnownApi {
    const api = new ServedApi(this.sources.of(instance, workspace), {
      processes: this.processes,
      idleMs: IDLE_MS,
      onFault: (what, message) => this.logger.warn({ instance, ...what }, message),
      onCounts: (counts) => this.counts.add(instance, counts),
      onReset: (asked) => void this.resets.send(instance, workspace, asked),
    });
    const one = { workspace, api };
    this.apis.set(instance, one);
    return one;
  }

  /** @param workspace whose APIs may have other ports than before. Default: of all */
  private async openPorts(workspace?: string): Promise<void> {
    try {
      const ports = await this.sources.ports(workspace);
      if (this.isClosed) return;
      for (const [instance, one] of ports) if (!this.apis.has(instance)) this.add(instance, one.workspace);
      for (const [instance, one] of this.apis)
        if (workspace === undefined || one.workspace === workspace)
          one.api.expect(ports.get(instance)?.listens);
    } catch (error) {
      this.logger.warn({ workspace, err: error }, 'the ports of served APIs could not be read');
      if (!this.isClosed) setTimeout(() => void this.openPorts(workspace), AGAIN_MS).unref();
    }
  }

  private async changed(instance: string, api: ServedApi, what: Changes): Promise<void> {
    try {
      // Both begin at once: requests that come from now on wait for the change.
      await Promise.all([what.database && api.renew(), what.description && api.reload()]);
      if ((await this.sources.workspaceOf(instance)) !== undefined) return;
      this.forget(instance, api);
    } catch (error) {
      this.logger.warn({ instance, err: error }, 'a change of a served API could not be applied');
      // The next request begins with what is described then, or finds nothing.
      this.forget(instance, api);
      void this.openPorts();
    }
  }

  private forget(instance: string, api: ServedApi): void {
    this.apis.delete(instance);
    api.expect(undefined);
    api.stop();
  }
}

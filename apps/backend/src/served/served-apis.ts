/** The APIs that this console serves. Each begins with its first request. */
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DomainError } from '../platform/errors';
import { LOGGER, type Logger } from '../platform/tokens';
import { ApiSources } from './api-sources';
import { ResetMails } from './reset-mails';
import { ServedApi } from './served-api';
import { Traffic } from './traffic';

const IDLE_MS = 5 * 60_000;

interface KnownApi {
  readonly workspace: string;
  readonly api: ServedApi;
}

@Injectable()
export class ServedApis implements OnModuleDestroy {
  /** Only those that somebody has asked for, and that exist. */
  private readonly known = new Map<string, KnownApi>();
  private readonly noTraffic = new Traffic();

  constructor(
    private readonly sources: ApiSources,
    private readonly resets: ResetMails,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    sources.watch((workspace, what) => {
      for (const [instance, one] of this.known)
        if (one.workspace === workspace) void this.changed(instance, one.api, what.database);
    });
  }

  /** @throws DomainError `notFound` */
  async of(instance: string): Promise<ServedApi> {
    const known = this.known.get(instance);
    if (known) return known.api;
    const workspace = await this.sources.workspaceOf(instance);
    if (workspace === undefined) throw new DomainError('notFound', 'uuid not found');
    // Another request may have come meanwhile.
    const { api } = this.known.get(instance) ?? this.add(instance, workspace);
    return api;
  }

  /** Begins no process. */
  trafficOf(instance: string): Traffic {
    return this.known.get(instance)?.api.traffic ?? this.noTraffic;
  }

  onModuleDestroy(): void {
    for (const { api } of this.known.values()) api.close();
  }

  private add(instance: string, workspace: string): KnownApi {
    const api = new ServedApi(this.sources.of(instance, workspace), {
      idleMs: IDLE_MS,
      onFault: (what, message) => this.logger.warn({ instance, ...what }, message),
      onReset: (asked) => void this.resets.send(instance, workspace, asked),
    });
    const one = { workspace, api };
    this.known.set(instance, one);
    return one;
  }

  private async changed(instance: string, api: ServedApi, needsNewProcess: boolean): Promise<void> {
    try {
      // At once: requests that come from now on wait for the change.
      if (needsNewProcess) api.stop();
      else await api.reload();
      if ((await this.sources.workspaceOf(instance)) !== undefined) return;
      this.known.delete(instance);
      api.stop();
    } catch (error) {
      this.logger.warn({ instance, err: error }, 'a change of a served API could not be applied');
      // The next request begins with what is described then, or finds nothing.
      this.known.delete(instance);
      api.stop();
    }
  }
}

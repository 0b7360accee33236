/** What is chosen for a workspace, as its calls set it and other features read it. */
import { Inject, Injectable } from '@nestjs/common';
import type { EventData } from '@quarterdeck/events';
import {
  defaultAlerts,
  defaultContainerFlow,
  defaultDns,
  defaultHealthChecks,
  defaultRetention,
  defaultSslMonitor,
} from '@quarterdeck/projections';
import { done, type Ids, type Written } from '../platform/http';
import { Decisions } from '../platform/decisions';
import { conflict, DomainError, Outrun } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { Configure, workspaceDecider, type Setting } from './workspaces.decider';

type SettingType = Setting['type'];

/** One of those who are at it succeeds each time. */
const ATTEMPTS = 20;

/** What holds until somebody chooses. */
export const defaults: { [T in SettingType]: EventData<T> } = {
  HealthChecksConfigured: defaultHealthChecks,
  DnsConfigured: defaultDns,
  SslMonitorConfigured: defaultSslMonitor,
  AlertsConfigured: defaultAlerts,
  ContainerFlowConfigured: defaultContainerFlow,
  RetentionConfigured: defaultRetention,
};

@Injectable()
export class WorkspaceSettings {
  constructor(@Inject(Decisions) private readonly decisions: Decisions) {}

  /** As the log tells it, never behind; the default when nothing was chosen. */
  async get<T extends SettingType>(type: T, workspace: string): Promise<EventData<T>> {
    const { state } = await this.decisions.load(workspaceDecider, workspace, workspace);
    return state.settings[type] ?? defaults[type];
  }

  /**
   * For a setting that takes something along when it is replaced, such as a secret: `work` is given what is there now, and
   * the revision to set it at. Where the editor did not say which one he saw, it is done again when somebody else was
   * quicker, so that what `work` was given is always what it replaces.
   */
  async replace<T extends SettingType, R>(
    type: T,
    workspace: string,
    revision: number | undefined,
    work: (before: EventData<T>, revision: number) => Promise<R>,
  ): Promise<R> {
    for (let attempt = 1; ; attempt += 1) {
      const { state, revision: newest } = await this.decisions.load(workspaceDecider, workspace, workspace);
      try {
        return await work(state.settings[type] ?? defaults[type], revision ?? newest);
      } catch (error) {
        const outrun = error instanceof DomainError && error.code === 'conflict';
        if (!outrun || revision !== undefined || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /**
   * @param revision the one of the workspace that the editor saw
   * @throws DomainError `conflict` with the setting as it is now
   */
  async set(setting: Setting, meta: CommandMeta, revision?: number): Promise<Written<Ids>> {
    const { workspace } = meta;
    try {
      const command = new Configure(workspace, setting, meta, revision);
      const { position } = await this.decisions.execute(workspaceDecider, command);
      return done({ id: workspace, position });
    } catch (error) {
      if (!(error instanceof Outrun)) throw error;
      // Both from one look at the log: what is seen is what the next try replaces.
      const { state, revision: newest } = await this.decisions.load(workspaceDecider, workspace, workspace);
      const current = state.settings[setting.type] ?? defaults[setting.type];
      throw conflict(error.msg, { ...current, revision: newest });
    }
  }
}

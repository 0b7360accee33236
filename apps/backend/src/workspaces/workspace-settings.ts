/** The settings of a workspace, as its calls set them and other features read them. */
import { Injectable } from '@nestjs/common';
import type { EventData } from '@quarterdeck/events';
import {
  defaultAlerts,
  defaultAudience,
  defaultContainerFlow,
  defaultDns,
  defaultHealthChecks,
  defaultMailServer,
  defaultRetention,
  defaultSecondFactor,
  defaultSourceHost,
  defaultSslMonitor,
} from '@quarterdeck/projections';
import { done, type Ids, type Written } from '../platform/http';
import { Decisions } from '../platform/decisions';
import { conflict, DomainError, EditConflict } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { Configure, workspaceDecider, type Setting } from './workspaces.decider';

type SettingType = Setting['type'];

/** Of several concurrent writers, one succeeds each time. */
const ATTEMPTS = 20;

/** Used until somebody sets something else. */
export const defaults: { [T in SettingType]: EventData<T> } = {
  HealthChecksConfigured: defaultHealthChecks,
  DnsConfigured: defaultDns,
  SslMonitorConfigured: defaultSslMonitor,
  AlertsConfigured: defaultAlerts,
  ContainerFlowConfigured: defaultContainerFlow,
  AudienceConfigured: defaultAudience,
  SourceHostConfigured: defaultSourceHost,
  SecondFactorConfigured: defaultSecondFactor,
  RetentionConfigured: defaultRetention,
  MailServerConfigured: defaultMailServer,
};

@Injectable()
export class WorkspaceSettings {
  constructor(private readonly decisions: Decisions) {}

  /** Read from the log, so it is always current. Returns the default if nothing was set. */
  async get<T extends SettingType>(type: T, workspace: string): Promise<EventData<T>> {
    const { state } = await this.decisions.load(workspaceDecider, workspace, workspace);
    return state.settings[type] ?? defaults[type];
  }

  /**
   * For a setting with a companion, such as a secret, that is destroyed when it is replaced. `work` gets the present
   * setting and the revision to set it at. If the editor gave no revision, a lost race is repeated, so that `work`
   * always gets exactly what it replaces.
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
   * @param revision of the workspace, as the editor saw it
   * @throws DomainError `conflict` with the current setting
   */
  async set(setting: Setting, meta: CommandMeta, revision?: number): Promise<Written<Ids>> {
    const { workspace } = meta;
    try {
      const command = new Configure(workspace, setting, meta, revision);
      const { position } = await this.decisions.execute(workspaceDecider, command);
      return done({ id: workspace, position });
    } catch (error) {
      if (!(error instanceof EditConflict)) throw error;
      // Both from one read of the log: the next attempt replaces exactly what was read.
      const { state, revision: newest } = await this.decisions.load(workspaceDecider, workspace, workspace);
      const current = state.settings[setting.type] ?? defaults[setting.type];
      throw conflict(error.msg, { ...current, revision: newest });
    }
  }
}

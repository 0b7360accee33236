import { Controller, Inject } from '@nestjs/common';
import { workspaces, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker } from '../platform/http';
import { DomainError } from '../platform/errors';
import { demandFreshProof, type Sessions } from '../platform/sessions';
import { DB, SESSIONS, type Pool } from '../platform/tokens';
import { WorkspaceSettings } from './workspace-settings';
import { workspaceDetail } from './workspaces.queries';

/** The workspace is always that of the session. No call names another one. */
@Controller()
export class WorkspacesController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly settings: WorkspaceSettings,
    @Inject(SESSIONS) private readonly sessions: Sessions,
  ) {}

  @Answers(workspaces.detail)
  detail(_: object, { session: { workspace } }: Asker) {
    return workspaceDetail(this.db, workspace);
  }

  @Answers(workspaces.healthChecks)
  healthChecks({ revision, ...data }: InputOf<typeof workspaces.healthChecks>, { meta }: Asker) {
    return this.settings.set({ type: 'HealthChecksConfigured', data }, meta, revision);
  }

  @Answers(workspaces.sourceHost)
  sourceHost({ revision, ...data }: InputOf<typeof workspaces.sourceHost>, { meta }: Asker) {
    return this.settings.set({ type: 'SourceHostConfigured', data }, meta, revision);
  }

  @Answers(workspaces.retention)
  retention({ revision, ...data }: InputOf<typeof workspaces.retention>, { meta }: Asker) {
    return this.settings.set({ type: 'RetentionConfigured', data }, meta, revision);
  }

  /** Members without one are signed out, and set one up when they sign in. The asker cannot lock themselves out. */
  @Answers(workspaces.secondFactor)
  async secondFactor(
    { revision, ...data }: InputOf<typeof workspaces.secondFactor>,
    { session, meta }: Asker,
  ) {
    if (data.demanded && !session.hasFactor)
      throw new DomainError('conflict', 'add a second factor of your own first: you would lock yourself out');
    demandFreshProof(session, meta);
    const answer = await this.settings.set({ type: 'SecondFactorConfigured', data }, meta, revision);
    if (data.demanded) await this.sessions.revokeUnprovedIn(session.workspace);
    return answer;
  }
}

/**
 * Makes sessions follow the recorded roles, even if the recording process died before it updated them: every process
 * checks at intervals. The read model only suggests whom to check. The log decides, so a read model that is behind
 * revokes nothing.
 */
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DB, LOGGER, type Logger, type Pool } from '../platform/tokens';
import { Roles } from './roles';

const SWEEP_MS = 15_000;

@Injectable()
export class SessionRoles implements OnApplicationBootstrap, OnModuleDestroy {
  private sweeping: NodeJS.Timeout | undefined;
  private looking = Promise.resolve();

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly roles: Roles,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeping = setInterval(() => {
      this.looking = this.looking.then(() => this.look()).catch((error: unknown) => this.fault(error));
    }, SWEEP_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.sweeping);
    await this.looking;
  }

  async look(): Promise<void> {
    const { rows } = await this.db.query<{ id: string; workspace: string }>(
      `select distinct p.id, p.workspace from app.sessions s join read.people p on p.id = s.person::text
       where p."removedAt" is null and p.role <> s.role`,
    );
    // A fault with one person must not affect the others.
    for (const { id, workspace } of rows)
      await this.roles.settle(id, workspace).catch((error: unknown) => this.fault(error));
  }

  private fault(error: unknown): void {
    this.logger.warn({ err: error }, 'the role of a session could not be looked up');
  }
}

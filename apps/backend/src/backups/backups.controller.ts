/** Backups for superadmins. */
import { Controller, Inject } from '@nestjs/common';
import { backups, type Given } from '@quarterdeck/contract';
import { invalidField } from '../platform/errors';
import { Answers, type Asker, written } from '../platform/http';
import { HELD } from '../platform/leases';
import { idFor } from '../platform/sessions';
import { DB, VAULT, type Pool } from '../platform/tokens';
import type { PostgresVault } from '../platform/vault';
import { recipientProblem } from './archive/write';
import { ownRecipient } from './own-identity';
import { BackupWork } from './work/backup-work';
import { progressOf } from './work/progress';

@Controller()
export class BackupsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(VAULT) private readonly vault: PostgresVault,
    @Inject(BackupWork) private readonly work: BackupWork,
  ) {}

  @Answers(backups.overview)
  async overview() {
    const [{ plan, current, archives, failed }, { key }, held] = await Promise.all([
      this.work.book.state(),
      this.vault.current(),
      this.db.query('select from app.installation where key = $1', [HELD]),
    ]);
    const progress = current && (await progressOf(this.db, current.work));
    return {
      plan,
      target: { name: this.work.targetOf(plan).name, besideConsole: this.work.isBesideConsole(plan) },
      own: await ownRecipient(key),
      ...(current ? { current: { ...current, ...(progress ? { progress } : {}) } } : {}),
      archives: archives.toReversed(),
      ...(failed ? { failed } : {}),
      held: held.rowCount !== 0,
    };
  }

  @Answers(backups.configure)
  async configure(plan: Given<typeof backups.configure>, { meta }: Asker) {
    for (const [at, recipient] of plan.recipients.entries()) {
      const problem = recipientProblem(recipient);
      if (problem !== undefined) throw invalidField(`recipients.${at}`, problem);
    }
    const { path } = plan.target;
    const target = { kind: plan.target.kind, ...(path === undefined ? {} : { path }) };
    const { position } = await this.work.book.configure({ ...plan, target }, meta);
    return written({}, position);
  }

  @Answers(backups.take)
  async take({ full = false }: Given<typeof backups.take>, { meta }: Asker) {
    const work = idFor('backup', meta);
    const { position } = await this.work.book.request({ work, why: 'operator', full }, meta);
    return written({ work }, position);
  }

  @Answers(backups.cancel)
  async cancel({ work }: Given<typeof backups.cancel>, { meta }: Asker) {
    const { position } = await this.work.book.cancel(work, meta);
    return written({ work }, position);
  }
}

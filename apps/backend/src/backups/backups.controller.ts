/** Backups for superadmins. */
import { Controller, Inject } from '@nestjs/common';
import { backups, type Given } from '@quarterdeck/contract';
import { messages } from '@quarterdeck/events/inputs';
import { v7 as uuidv7 } from 'uuid';
import { invalidField } from '../platform/errors';
import { Answers, type Asker, written } from '../platform/http';
import { HELD } from '../platform/leases';
import { idFor } from '../platform/sessions';
import { DB, VAULT, type Pool } from '../platform/tokens';
import { fingerprintOf, orShred, type PostgresVault, type SecretName } from '../platform/vault';
import { recipientProblem } from './archive/write';
import { ownRecipient } from './own-identity';
import type { Plan } from './plan';
import { INSTALLATION } from './targets/open-target';
import { BackupWork } from './work/backup-work';
import { progressOf } from './work/progress';

/** Without the reference to the vault. */
const shown = ({ target, ...plan }: Plan) => ({
  ...plan,
  target: target.kind === 's3' ? { ...target, secret: { fingerprint: target.secret.fingerprint } } : target,
});

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
      plan: shown(plan),
      target: { name: this.work.nameOf(plan), besideConsole: this.work.isBesideConsole(plan) },
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
    const { plan: before } = await this.work.book.state();
    const { target, made } = await this.targetOf(plan.target, before.target);
    const set = () => this.work.book.configure({ ...plan, target }, meta);
    const { position } = await orShred(this.vault, made, set);
    const old = before.target.kind === 's3' ? before.target.secret.ref : undefined;
    if (old !== undefined && (target.kind !== 's3' || target.secret.ref !== old))
      await this.vault.shred({ workspace: INSTALLATION, ref: old });
    return written({}, position);
  }

  /** The target as it is recorded: its secret goes to the vault. */
  private async targetOf(
    wanted: Given<typeof backups.configure>['target'],
    before: Plan['target'],
  ): Promise<{ target: Plan['target']; made?: SecretName }> {
    if (wanted.kind === 'folder') {
      const { path } = wanted;
      return { target: { kind: 'folder', ...(path === undefined ? {} : { path }) } };
    }
    const { secretAccessKey, prefix = '', ...rest } = wanted;
    const s3 = { ...rest, prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/` };
    if (secretAccessKey === undefined) {
      // Otherwise another address would be sent signatures made with it.
      if (before.kind !== 's3' || before.endpoint !== s3.endpoint || before.accessKeyId !== s3.accessKeyId)
        throw invalidField('target.secretAccessKey', messages.required);
      return { target: { ...s3, secret: before.secret } };
    }
    const made = { workspace: INSTALLATION, ref: uuidv7() };
    const fingerprint = fingerprintOf(secretAccessKey);
    await this.vault.put(made, secretAccessKey, { kind: 's3-secret-access-key', fingerprint });
    return { target: { ...s3, secret: { ref: made.ref, fingerprint } }, made };
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

/** Backups for superadmins. */
import { isAbsolute } from 'node:path';
import { Readable } from 'node:stream';
import { Controller, Inject, StreamableFile } from '@nestjs/common';
import type { EventData } from '@quarterdeck/events';
import { backups, type InputOf } from '@quarterdeck/contract';
import { messages } from '@quarterdeck/events/inputs';
import { chainTo } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { conflict, DomainError, invalidField, notFound } from '../platform/errors';
import { Answers, type Asker, written } from '../platform/http';
import { idFor } from '../platform/sessions';
import { DB, EVENT_STORE, VAULT, type EventStore, type Pool } from '../platform/tokens';
import { tarBytes, tarOf } from '../platform/tar';
import { certificatesProblem } from '../platform/tls';
import { fingerprintOf, replacingSecrets, type PostgresVault } from '../platform/vault';
import { recipientProblem } from './archive/age';
import type { BackupState, RecordedArchive } from './backups.decider';
import { ownRecipient } from './own-identity';
import type { Plan } from './plan';
import { INSTALLATION } from './targets/open-target';
import { heldRestore, releaseScheduledWork } from './restore/settle';
import { BackupWork } from './work/backup-work';
import { progressOf } from './work/progress';

const factsOf = ({ takenAt, position, upTo, sessions, links, runs }: EventData<'ConsoleRestored'>) => ({
  takenAt,
  position,
  sessions,
  links,
  runs,
  ...(upTo === undefined ? {} : { upTo }),
});

const provenFacts = (proven: EventData<'DrillPassed'>) => {
  const { work: _, ...proof } = proven;
  return { ...proof, archives: proven.archives.length };
};

const shownTarget = (target: Plan['target']) => {
  if (target.kind === 'folder') return target;
  const { secret, session, ...address } = target;
  return {
    ...address,
    secret: { fingerprint: secret.fingerprint },
    ...(session ? { session: { fingerprint: session.fingerprint } } : {}),
  };
};

/** The plan without the references to secrets in the vault. */
const shown = ({ target, ...plan }: Plan) => ({ ...plan, target: shownTarget(target) });

const attached = (name: string, length: number, type: string, content: Readable): StreamableFile =>
  new StreamableFile(content, { type, length, disposition: `attachment; filename="${name}"` });

const secretsOf = (target: Plan['target']) => (target.kind === 's3' ? [target.secret, target.session] : []);

@Controller()
export class BackupsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(VAULT) private readonly vault: PostgresVault,
    private readonly work: BackupWork,
  ) {}

  @Answers(backups.overview)
  async overview() {
    const [state, { key }, restored] = await Promise.all([
      this.work.book.state(),
      this.vault.current(),
      heldRestore(this.db, this.store),
    ]);
    const { plan, current, waiting, archives, failed, proven, drillFailed, fullWanted } = state;
    const progress = current && (await progressOf(this.db, current.work));
    return {
      plan: shown(plan),
      target: { name: this.work.nameOf(plan), besideConsole: this.work.isBesideConsole(plan) },
      own: await ownRecipient(key),
      ...(current ? { current: { ...current, ...(progress ? { progress } : {}) } } : {}),
      ...(waiting ? { waiting: { work: waiting.work, why: waiting.why, full: waiting.full } } : {}),
      archives: archives.toReversed(),
      ...(failed ? { failed: { at: failed.at, reason: failed.reason } } : {}),
      fullWanted,
      notRemoved: state.notRemoved.map(({ place, archives: stuck, reason }) => ({
        place,
        names: stuck.map(({ name }) => name),
        reason,
      })),
      ...(proven ? { proven: provenFacts(proven) } : {}),
      ...(drillFailed ? { drillFailed } : {}),
      ...(restored ? { restored: factsOf(restored) } : {}),
    };
  }

  @Answers(backups.configure)
  async configure(plan: InputOf<typeof backups.configure>, { meta }: Asker) {
    for (const [at, recipient] of plan.recipients.entries()) {
      const problem = recipientProblem(recipient);
      if (problem !== undefined) throw invalidField(`recipients.${at}`, problem);
    }
    const { plan: before } = await this.work.book.state();
    const target = await this.targetOf(plan.target, before.target);
    const secrets = { before: secretsOf(before.target), after: secretsOf(target) };
    const { position } = await replacingSecrets(this.vault, INSTALLATION, secrets, () =>
      this.work.book.configure({ ...plan, target }, meta),
    );
    return written({}, position);
  }

  /** The target as it is recorded. Its secrets are stored in the vault. */
  private async targetOf(
    wanted: InputOf<typeof backups.configure>['target'],
    before: Plan['target'],
  ): Promise<Plan['target']> {
    if (wanted.kind === 'folder') {
      const { path } = wanted;
      return { kind: 'folder', ...(path === undefined ? {} : { path }) };
    }
    const { secretAccessKey, sessionToken, ...address } = wanted;
    const { prefix = '', ca = '', storageClass = '', encryptionKey = '', ...rest } = address;
    const problem = certificatesProblem(ca);
    if (problem !== undefined) throw invalidField('target.ca', problem);
    const s3 = {
      ...rest,
      prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
      ...(storageClass === '' ? {} : { storageClass }),
      ...(encryptionKey === '' ? {} : { encryptionKey }),
      ...(ca.trim() === '' ? {} : { ca }),
    };
    if (secretAccessKey === undefined) {
      // A secret is never reused for another endpoint, which would receive signatures made with it.
      if (before.kind !== 's3' || before.endpoint !== s3.endpoint || before.accessKeyId !== s3.accessKeyId)
        throw invalidField('target.secretAccessKey', messages.required);
      const session = sessionToken === undefined ? before.session : await this.keptSession(sessionToken);
      return { ...s3, secret: before.secret, ...(session ? { session } : {}) };
    }
    const secret = await this.keptInVault('s3-secret-access-key', secretAccessKey);
    if (sessionToken === undefined) return { ...s3, secret };
    return { ...s3, secret, session: await this.keptSession(sessionToken) };
  }

  private keptSession(token: string): Promise<{ ref: string; fingerprint: string }> {
    return this.keptInVault('s3-session-token', token);
  }

  private async keptInVault(kind: string, value: string): Promise<{ ref: string; fingerprint: string }> {
    const [ref, fingerprint] = [uuidv7(), fingerprintOf(value)];
    await this.vault.put({ workspace: INSTALLATION, ref }, value, { kind, fingerprint });
    return { ref, fingerprint };
  }

  @Answers(backups.try)
  try() {
    return this.work.try();
  }

  @Answers(backups.take)
  async take({ full = false }: InputOf<typeof backups.take>, { meta }: Asker) {
    const work = idFor('backup', meta);
    const { position } = await this.work.book.request({ work, why: 'operator', full }, meta);
    return written({ work }, position);
  }

  @Answers(backups.drill)
  async drill(_input: InputOf<typeof backups.drill>, { meta }: Asker) {
    const work = idFor('drill', meta);
    const { position } = await this.work.book.drill({ work, why: 'operator' }, meta);
    return written({ work }, position);
  }

  @Answers(backups.cancel)
  async cancel({ work }: InputOf<typeof backups.cancel>, { meta }: Asker) {
    const { position } = await this.work.book.cancel(work, meta);
    return written({ work }, position);
  }

  @Answers(backups.archive)
  async archive({ archive: id }: InputOf<typeof backups.archive>) {
    const { archive, state } = await this.found(id);
    return attached(
      archive.name,
      archive.bytes,
      'application/octet-stream',
      await this.content(archive, state),
    );
  }

  @Answers(backups.download)
  async download({ archive: id }: InputOf<typeof backups.download>) {
    const { archive, state } = await this.found(id);
    const chain = chainTo(archive, state.archives);
    if (!chain) throw conflict('an archive that it continues is missing: take a full backup', archive.base);
    // Open the first archive before the answer begins: after that, errors can no longer be answered with a message.
    const first = await this.content(chain[0]!, state);
    if (chain.length === 1) return attached(archive.name, archive.bytes, 'application/octet-stream', first);
    const files = chain.map((one, nth) => ({
      name: one.name,
      bytes: one.bytes,
      at: one.takenAt,
      open: () => (nth === 0 ? Promise.resolve(first) : this.content(one, state)),
    }));
    const name = `${archive.name.replace(/\.backup$/, '')}.tar`;
    return attached(
      name,
      tarBytes(files),
      'application/x-tar',
      Readable.from(tarOf(files), { objectMode: false }),
    );
  }

  private async found(id: string): Promise<{ archive: RecordedArchive; state: BackupState }> {
    const state = await this.work.book.state();
    const archive = state.archives.find((one) => one.id === id);
    if (!archive) throw notFound('archive');
    return { archive, state };
  }

  /** Also reads from an earlier target folder, and from the folder of archives from before migrations. */
  private async content({ place, name, bytes }: RecordedArchive, { plan }: BackupState): Promise<Readable> {
    const isTarget = this.work.nameOf(plan) === place;
    if (!isTarget && !isAbsolute(place))
      throw conflict(
        `the archive is in ${place}, for which the console no longer has the credentials: copy it from there, or take a full backup`,
        plan.target.kind,
      );
    const target = await this.work.targetOf(isTarget ? plan : { target: { kind: 'folder', path: place } });
    return target.read(name, bytes).catch((error: unknown) => {
      throw new DomainError('upstream', `${place}: ${(error as Error).message}`);
    });
  }

  @Answers(backups.release)
  async release(_input: InputOf<typeof backups.release>, { meta }: Asker) {
    if (!(await releaseScheduledWork(this.db, this.store, meta))) throw notFound('restore that waits');
    return {};
  }
}

/** A person's own second factors: adding, naming and removing them. */
import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Answer, InputOf, secondFactors } from '@quarterdeck/contract';
import type { FactorKind, Position } from '@quarterdeck/events';
import { v7 as uuidv7 } from 'uuid';
import {
  AddFactor,
  Factors,
  MakeRecoveryCodes,
  People,
  personDecider,
  RemoveFactor,
  RenameFactor,
} from '../people';
import { Decisions } from '../platform/decisions';
import { DomainError, invalidField, notFound } from '../platform/errors';
import { written } from '../platform/http';
import { type CommandMeta, demandFreshProof, type Session, type Sessions } from '../platform/sessions';
import { DB, SESSIONS, VAULT, type Pool, type Vault } from '../platform/tokens';
import { fingerprintOf } from '../platform/vault';
import { Workspaces } from '../workspaces';
import type { PasskeySite } from './passkey-site';
import { Passkeys } from './passkeys';
import { RecoveryCodes } from './recovery-codes';
import { SECRET_BYTES, secretOf, secretText, setUpAddress, stepOfCode } from './totp';

type Listed = Answer<typeof secondFactors.list>;

@Injectable()
export class OwnFactors {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(SESSIONS) private readonly sessions: Sessions,
    private readonly decisions: Decisions,
    private readonly people: People,
    private readonly workspaces: Workspaces,
    private readonly factors: Factors,
    private readonly passkeys: Passkeys,
    private readonly codes: RecoveryCodes,
  ) {}

  async list({ person, workspace }: Session, site: PasskeySite): Promise<Listed> {
    const host = 'host' in site ? site.host : undefined;
    const [rows, { recoveryCodesLeft = 0 }, known] = await Promise.all([
      this.factors.of(person, workspace),
      this.factors.recorded(person, workspace),
      this.workspaces.byId(workspace),
    ]);
    return {
      factors: rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        name: row.name,
        addedAt: row.addedAt.toISOString(),
        ...(row.usedAt && { lastUsedAt: row.usedAt.toISOString() }),
        ...(row.site !== null && row.site !== host && { elsewhere: row.site }),
      })),
      recoveryCodesLeft,
      demanded: known?.demandsFactor ?? false,
    };
  }

  /** Until a code confirms it, the secret counts for nothing, and another one replaces it. */
  async beginTotp(session: Session, meta: CommandMeta) {
    demandFreshProof(session, meta);
    const { person, workspace } = session;
    const id = uuidv7();
    const secret = secretText(randomBytes(SECRET_BYTES));
    await this.vault.put({ workspace, ref: id }, secret, { kind: 'totp-secret' });
    await this.factors.tidy(person, workspace);
    await this.pool.query(`insert into app.second_factors (id, person, kind) values ($1, $2, 'totp')`, [
      id,
      person,
    ]);
    return { id, secret, address: setUpAddress(secret, await this.account(session)) };
  }

  async confirmTotp(
    { id, name, code }: InputOf<typeof secondFactors.totpConfirm>,
    session: Session,
    meta: CommandMeta,
  ) {
    const { rows } = await this.pool.query(
      `select from app.second_factors where id = $1 and person = $2 and kind = 'totp' and name is null`,
      [id, session.person],
    );
    const secret = rows[0] && (await this.vault.get({ workspace: session.workspace, ref: id }));
    if (secret === undefined) throw notFound('authenticator app');
    const step = stepOfCode(secretOf(secret), code, new Date(meta.at));
    if (step === undefined)
      throw invalidField('code', 'this is not the code of that app: check the clock of its device');
    // The code has been used now, so nobody can sign in with it.
    await this.pool.query(
      `update app.second_factors set name = $2, last_step = $3, added_at = clock_timestamp() where id = $1`,
      [id, name, step],
    );
    return this.added({ factor: id, kind: 'totp' }, session, meta);
  }

  async beginPasskey(session: Session, site: PasskeySite, meta: CommandMeta) {
    demandFreshProof(session, meta);
    const rows = await this.factors.of(session.person, session.workspace);
    return this.passkeys.optionsToMake(session, await this.account(session), rows, site);
  }

  async confirmPasskey(
    { name, answer }: InputOf<typeof secondFactors.passkeyConfirm>,
    session: Session,
    site: PasskeySite,
    meta: CommandMeta,
  ) {
    const { credential, publicKey, counter, transports } = await this.passkeys.made(session, answer, site);
    const host = 'host' in site ? site.host : '';
    const id = uuidv7();
    const { rowCount } = await this.pool.query(
      `insert into app.second_factors
         (id, person, kind, name, site, credential, public_key, counter, transports)
       values ($1, $2, 'passkey', $3, $4, $5, $6, $7, $8) on conflict (credential) do nothing`,
      [id, session.person, name, host, credential, Buffer.from(publicKey), counter, transports],
    );
    if (rowCount !== 1) throw new DomainError('conflict', 'this passkey is known already');
    const fingerprint = fingerprintOf(Buffer.from(publicKey).toString('base64'));
    return this.added({ factor: id, kind: 'passkey', fingerprint }, session, meta);
  }

  async rename(
    { id, name }: InputOf<typeof secondFactors.rename>,
    { person }: Session,
    meta: CommandMeta,
  ): Promise<Position> {
    const { position } = await this.decisions.execute(
      personDecider,
      new RenameFactor(person, { factor: id }, meta),
    );
    await this.pool.query('update app.second_factors set name = $3 where id = $1 and person = $2', [
      id,
      person,
      name,
    ]);
    return position;
  }

  async remove(factor: string, session: Session, meta: CommandMeta): Promise<Position> {
    demandFreshProof(session, meta);
    const { person, workspace } = session;
    const demanded = (await this.workspaces.byId(workspace))?.demandsFactor ?? false;
    const command = new RemoveFactor(person, { factor, demanded }, meta);
    const { position } = await this.decisions.execute(personDecider, command);
    await this.factors.discard([factor], workspace);
    await this.factors.tidy(person, workspace);
    this.sessions.forget(session.id);
    return position;
  }

  async makeCodes(session: Session, meta: CommandMeta) {
    demandFreshProof(session, meta);
    const { recoveryCodes, position } = await this.newCodes(session.person, meta);
    return written({ recoveryCodes }, position);
  }

  /**
   * With the first factor come recovery codes. This session has proved it, and all others of the person end: they would
   * wait for the factor, and whoever was signed in before it existed need not be the person.
   */
  private async added(
    data: { factor: string; kind: FactorKind; fingerprint?: string },
    session: Session,
    meta: CommandMeta,
  ) {
    const { person, workspace } = session;
    const isFirst = Object.keys((await this.factors.recorded(person, workspace)).factors ?? {}).length === 0;
    const { position } = await this.decisions
      .execute(personDecider, new AddFactor(person, data, meta))
      .catch(async (error: unknown) => {
        if (error instanceof DomainError) await this.factors.discard([data.factor], workspace);
        throw error;
      });
    const codes = isFirst ? await this.newCodes(person, meta) : undefined;
    await this.sessions.prove(session.id);
    await this.sessions.revokeUnprovedOf(person);
    const answer = { id: data.factor, ...(codes && { recoveryCodes: codes.recoveryCodes }) };
    return written(answer, codes?.position ?? position);
  }

  private async newCodes(person: string, meta: CommandMeta) {
    const recoveryCodes = await this.codes.make(person);
    const command = new MakeRecoveryCodes(person, { count: recoveryCodes.length }, meta);
    const { position } = await this.decisions.execute(personDecider, command);
    return { recoveryCodes, position };
  }

  /** How apps and browsers name the account. */
  private async account({ person, workspaceName }: Session): Promise<string> {
    const { email, name } = await this.people.record(person);
    return [workspaceName, email ?? name].filter(Boolean).join(': ');
  }
}

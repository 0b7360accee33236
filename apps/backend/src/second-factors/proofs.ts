/** Giving the second factor: after the sign-in, and again before a change that a stolen session must not make. */
import { Inject, Injectable } from '@nestjs/common';
import type { Answer, InputOf, secondFactors } from '@quarterdeck/contract';
import type { Position, ProofKind } from '@quarterdeck/events';
import { Factors, GiveFactor, personDecider } from '../people';
import { Decisions } from '../platform/decisions';
import { invalidField } from '../platform/errors';
import type { CommandMeta, Session, Sessions } from '../platform/sessions';
import { DB, LOGGER, SESSIONS, VAULT, type Logger, type Pool, type Vault } from '../platform/tokens';
import { FactorAttempts } from './attempts';
import type { PasskeySite } from './passkey-site';
import { Passkeys } from './passkeys';
import { RecoveryCodes } from './recovery-codes';
import { secretOf, stepOfCode } from './totp';

type State = Answer<typeof secondFactors.state>;

@Injectable()
export class Proofs {
  constructor(
    @Inject(DB) private readonly pool: Pool,
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(SESSIONS) private readonly sessions: Sessions,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly decisions: Decisions,
    private readonly factors: Factors,
    private readonly attempts: FactorAttempts,
    private readonly passkeys: Passkeys,
    private readonly codes: RecoveryCodes,
  ) {}

  async state({ person, workspace, lacks }: Session, site: PasskeySite): Promise<State> {
    const [rows, { recoveryCodesLeft = 0 }] = await Promise.all([
      this.factors.of(person, workspace),
      this.factors.recorded(person, workspace),
    ]);
    const ways: ProofKind[] = [];
    if (rows.some(({ kind }) => kind === 'totp')) ways.push('totp');
    if ('host' in site && rows.some((row) => row.site === site.host)) ways.push('passkey');
    if (rows.length > 0 && recoveryCodesLeft > 0) ways.push('recovery');
    return {
      ...(lacks && { lacks }),
      ways,
      passkeys: 'host' in site ? { origin: site.origin } : site,
    };
  }

  giveTotp(code: string, session: Session, address: string, meta: CommandMeta): Promise<Position> {
    const { person } = session;
    return this.attempts.limited(person, address, async () => {
      const problem = await this.useTotp(code, session, new Date(meta.at));
      if (problem === undefined) return this.given('totp', session, meta);
      throw this.refused(problem, session);
    });
  }

  async giveRecovery(code: string, session: Session, meta: CommandMeta): Promise<Position> {
    const isOne = await this.codes.take(session.person, code);
    if (!isOne) throw this.refused('this is none of your recovery codes, or it was used already', session);
    return this.given('recovery', session, meta);
  }

  async passkeyOptions(session: Session, site: PasskeySite) {
    return this.passkeys.optionsToUse(session, await this.rowsOf(session), site);
  }

  async givePasskey(
    { answer }: InputOf<typeof secondFactors.givePasskey>,
    session: Session,
    site: PasskeySite,
    meta: CommandMeta,
  ): Promise<Position> {
    const { id, counter } = await this.passkeys.used(session, answer, await this.rowsOf(session), site);
    await this.pool.query(
      `update app.second_factors set counter = greatest(counter, $2), used_at = clock_timestamp() where id = $1`,
      [id, counter],
    );
    return this.given('passkey', session, meta);
  }

  /**
   * Each code works once: in one statement, it has to be newer than the last one that was used.
   * @returns why it was refused
   */
  private async useTotp(code: string, session: Session, now: Date): Promise<string | undefined> {
    let isUsed = false;
    for (const { id, kind } of await this.rowsOf(session)) {
      const secret =
        kind === 'totp' ? await this.vault.get({ workspace: session.workspace, ref: id }) : undefined;
      const step = secret === undefined ? undefined : stepOfCode(secretOf(secret), code, now);
      if (step === undefined) continue;
      const { rowCount } = await this.pool.query(
        `update app.second_factors set last_step = $2, used_at = clock_timestamp()
         where id = $1 and (last_step is null or last_step < $2)`,
        [id, step],
      );
      if (rowCount === 1) return undefined;
      isUsed = true;
    }
    return isUsed
      ? 'this code was used already: wait for the next one'
      : 'this is not the present code: check the clock of the device that shows it';
  }

  private rowsOf({ person, workspace }: Session) {
    return this.factors.of(person, workspace);
  }

  private async given(kind: ProofKind, session: Session, meta: CommandMeta): Promise<Position> {
    const command = new GiveFactor(session.person, { kind }, meta);
    const { position } = await this.decisions.execute(personDecider, command);
    await this.sessions.prove(session.id);
    return position;
  }

  private refused(problem: string, { person }: Session) {
    this.logger.info({ person, why: problem }, 'a second factor was refused');
    return invalidField('code', problem);
  }
}

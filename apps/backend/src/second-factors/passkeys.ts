/** Passkeys, checked by a WebAuthn library. */
import { Inject, Injectable } from '@nestjs/common';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import type { InputOf, secondFactors } from '@quarterdeck/contract';
import type { FactorRow } from '../people';
import { DomainError } from '../platform/errors';
import type { Session } from '../platform/sessions';
import { LOGGER, type Logger } from '../platform/tokens';
import { Challenges } from './challenges';
import type { PasskeySite } from './passkey-site';

type Making = InputOf<typeof secondFactors.passkeyConfirm>['answer'];
type Using = InputOf<typeof secondFactors.givePasskey>['answer'];
type Fit = Exclude<PasskeySite, { reason: string }>;

export interface NewPasskey {
  credential: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
}

/** @throws DomainError */
export const fit = (site: PasskeySite): Fit => {
  if ('reason' in site) throw new DomainError('unprocessable', site.reason);
  return site;
};

const refused = (): DomainError =>
  new DomainError('invalid', 'this passkey was not accepted: start again', undefined, { code: 'passkey' });

const idOf = (rows: readonly FactorRow[], host: string) =>
  rows.flatMap(({ credential, site, transports }) =>
    credential !== null && site === host
      ? [{ id: credential, ...(transports && { transports: transports as never }) }]
      : [],
  );

@Injectable()
export class Passkeys {
  constructor(
    private readonly challenges: Challenges,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param rows an authenticator that has one of them makes no other */
  async optionsToMake(session: Session, account: string, rows: readonly FactorRow[], site: PasskeySite) {
    const { host } = fit(site);
    const options = await generateRegistrationOptions({
      rpName: 'Quarterdeck',
      rpID: host,
      userName: account,
      userID: new Uint8Array(Buffer.from(session.person)),
      attestationType: 'none',
      excludeCredentials: idOf(rows, host),
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    });
    await this.challenges.keep(session, 'make', options.challenge);
    return options;
  }

  /** @throws DomainError */
  async made(session: Session, answer: Making, site: PasskeySite): Promise<NewPasskey> {
    const { origin, host } = fit(site);
    const made = await this.checked(session, 'make', async (expectedChallenge) => {
      refuseCertificates(answer.response.attestationObject);
      const { registrationInfo } = await verifyRegistrationResponse({
        response: answer as never,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: host,
        requireUserVerification: false,
      });
      return registrationInfo;
    });
    const { id, publicKey, counter } = made.credential;
    return { credential: id, publicKey, counter, transports: answer.response.transports ?? [] };
  }

  async optionsToUse(session: Session, rows: readonly FactorRow[], site: PasskeySite) {
    const { host } = fit(site);
    const allowCredentials = idOf(rows, host);
    if (allowCredentials.length === 0) throw new DomainError('conflict', `you have no passkey for ${host}`);
    const options = await generateAuthenticationOptions({
      rpID: host,
      allowCredentials,
      userVerification: 'preferred',
    });
    await this.challenges.keep(session, 'use', options.challenge);
    return options;
  }

  /**
   * @returns the passkey, and how often it was used by now
   * @throws DomainError
   */
  async used(session: Session, answer: Using, rows: readonly FactorRow[], site: PasskeySite) {
    const { origin, host } = fit(site);
    return this.checked(session, 'use', async (expectedChallenge) => {
      const row = rows.find(({ credential }) => credential === answer.id);
      if (!row?.credential || !row.publicKey) throw new Error('this person has no such passkey');
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer as never,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: host,
        credential: {
          id: row.credential,
          publicKey: new Uint8Array(row.publicKey),
          counter: row.counter ?? 0,
        },
        requireUserVerification: false,
      });
      return verified ? { id: row.id, counter: authenticationInfo.newCounter } : undefined;
    });
  }

  /** The library throws an error for each fault of an answer. The log has it; the answer says little to a forger. */
  private async checked<T>(
    session: Session,
    purpose: 'make' | 'use',
    work: (challenge: string) => Promise<T | undefined>,
  ): Promise<T> {
    const challenge = await this.challenges.take(session, purpose);
    if (challenge === undefined)
      throw new DomainError('unprocessable', 'this took longer than five minutes: start again');
    const result = await work(challenge).catch((error: unknown) => {
      this.logger.info({ person: session.person, why: String(error) }, 'a passkey was refused');
    });
    if (!result) throw refused();
    return result;
  }
}

/**
 * We ask for no attestation. Checking certificates that a caller made up would ask addresses that the caller chose for
 * lists of revoked ones.
 */
const refuseCertificates = (attestation: string): void => {
  const statement = decodeAttestationObject(new Uint8Array(Buffer.from(attestation, 'base64url'))).get(
    'attStmt',
  );
  if (statement.get('x5c') || statement.get('response')) throw new Error('an attestation was not asked for');
};

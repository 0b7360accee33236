/** What a session lacks because of the second factor. Pure. */
import { lackCodes, STALE_PROOF, type FactorLack } from '@quarterdeck/events';
import { DomainError } from '../errors';
import type { Member } from './recorded-member';
import type { CommandMeta, Session } from './session';

/** For how long a second factor that was given is a fresh proof. */
const FRESH_MS = 10 * 60 * 1000;

export const lackOf = (
  { hasFactor, demanded }: Pick<Member, 'hasFactor' | 'demanded'>,
  provedAt: Date | undefined,
): FactorLack | undefined => {
  if (hasFactor) return provedAt ? undefined : 'due';
  return demanded ? 'missing' : undefined;
};

const messages: Record<FactorLack, string> = {
  due: 'please give your second factor first',
  missing: 'this workspace needs a second factor: please set one up first',
};

export const refusalOf = (lack: FactorLack): DomainError =>
  new DomainError('forbidden', messages[lack], undefined, { code: lackCodes[lack] });

/**
 * For what a stolen session must not do. A person without a second factor has nothing to prove.
 * @throws DomainError
 */
export const demandFreshProof = (
  { hasFactor, provedAt }: Pick<Session, 'hasFactor' | 'provedAt'>,
  { at }: Pick<CommandMeta, 'at'>,
): void => {
  if (!hasFactor || (provedAt && Date.parse(at) - provedAt.getTime() < FRESH_MS)) return;
  throw new DomainError('forbidden', 'please give your second factor again first', undefined, {
    code: STALE_PROOF,
  });
};

/** Issues, counts and revokes tokens of one kind. Each token has its own stream. */
import type { AppEvent, EventData, EventType } from '@quarterdeck/events';
import { command, deciderOf, type CommandClass, type Decider, type DomainCommand } from '../decider';
import { DomainError, notFound } from '../errors';

type Stem<T> = T extends `${infer S}Issued`
  ? `${S}Used` | `${S}Revoked` extends EventType
    ? S
    : never
  : never;

/** `PublicToken` for the events `PublicTokenIssued`, `PublicTokenUsed` and `PublicTokenRevoked`. */
export type TokenStem = Stem<EventType>;

type DataOf<T extends string> = EventData<Extract<EventType, T>>;
export type IssuedData<S extends TokenStem> = DataOf<`${S}Issued`>;
export type UsedData<S extends TokenStem> = DataOf<`${S}Used`>;

type TokenState<S extends TokenStem> = { is: 'unknown' } | { is: 'valid' | 'revoked'; token: IssuedData<S> };

interface TokenDecider<S extends TokenStem> {
  decider: Decider<TokenState<S>, DomainCommand>;
  Issue: CommandClass<string, IssuedData<S>>;
  RecordUse: CommandClass<string, { count: number }>;
  Revoke: CommandClass<string, object>;
}

export interface TokenNoun<S extends TokenStem> {
  stem: S;
  category: string;
  /** In messages: `mail token`. */
  words: string;
  /** Default: the count alone. */
  usedData?: (count: number, issued: IssuedData<S>) => UsedData<S>;
}

export const tokenDecider = <S extends TokenStem>({
  stem,
  category,
  words,
  usedData = (count) => ({ count }) as UsedData<S>,
}: TokenNoun<S>): TokenDecider<S> => {
  const event = (end: string, data: unknown): AppEvent =>
    ({ type: `${stem}${end}`, data }) as unknown as AppEvent;

  class Issue extends command(`Issue${stem}`, { opens: true })(
    (data: IssuedData<S>, { is }: TokenState<S>) => {
      if (is !== 'unknown') throw new DomainError('conflict', 'this token exists already');
      return [event('Issued', data)];
    },
  ) {}

  class RecordUse extends command(`Record${stem}Use`)(({ count }: { count: number }, state: TokenState<S>) =>
    // A token may be revoked before its last uses are counted.
    state.is === 'valid' ? [event('Used', usedData(count, state.token))] : [],
  ) {}

  class Revoke extends command(`Revoke${stem}`, { idempotent: true })((_: object, state: TokenState<S>) => {
    if (state.is === 'unknown') throw notFound(words);
    const { fingerprint } = state.token as { fingerprint: string };
    return state.is === 'revoked' ? [] : [event('Revoked', { fingerprint })];
  }) {}

  const evolve = {
    [`${stem}Issued`]: (_: unknown, token: IssuedData<S>) => ({ is: 'valid', token }),
    [`${stem}Revoked`]: (state: TokenState<S>) =>
      state.is === 'unknown' ? state : { ...state, is: 'revoked' },
  };
  const decider = deciderOf<TokenState<S>, AppEvent>()({
    category,
    commands: [Issue, RecordUse, Revoke],
    initial: { is: 'unknown' },
    evolve: evolve as object,
  });
  return { decider: decider as TokenDecider<S>['decider'], Issue, RecordUse, Revoke };
};

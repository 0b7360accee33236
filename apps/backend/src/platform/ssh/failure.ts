import type { HostKey } from './target';

export type SshFailureCode =
  | 'refused'
  | 'unknownHost'
  | 'unreachable'
  | 'timeout'
  | 'notSsh'
  | 'authentication'
  | 'badKey'
  | 'passphraseMissing'
  | 'passphraseWrong'
  | 'hostKeyChanged'
  | 'connectionLost'
  | 'channelRefused'
  | 'frozen'
  | 'busy';

interface Details {
  got?: HostKey;
  expected?: HostKey;
  cause?: unknown;
  /** The command had been sent: it may have run. */
  sent?: boolean;
}

/** What a server says may hold what neither the log nor the tables can, and half a character where it was cut. */
export const plain = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').replace(/\p{Cs}/gu, '');

/** Why SSH work did not come to its end, in words for an operator: what happened, and what to check. */
export class SshFailure extends Error {
  readonly got?: HostKey;
  readonly expected?: HostKey;
  /** False: the server has run nothing of the command. */
  readonly sent: boolean;

  constructor(
    readonly code: SshFailureCode,
    message: string,
    details: Details = {},
  ) {
    super(plain(message), details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'SshFailure';
    this.sent = details.sent ?? false;
    if (details.got) this.got = details.got;
    if (details.expected) this.expected = details.expected;
  }

  get msg(): string {
    return this.message;
  }
}

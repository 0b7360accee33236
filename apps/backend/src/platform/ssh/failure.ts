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
  /** The server may not forward connections, or found nothing at the address. */
  | 'forwardRefused'
  | 'forwardFailed'
  | 'frozen'
  /** The command printed more than it may, and was ended. */
  | 'outputTooLong'
  | 'busy';

interface Details {
  got?: HostKey;
  expected?: HostKey;
  cause?: unknown;
  /** The command was sent, so it may have run. */
  sent?: boolean;
}

/** Removes characters that neither the log nor the tables can store, and unpaired surrogates where text was cut. */
export const plain = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').replace(/\p{Cs}/gu, '');

/** Why SSH work did not finish, in words for an operator: what happened, and what to check. */
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

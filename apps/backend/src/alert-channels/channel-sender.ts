/** Sends one message to one channel, and says what the receiver answered. */
import { Inject, Injectable } from '@nestjs/common';
import { alertChannel, fieldsOfKind, recipientsIn } from '@quarterdeck/events';
import { DELIVERY_TIMEOUT_MS, MAX_ANSWER_BYTES } from '../alerts';
import { MailSender } from '../mails';
import { People } from '../people';
import { DomainError } from '../platform/errors';
import { PlainRecords, recordsOf } from '../platform/kit';
import { callOut, Outbound } from '../platform/outbound';
import type { Message } from './message';
import { requestsFor, verdictOf, type OpenChannel, type Verdict } from './vendors';

const secretKeys = fieldsOfKind(alertChannel.fields, 'secret').map(
  ([key]) => key as keyof Omit<OpenChannel, 'members'>,
);
const MASK = '*******';

/** A receiver may repeat the secret that it was called with. */
const withoutSecrets = (words: string, channel: OpenChannel): string => {
  const secrets = secretKeys.map((key) => channel[key]).filter((secret) => secret !== '');
  const paths = secrets.flatMap((secret) => (URL.canParse(secret) ? [new URL(secret).pathname] : []));
  return [...secrets, ...paths.filter((path) => path.length > 1)].reduce(
    (text, secret) => text.replaceAll(secret, MASK),
    words,
  );
};

@Injectable()
export class ChannelSender {
  constructor(
    @Inject(recordsOf(alertChannel)) private readonly channels: PlainRecords,
    private readonly mails: MailSender,
    private readonly people: People,
    private readonly outbound: Outbound,
  ) {}

  /** @throws DomainError `notFound` */
  async open(id: string, workspace: string): Promise<OpenChannel> {
    return (await this.channels.opened(id, workspace)) as unknown as OpenChannel;
  }

  /** @param signal aborts the call. Its verdict then means nothing */
  async send(channel: OpenChannel, message: Message, signal: AbortSignal): Promise<Verdict> {
    try {
      const verdict =
        channel.kind === 'e-mail'
          ? await this.mail(channel, message)
          : await this.call(channel, message, signal);
      return { ...verdict, says: withoutSecrets(verdict.says, channel) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { delivered: false, says: withoutSecrets(error.msg, channel) };
    }
  }

  private async call(channel: OpenChannel, message: Message, signal: AbortSignal): Promise<Verdict> {
    let verdict: Verdict | undefined;
    for (const request of requestsFor(channel, message, new Date())) {
      const answer = await callOut(this.outbound, {
        ...request,
        method: 'POST',
        timeoutMs: DELIVERY_TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
        signal,
      });
      const one = verdictOf(answer, new Date());
      if (!one.delivered) return one;
      verdict ??= one;
    }
    return verdict ?? { delivered: false, says: 'nothing was sent' };
  }

  private async mail({ sender, members, recipients }: OpenChannel, message: Message): Promise<Verdict> {
    const { id, is, title, lines, link, workspace } = message;
    const to = [
      ...new Set([...(await this.people.addresses(members, workspace.id)), ...recipientsIn(recipients)]),
    ];
    if (to.length === 0) return { delivered: false, says: 'none of its members has an e-mail address here' };
    const mail = {
      from: sender,
      to,
      subject: title,
      body: [...lines, ...(link === undefined ? [] : ['', link])].join('\n'),
      id: is === 'over' ? `${id}-over` : id,
    };
    try {
      return { delivered: true, says: await this.mails.send(mail, workspace.id) };
    } catch (error) {
      return { delivered: false, says: error instanceof DomainError ? error.msg : (error as Error).message };
    }
  }
}

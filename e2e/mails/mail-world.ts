/** A back end that takes e-mails over SMTP, and one product with a token. */
import { createHmac } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { Answer, mails } from '@quarterdeck/contract';
import type { EmailRow, EmailView, ListPage } from '@quarterdeck/projections';
import { createTransport, type SentMessageInfo } from 'nodemailer';
import { until } from '../../testing/patience';
import type { BackendOptions, Operator } from '../../testing/backend';
import { openWorld, type World } from '../backend/world';

export type Issued = Answer<typeof mails.issue>;

export interface MailWorld {
  world: World;
  ada: Operator;
  product: { id: string };
  issued: Issued;
  port: number;
  /** Sends a message as it is. */
  send(raw: Buffer, to?: readonly string[], from?: string): Promise<SentMessageInfo>;
  page(asked?: object): Promise<ListPage<EmailRow>>;
  detail(id: string): Promise<EmailView>;
  /** Waits until everything that came in is parsed. */
  parsed(): Promise<void>;
  end(): Promise<void>;
}

export const idOf = ({ response = '' }: SentMessageInfo): string =>
  /stored as ([0-9a-f-]{36})/.exec(response)?.[1] ?? '';

/** As a product signs the body of a webhook. */
export const signed = (body: string, secret: string, at = Date.now()): string => {
  const t = Math.floor(at / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
};

/** The webhook, by default with a good signature. */
export const byWebhook = (
  { ada, issued }: Pick<MailWorld, 'ada' | 'issued'>,
  body: string,
  signature = signed(body, issued.secret),
  token = issued.id,
) =>
  ada.post<{ id: string; msg: string }>('public/email/receive', body, {
    cookie: '',
    'x-quarterdeck-token': token,
    'x-quarterdeck-signature': signature,
  });

/** A request to the webhook that has sent nothing of its body yet. */
export const beginWebhook = ({ ada }: Pick<MailWorld, 'ada'>, token: string, bytes: number): Socket => {
  const { hostname, port } = new URL(ada.url);
  const socket = connect(Number(port), hostname);
  const head = [
    'POST /api/public/email/receive HTTP/1.1',
    `Host: ${hostname}`,
    'Content-Type: application/json',
    'X-Requested-With: shop',
    `Content-Length: ${bytes}`,
    `X-Quarterdeck-Token: ${token}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return socket;
};

export const openMailWorld = async (options: Partial<BackendOptions> = {}): Promise<MailWorld> => {
  const world = await openWorld({ ...options, env: { MAIL_PORT: '0', ...options.env } });
  const ada = await world.backend.signIn({ workspace: 'mails', role: 'admin', email: 'ada@example.org' });
  const data = { name: 'Shop', description: '' };
  const { id } = (await ada.post<{ id: string }>('product/insert', { data })).body;
  const product = { id };
  const issued = (await ada.post<Issued>('email/token/issue', { product })).body;
  const { smtp } = (await ada.post<Answer<typeof mails.intake>>('email/intake')).body;
  const port = smtp?.port ?? 0;
  const send = async (
    raw: Buffer,
    to: readonly string[] = ['grace@example.org'],
    from = 'shop@example.org',
  ): Promise<SentMessageInfo> => {
    const transport = createTransport({
      host: '127.0.0.1',
      port,
      secure: false,
      ignoreTLS: true,
      auth: { user: 'product', pass: issued.token },
    });
    try {
      return (await transport.sendMail({ envelope: { from, to: [...to] }, raw })) as SentMessageInfo;
    } finally {
      transport.close();
    }
  };
  return {
    world,
    ada,
    product,
    issued,
    port,
    send,
    page: async (asked = {}) =>
      (await ada.post<ListPage<EmailRow>>('email/page', { product, ...asked })).body,
    detail: async (mail) => (await ada.post<EmailView>('email/detail', { id: mail })).body,
    parsed: async () => {
      const waiting = `select count(*)::int as count from app.emails where parsed_at is null`;
      await until(
        async () => (await world.backend.db.query<{ count: number }>(waiting)).rows[0]?.count === 0,
      );
      await world.backend.caughtUp();
    },
    end: () => world.end(),
  };
};

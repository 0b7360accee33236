/** SMTP servers that get e-mails, on free ports. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Inbox {
  port: number;
  got: { to: string[]; raw: string; encrypted: boolean }[];
  end(): Promise<void>;
}

const open: Inbox[] = [];

export const inbox = async (options: SMTPServerOptions = {}): Promise<Inbox> => {
  const got: Inbox['got'] = [];
  const server = new SMTPServer({
    authOptional: true,
    ...(options.key === undefined && { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }),
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, session, done) => {
      let raw = '';
      stream.on('data', (part: Buffer) => (raw += part.toString()));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        got.push({ to, raw, encrypted: session.secure });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const one = {
    port: (server.server.address() as AddressInfo).port,
    got,
    end: () => new Promise<void>((resolve) => server.close(resolve)),
  };
  open.push(one);
  return one;
};

export const closeInboxes = async (): Promise<void> => {
  for (const one of open.splice(0)) await one.end();
};

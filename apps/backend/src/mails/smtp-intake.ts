/** The SMTP server of products: off unless MAIL_PORT is set, and only for senders with a token. */
import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { DomainError } from '../platform/errors';
import { callerAddress, isLoopback } from '../platform/caller-address';
import { ownMeta } from '../platform/sessions';
import { StartProblem, WRONG_ENVIRONMENT } from '../platform/start-problem';
import { CONFIG, LOGGER, type Config, type Logger } from '../platform/tokens';
import { IncomingMail, Reply } from './incoming-mail';
import { MailRoom } from './mail-room';
import { MAX_MAIL_BYTES, Mails } from './mails';
import { MailTokens, type Sender } from './mail-tokens';

const MAX_CLIENTS = 20;
const MAX_RECIPIENTS = 1000;

/** Of an e-mail whose sender went away, or was cut off, in the middle. */
const GONE = 'ECONNECTION';

const replyTo = (error: unknown): Reply => {
  if (error instanceof Reply) return error;
  if (!(error instanceof DomainError))
    return new Reply(451, 'the e-mail could not be stored now, try again later');
  if (error.code === 'unauthenticated') return new Reply(535, error.msg);
  if (error.code === 'unavailable') return new Reply(452, error.msg);
  return new Reply(451, error.msg);
};

/** In canonical form, because sockets write IPv4 addresses in two ways, and the session of a socket in one. */
const placeOf = ({ remoteAddress = '', remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${callerAddress({ ip: remoteAddress })} ${remotePort}`;

interface Client {
  end(): void;
  /** Ends a client that gives no token. */
  stranger: NodeJS.Timeout;
}

@Injectable()
export class SmtpIntake implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** `idleMs`: without a byte from the client. A client has to give its token and to be done within the others. */
  readonly patience = { idleMs: 60_000, signInMs: 30_000, sessionMs: 10 * 60_000 };

  private server: SMTPServer | undefined;
  private readonly clients = new Map<string, Client>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly mails: Mails,
    private readonly tokens: MailTokens,
    private readonly room: MailRoom,
  ) {}

  /** Where it listens; undefined if it does not. */
  get place(): { host: string; port: number; tls: boolean } | undefined {
    const address = this.server?.server.address() as AddressInfo | null | undefined;
    if (!address) return undefined;
    return { host: this.config.MAIL_HOST, port: address.port, tls: this.isEncrypted };
  }

  private get isEncrypted(): boolean {
    return this.config.MAIL_TLS_CERT_FILE !== undefined;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { MAIL_PORT: port, MAIL_HOST: host } = this.config;
    if (port === undefined) return;
    const server = await this.made();
    this.server = server;
    server.server.on('connection', (socket: Socket) => this.hurry(socket));
    await new Promise<void>((resolve, reject) => {
      const refused = (error: Error & { code?: string }): void =>
        reject(
          new StartProblem(
            { variable: 'MAIL_PORT', value: String(port) },
            {
              wrong: `cannot be listened on at ${host} (${error.code ?? error.message})`,
              remedy: 'choose another port, or another MAIL_HOST',
              exitCode: WRONG_ENVIRONMENT,
            },
          ),
        );
      server.once('error', refused);
      server.listen(port, host, () => {
        server.off('error', refused);
        resolve();
      });
    });
    server.on('error', (error) => this.logger.debug({ err: error }, 'a client of the mail intake'));
    if (!this.isEncrypted && !isLoopback(host))
      this.logger.warn(
        { host },
        'e-mails are taken without encryption: set MAIL_TLS_CERT_FILE and MAIL_TLS_KEY_FILE',
      );
    this.logger.info(this.place, 'e-mails are taken over SMTP');
  }

  async beforeApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (server) await new Promise<void>((resolve) => server.close(resolve));
  }

  /** Its package is loaded only if it is used. */
  private async made(): Promise<SMTPServer> {
    const { MAIL_TLS_CERT_FILE: cert, MAIL_TLS_KEY_FILE: key } = this.config;
    const encrypted = cert !== undefined && key !== undefined;
    const { SMTPServer: Server } = await import('smtp-server');
    const { patience } = this;
    return new Server({
      name: 'quarterdeck',
      banner: 'e-mails of products',
      size: MAX_MAIL_BYTES,
      rejectOversized: true,
      authMethods: ['PLAIN', 'LOGIN'],
      allowInsecureAuth: !encrypted,
      hideSTARTTLS: !encrypted,
      ...(encrypted
        ? { cert: pem('MAIL_TLS_CERT_FILE', cert), key: pem('MAIL_TLS_KEY_FILE', key) }
        : { disabledCommands: ['STARTTLS'] }),
      disableReverseLookup: true,
      maxClients: MAX_CLIENTS,
      maxRecipients: MAX_RECIPIENTS,
      get socketTimeout() {
        return patience.idleMs;
      },
      closeTimeout: 1000,
      logger: false,
      onAuth: ({ password }, session, done) => {
        this.tokens.ofToken(password ?? '', session.remoteAddress).then(
          (user) => {
            clearTimeout(this.clients.get(placeOf(session))?.stranger);
            done(null, { user });
          },
          (error: unknown) => done(replyTo(error)),
        );
      },
      onData: (stream, session, done) => {
        this.take(stream, session).then(
          (id) => done(null, `stored as ${id}`),
          (error: unknown) => done(this.told(error)),
        );
      },
    });
  }

  private async take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const {
      envelope: { mailFrom, rcptTo },
      user,
    } = session;
    const mail = new IncomingMail(this.room);
    try {
      const raw = await mail.read(stream, () => this.clients.get(placeOf(session))?.end());
      const sender = user as Sender;
      const envelope = {
        from: mailFrom === false ? '' : mailFrom.address,
        recipients: rcptTo.map(({ address }) => address),
      };
      const what = { product: sender.product, source: 'smtp', token: sender.id } as const;
      const meta = ownMeta('system', sender.workspace);
      const { id } = await this.mails.record({ raw, envelope }, what, meta, (client) =>
        this.tokens.use(sender, client),
      );
      return id;
    } finally {
      mail.free();
    }
  }

  private told(error: unknown): Reply {
    if ((error as { code?: string }).code === GONE)
      this.logger.debug({ err: error }, 'a client of the mail intake went away while it sent an e-mail');
    else if (!(error instanceof Reply || error instanceof DomainError))
      this.logger.error({ err: error }, 'an e-mail could not be stored');
    return replyTo(error);
  }

  /** A slow client must not keep a place from the others. */
  private hurry(socket: Socket): void {
    const { signInMs, sessionMs } = this.patience;
    const place = placeOf(socket);
    const end = (): void => void socket.destroy();
    const stranger = setTimeout(end, signInMs).unref();
    const longest = setTimeout(end, sessionMs).unref();
    this.clients.set(place, { end, stranger });
    socket.once('close', () => {
      clearTimeout(stranger);
      clearTimeout(longest);
      this.clients.delete(place);
    });
  }
}

const pem = (variable: string, file: string): Buffer => {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as { code?: string };
    throw new StartProblem(
      { variable, value: file },
      {
        wrong: `cannot be read (${code})`,
        remedy: 'give the path of a PEM file',
        exitCode: WRONG_ENVIRONMENT,
      },
    );
  }
};

/** Hands one message to an SMTP server, and tells for certain what became of it, or that this is not known. */
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { DomainError } from '../platform/errors';
import type { Outbound } from '../platform/outbound';
import type { MailServer } from './mail-server';
import type { Message } from './mails';

const CONNECT_MS = 10_000;
const GREETING_MS = 30_000;
/** Many servers look for spam before they answer, and an e-mail whose outcome is unknown costs a person's time. */
export const ANSWER_MS = 100_000;

export type Outcome =
  | { is: 'accepted'; words: string; refused: readonly string[] }
  | { is: 'refused'; words: string }
  /** Nothing was handed over. */
  | { is: 'unreachable'; words: string }
  /** The server has all of it, and did not answer. */
  | { is: 'unknown'; words: string };

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  response?: string;
}

const wordsOf = (error: SmtpError): string => (error.response ?? error.message).slice(0, 500);

interface Handing {
  signal: AbortSignal;
  /** Done before the server gets the message, so that an end of this process is noticed. */
  handing: () => Promise<void>;
  /** How long the server may take to answer once it has the message. */
  answerMs: number;
}

export const handOver = async (
  outbound: Outbound,
  { host, port, security, login }: MailServer,
  { raw, envelope }: Message,
  { signal, handing, answerMs }: Handing,
): Promise<Outcome> => {
  let handed = false;
  let late: NodeJS.Timeout | undefined;
  let socket: Socket | undefined;
  let connection: SMTPConnection | undefined;
  const end = (): void => {
    connection?.close();
    socket?.destroy();
  };
  try {
    const target = await outbound.reach({ host, port });
    signal.throwIfAborted();
    socket = await connected(target, signal);
    // Loaded with the first e-mail that is sent.
    const { default: Connection } = await import('nodemailer/lib/smtp-connection');
    const smtp = new Connection({
      connection: socket,
      host,
      name: 'quarterdeck',
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      greetingTimeout: GREETING_MS,
      socketTimeout: ANSWER_MS,
      logger: false,
    });
    connection = smtp;
    signal.addEventListener('abort', end, { once: true });
    await new Promise<void>((resolve, reject) => {
      smtp.once('error', reject);
      smtp.once('end', () => reject(new Error('the server closed the connection')));
      smtp.connect((error) => (error ? reject(error) : resolve()));
    });
    if (login)
      await new Promise<void>((resolve, reject) =>
        smtp.login({ user: login.username, pass: login.password }, (error) =>
          error ? reject(error) : resolve(),
        ),
      );
    await handing();
    const to = [...envelope.recipients];
    const { response, rejected } = await new Promise<{ response: string; rejected: string[] }>(
      (resolve, reject) => {
        smtp.once('error', reject);
        smtp.once('end', () => reject(new Error('the server closed the connection')));
        // Read by the connection only after the server has agreed to take it.
        const content = Readable.from(
          (async function* () {
            yield raw;
            handed = true;
            late = setTimeout(() => reject(new Error('the server did not answer in time')), answerMs);
          })(),
          { objectMode: false },
        );
        smtp.send({ from: envelope.from === '' ? false : envelope.from, to }, content, (error, info) =>
          error
            ? reject(error)
            : resolve({ response: info.response ?? '', rejected: info.rejected.map(String) }),
        );
      },
    );
    return { is: 'accepted', words: response.slice(0, 500), refused: rejected };
  } catch (error) {
    const failure = error as SmtpError;
    if (failure.code === 'ETLS')
      return { is: 'unreachable', words: `the connection cannot be encrypted (${wordsOf(failure)})` };
    if (failure.responseCode !== undefined) return { is: 'refused', words: wordsOf(failure) };
    if (handed) return { is: 'unknown', words: wordsOf(failure) };
    const words = error instanceof DomainError ? error.msg : wordsOf(failure);
    return { is: 'unreachable', words };
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', end);
    end();
  }
};

const connected = (target: { host: string; port: number; lookup: never | unknown }, signal: AbortSignal) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({
      host: target.host,
      port: target.port,
      lookup: target.lookup as never,
      timeout: CONNECT_MS,
    });
    const abort = (): void => void socket.destroy(new Error('was ended'));
    signal.addEventListener('abort', abort, { once: true });
    socket.once('timeout', () => socket.destroy(new Error('the server did not answer')));
    socket.once('error', reject);
    socket.once('close', () => signal.removeEventListener('abort', abort));
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      resolve(socket);
    });
  });

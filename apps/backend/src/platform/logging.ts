/** JSON lines with the correlation id of their request, and without secrets. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';

export interface RequestContext {
  correlationId: string;
  /** The caller's own id of the request, as they sent it. */
  callerCorrelationId?: string;
  actor?: string;
  workspace?: string;
}

/** The current request, available anywhere in its code. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

const secrets = [
  'privateKey',
  'passphrase',
  'password',
  'token',
  'code',
  'secret',
  'cookie',
  'authorization',
  'masterKey',
];

/**
 * Message and causes of an error, but not its other properties: a database error contains its connection, with the key
 * to cancel queries. The code is logged as `errorCode`, because `code` is redacted as the code of a sign-in link.
 */
const describeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  return {
    type: error.constructor.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' && { errorCode: code }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
    ...(Array.isArray(errors) && { errors: errors.map(describeError) }),
  };
};

/** Limit of buffered text while the log cannot be written. Later lines are lost. */
const KEPT_CHARACTERS = 1_000_000;

/** A log on a full disk must not end the process: lines are buffered up to a limit, and written once there is space. */
export const logFile = (file: number): DestinationStream =>
  pino.destination({ dest: file, sync: true, maxLength: KEPT_CHARACTERS }).on('error', () => undefined);

export const createLogger = (level: string, destination: DestinationStream = logFile(2)): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      mixin: () => ({ ...requestContext.getStore() }),
      redact: {
        paths: secrets
          .flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
          .concat('req.headers["set-cookie"]'),
        censor: '*******',
      },
    },
    destination,
  );

/** Sends Nest's own lines through the same logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  private write(
    level: 'info' | 'error' | 'warn' | 'debug' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.at(-1);
    const fields = typeof context === 'string' ? { context } : {};
    if (message instanceof Error) this.logger[level]({ ...fields, err: message }, message.message);
    else this.logger[level](fields, typeof message === 'string' ? message : JSON.stringify(message));
  }

  log = (message: unknown, ...rest: unknown[]): void => this.write('debug', message, rest);
  error = (message: unknown, ...rest: unknown[]): void => this.write('error', message, rest);
  warn = (message: unknown, ...rest: unknown[]): void => this.write('warn', message, rest);
  debug = (message: unknown, ...rest: unknown[]): void => this.write('debug', message, rest);
  verbose = (message: unknown, ...rest: unknown[]): void => this.write('debug', message, rest);
  fatal = (message: unknown, ...rest: unknown[]): void => this.write('fatal', message, rest);
}

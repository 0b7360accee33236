/** What an error of the first connection to Postgres means for the start. Pure. */
import type { Obstacle } from './patience';
import { UNAVAILABLE, WRONG_ENVIRONMENT } from '../../start-problem';

const wrong = (what: string, remedy: string): Obstacle => ({
  wrong: what,
  remedy,
  exitCode: WRONG_ENVIRONMENT,
  waits: false,
});
/** The server may just be starting. If it never answers during the wait, the address counts as wrong. */
const silent = (what: string, remedy: string): Obstacle => ({ ...wrong(what, remedy), waits: true });
/** The server answers, but cannot serve now. */
const busy = (what: string, remedy: string): Obstacle => ({
  wrong: what,
  remedy,
  exitCode: UNAVAILABLE,
  waits: true,
});

const START_OR_CORRECT = 'start Postgres there, or correct host and port';

const network: Record<string, Obstacle> = {
  ECONNREFUSED: silent('cannot be reached: the connection is refused', START_OR_CORRECT),
  ENOENT: silent('cannot be reached: there is no such socket', START_OR_CORRECT),
  ECONNRESET: silent('cannot be reached: the connection is closed without an answer', START_OR_CORRECT),
  EPIPE: silent('cannot be reached: the connection is closed without an answer', START_OR_CORRECT),
  ETIMEDOUT: silent('cannot be reached: there is no answer', START_OR_CORRECT),
  EHOSTUNREACH: silent('cannot be reached: there is no route to that host', START_OR_CORRECT),
  ENETUNREACH: silent('cannot be reached: there is no route to that network', START_OR_CORRECT),
  EAI_AGAIN: silent(
    'cannot be reached: the name of the host cannot be looked up now',
    'check DNS, or correct the host',
  ),
  ENOTFOUND: wrong('cannot be reached: there is no host with that name', 'correct the host'),
};

/** Messages of `pg` without a code. */
const words: readonly (readonly [RegExp, Obstacle])[] = [
  [/timeout exceeded when trying to connect|due to connection timeout/, network.ETIMEDOUT!],
  [/Connection terminated/, network.ECONNRESET!],
  [
    /does not support SSL/,
    wrong('asks for TLS, which the server does not offer', 'leave out sslmode, or set up TLS on the server'),
  ],
  [
    /client password must be a/,
    wrong(
      'has no password, and the server asks for one',
      'give user and password: postgres://user:password@host/database',
    ),
  ],
];

/** SQLSTATEs. Postgres' own message names the user and the database. */
const states: Record<string, (message: string) => Obstacle> = {
  '28P01': (message) => wrong(`is refused: ${message}`, 'correct user and password'),
  '28000': (message) => wrong(`is refused: ${message}`, 'correct the user, or allow it in pg_hba.conf'),
  '3D000': (message) => wrong(`is refused: ${message}`, 'create the database, or correct its name'),
  '42501': (message) =>
    wrong(
      `is refused: ${message}`,
      // Since Postgres 15, a parameter that no module has declared needs a separate privilege.
      message.includes('parameter "log.appending"')
        ? 'let the user set it: GRANT SET ON PARAMETER "log.appending" TO …'
        : 'let the user create schemas: GRANT CREATE ON DATABASE … TO …',
    ),
  '25006': (message) => wrong(`is read-only: ${message}`, 'use the primary, not a replica'),
  '57P03': (message) => busy(`is not ready yet: ${message}`, 'see the log of that server'),
  '53300': (message) => busy(`accepts no more connections: ${message}`, 'raise max_connections there'),
  '53100': (message) => busy(`has no space left: ${message}`, 'free some space on the disk of that server'),
};

const tlsCodes = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_|ERR_SSL_)/;

export const databaseObstacle = (error: unknown): Obstacle | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, message, path, syscall } = error as Record<'code' | 'message' | 'path' | 'syscall', unknown>;
  const said = String(message);
  if (typeof code !== 'string' || code === '') return words.find(([says]) => says.test(said))?.[1];
  if (syscall === 'open')
    return wrong(
      `names the file ${String(path)}, which cannot be read: ${code}`,
      'correct the path of the file',
    );
  if (tlsCodes.test(code))
    return wrong(`has a certificate that is not accepted: ${said}`, 'name its authority in sslrootcert');
  if (code in network) return network[code];
  if (code in states) return states[code]?.(said);
  // Class 57: the server is being stopped or restarted. Class 08: connection failures.
  if (/^57P0[12]$/.test(code)) return busy(`is being shut down: ${said}`, 'start it again');
  if (code.startsWith('08')) return silent(`cannot be reached: ${said}`, START_OR_CORRECT);
  return undefined;
};

/** Why a start cannot use the event log, from the answers of its nodes and its own first answer. Pure. */
import { StoreUnavailable } from '@quarterdeck/log/store';
import type { Obstacle } from './patience';
import { UNAVAILABLE, WRONG_ENVIRONMENT } from '../../start-problem';

/** Why a node does not accept calls: a Node network or TLS code, or `NO_TLS`, `TLS_ONLY`, `FILE`. */
export class NodeFault extends Error {
  override name = 'NodeFault';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export type NodeAnswer = NodeFault | 'ready';

const wrong = (what: string, remedy: string): Obstacle => ({
  wrong: what,
  remedy,
  exitCode: WRONG_ENVIRONMENT,
  waits: false,
});
const transient = (what: string, remedy = 'start the event log, or correct its address'): Obstacle => ({
  wrong: what,
  remedy,
  exitCode: UNAVAILABLE,
  waits: true,
});

const unreachable: Record<string, string> = {
  ECONNREFUSED: 'the connection is refused',
  ETIMEDOUT: 'there is no answer',
  EHOSTUNREACH: 'there is no route to that host',
  ENETUNREACH: 'there is no route to that network',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ENOTFOUND: 'there is no host with that name',
  ECONNRESET: 'the connection is closed without an answer',
  EPIPE: 'the connection is closed without an answer',
};

const nodeObstacle = ({ code, message }: NodeFault): Obstacle => {
  switch (code) {
    case 'FILE':
      return wrong(message, 'correct the path or the file');
    case 'NO_TLS':
      return wrong(
        'asks for TLS, which the server does not offer',
        'set tls=false, or give the server certificates',
      );
    case 'TLS_ONLY':
      return wrong(
        'has tls=false, and the server wants TLS',
        'set tls=true, with tlsCaFile if its authority is your own',
      );
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return wrong(`has a certificate for other names: ${message}`, 'use a name that is in the certificate');
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return wrong(`has a certificate that is not valid now: ${message}`, 'renew it, or set the clock');
    case 'ERR_HTTP2_ERROR':
      return wrong('is answered by something other than EventStoreDB', 'correct host and port');
  }
  const why = unreachable[code];
  if (why !== undefined) return transient(`cannot be reached: ${why}`);
  if (/^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_)/.test(code))
    return wrong(`has a certificate that is not accepted: ${message}`, 'name its authority in tlsCaFile');
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO)/.test(code))
    return wrong(`cannot agree on TLS with the server: ${message}`, 'check the certificates of both sides');
  return transient(`cannot be reached: ${message}`);
};

/** gRPC numbers. */
const DEADLINE_EXCEEDED = 4;
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;
const UNAUTHENTICATED = 16;

/** The gRPC code, wherever the client or the store put it. */
const grpcCode = (error: unknown): number | undefined => {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'number') return code;
  }
  return undefined;
};

const rootOf = (error: Error): Error => (error.cause instanceof Error ? rootOf(error.cause) : error);

const callObstacle = (error: Error, hasCredentials: boolean, hasTls: boolean): Obstacle | undefined => {
  const code = grpcCode(error);
  if (code === UNAUTHENTICATED || code === PERMISSION_DENIED) {
    if (!hasCredentials)
      return wrong(
        'is refused: the server asks for user and password',
        'give them as user:password@ before the host',
      );
    if (!hasTls) return wrong('is refused: without TLS user and password are not sent', 'set tls=true');
    return code === UNAUTHENTICATED
      ? wrong('is refused: the user or password is wrong', 'correct them')
      : wrong('is refused: the user may not read and write the log', 'give it access to all streams');
  }
  if (code === UNIMPLEMENTED)
    return wrong('is answered by something other than EventStoreDB', 'correct host and port');
  if (code === DEADLINE_EXCEEDED) return transient('does not answer', 'see the log of that server');
  const { message } = rootOf(error);
  if (/Failed to discover|no node of the cluster leads/.test(message))
    return transient('has no node that leads the cluster', 'see the logs of its nodes');
  return error instanceof StoreUnavailable ? transient(`cannot be reached: ${message}`) : undefined;
};

export const eventLogObstacle =
  (hasCredentials: boolean, hasTls: boolean) =>
  (error: unknown): Obstacle | undefined => {
    if (error instanceof NodeFault) return nodeObstacle(error);
    return error instanceof Error ? callObstacle(error, hasCredentials, hasTls) : undefined;
  };

/**
 * Who gets metrics and the details of readiness. Behind a proxy loopback proves nothing: the proxy itself may be there,
 * and pass on calls of anybody.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isBehindProxy, isLoopback, isPassedOn } from '../caller-address';
import { hashed } from '../sessions';
import type { Config } from '../tokens';

type ProbeConfig = Pick<Config, 'METRICS_TOKEN' | 'METRICS_ACCESS' | 'PUBLIC_URL' | 'TRUSTED_PROXIES'>;

const accessIn = (config: ProbeConfig): NonNullable<Config['METRICS_ACCESS']> =>
  config.METRICS_ACCESS ??
  (config.METRICS_TOKEN !== undefined || isBehindProxy(config) ? 'token' : 'loopback');

/** Compares hashes, so that the time says nothing about the token. */
const hasToken = ({ headers }: Pick<FastifyRequest, 'headers'>, token: string): boolean => {
  const [, sent] = /^Bearer (\S{1,200})$/i.exec(headers.authorization ?? '') ?? [];
  return sent !== undefined && timingSafeEqual(Buffer.from(hashed(sent)), Buffer.from(hashed(token)));
};

export const mayProbe = (
  request: Pick<FastifyRequest, 'headers' | 'socket'>,
  config: ProbeConfig,
): boolean => {
  if (config.METRICS_TOKEN !== undefined && hasToken(request, config.METRICS_TOKEN)) return true;
  const access = accessIn(config);
  if (access !== 'loopback') return access === 'anybody';
  return isLoopback(request.socket.remoteAddress) && !isPassedOn(request.headers);
};

/** How the call would be answered, in words. */
export const probeRefusal = (config: ProbeConfig): string => {
  if (config.METRICS_TOKEN !== undefined) return 'send METRICS_TOKEN as a bearer token';
  return accessIn(config) === 'loopback'
    ? 'this call is only answered on the machine itself; METRICS_TOKEN opens it to others'
    : 'this call needs a token: set METRICS_TOKEN, and send it as a bearer token';
};

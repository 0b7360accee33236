/**
 * Names of cookies. Over https they begin with `__Host-`: browsers accept such a cookie only from this very host, so no
 * page of a sibling domain can plant one. A cookie from before an update, without the prefix, is read until it expires
 * or is replaced.
 */
import type { FastifyReply } from 'fastify';
import { SESSION_COOKIE } from '../sessions';
import type { Config } from '../tokens';

const HOST = '__Host-';

export const isSecure = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): boolean =>
  PUBLIC_URL?.startsWith('https:') ?? false;

/** Goes before the name of each cookie that is set. */
export const cookiePrefix = (config: Pick<Config, 'PUBLIC_URL'>): string => (isSecure(config) ? HOST : '');

export type Cookies = Readonly<Record<string, string | undefined>>;

/** The cookie that this host has set has precedence. */
export const cookieIn = (cookies: Cookies, name: string): string | undefined =>
  cookies[`${HOST}${name}`] ?? cookies[name];

/**
 * What opens the session. The prefix is a part of it: a session that was given out under the prefix opens under no other
 * name, so an attacker cannot plant a session of their own as a cookie from before the update.
 */
export const sessionSecretIn = (cookies: Cookies): string | undefined => {
  const hosts = cookies[`${HOST}${SESSION_COOKIE}`];
  return hosts === undefined ? cookies[SESSION_COOKIE] : `${HOST}${hosts}`;
};

/** Attributes that every cookie has. */
export const cookieAttributes = (config: Pick<Config, 'PUBLIC_URL'>) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: isSecure(config),
});

/** Removes the cookie under both names. */
export const clearCookie = (reply: FastifyReply, name: string, config: Pick<Config, 'PUBLIC_URL'>): void => {
  for (const one of new Set([`${cookiePrefix(config)}${name}`, name]))
    void reply.clearCookie(one, cookieAttributes(config));
};

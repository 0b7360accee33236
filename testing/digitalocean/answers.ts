/** The shape of routes, and of their answers. */
import type { Match } from './description';
import { pageOf } from './records';
import type { Account } from './state';

export interface CloudCall {
  match: Match;
  url: URL;
  body: Record<string, unknown>;
  account: Account;
}

export interface Answered {
  status: number;
  body?: unknown;
}

export type Route = (asked: CloudCall) => Answered | Promise<Answered>;

export const ok = (body: unknown): Answered => ({ status: 200, body });
export const listed = (name: string, all: unknown[], { url }: CloudCall): Answered => {
  const { part, links, meta } = pageOf(all, url);
  return ok({ [name]: part, links, meta });
};

/** A field of a request, which the description says is a text. */
export const textIn = ({ body }: CloudCall, name: string): string => {
  const value = body[name];
  if (typeof value !== 'string') throw new Error(`${name} is no text: ${JSON.stringify(value)}`);
  return value;
};

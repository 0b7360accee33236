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

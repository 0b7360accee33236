/** Servers in words. Pure. */
import type { ServerView } from '@quarterdeck/projections';

/** `root@web-1.example.com:22` */
export const addressOf = ({ username, host, port }: Pick<ServerView, 'username' | 'host' | 'port'>): string =>
  `${username}@${host.includes(':') ? `[${host}]` : host}:${port}`;

/** What has to be typed before a server is deleted: its alias, or the word when it has none. */
export const deletionWord = ({ alias }: Pick<ServerView, 'alias'>): string => alias || 'alias';

/** How many of its domains are asked for before a server is deleted. */
export const DOMAINS_NAMED = 5;

interface Going {
  rows: readonly { serverName: string }[];
  total: number;
}

/** What goes with a server when it is deleted. @param domains nothing when they could not be asked for */
export const domainsThatGo = (domains: Going | undefined): string => {
  const warning = 'All associated domains are deleted with it';
  if (!domains) return warning;
  const { rows, total } = domains;
  if (total === 0) return `${warning} (it has none)`;
  const more = total > rows.length ? ` and ${total - rows.length} more` : '';
  return `${warning} (${total}: ${rows.map(({ serverName }) => serverName).join(', ')}${more})`;
};

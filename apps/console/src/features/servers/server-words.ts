/** Texts about servers. Pure. */
import type { DeployRow, ServerView } from '@quarterdeck/projections';
import type { Holder } from '../../core/http';

/** `root@web-1.example.com:22` */
export const addressOf = ({ username, host, port }: Pick<ServerView, 'username' | 'host' | 'port'>): string =>
  `${username}@${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The fields of a server's connection, as its page shows them and its form asks for them. */
export const serverLabels = {
  host: 'Host',
  port: 'SSH port',
  username: 'Username',
  root: 'Root',
  path: 'Path',
  nginxPath: 'NGINX Path',
} as const;
export const labelled = Object.keys(serverLabels) as (keyof typeof serverLabels)[];

/** The word to type before a server is deleted: its alias, or `alias` if it has none. */
export const deletionWord = ({ alias }: Pick<ServerView, 'alias'>): string => alias || 'alias';

/** How many of the server's domains the delete dialog names. */
export const DOMAINS_NAMED = 5;

interface Going {
  rows: readonly { serverName: string }[];
  total: number;
}

/** Warning about the domains deleted with a server. @param domains `undefined` if they could not be loaded */
export const domainsThatGo = (domains: Going | undefined): string => {
  const warning = 'All associated domains are deleted with it';
  if (!domains) return warning;
  const { rows, total } = domains;
  if (total === 0) return `${warning} (it has none)`;
  const more = total > rows.length ? ` and ${total - rows.length} more` : '';
  return `${warning} (${total}: ${rows.map(({ serverName }) => serverName).join(', ')}${more})`;
};

type Serving = Pick<DeployRow, 'id' | 'product' | 'service' | 'package'>;

export const holderOf = ({ id, product, service, package: { version } }: Serving): Holder => ({
  category: 'release',
  id,
  name: `${service.name} ${version}`,
  within: [
    { category: 'product', id: product },
    { category: 'service', id: service.id },
  ],
});

/** Why a server with services that serve on it is not deleted. */
export const servingWords = ({ alias }: Pick<ServerView, 'alias'>, serving: readonly Serving[]): string => {
  const names = new Intl.ListFormat('en').format(serving.map(({ service }) => service.name));
  return serving.length === 1
    ? `${names} serves on ${alias}. Stop it first, or record it as stopped if the server is gone.`
    : `${names} serve on ${alias}. Stop them first, or record them as stopped if the server is gone.`;
};

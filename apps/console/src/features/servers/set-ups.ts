/** Texts of the two server set-ups. Pure. */
import { runLabel } from '@quarterdeck/events';
import type { ServerView } from '@quarterdeck/projections';
import { addressOf } from './server-words';

export const setUps = ['initializeServer', 'installDocker'] as const;
export type SetUp = (typeof setUps)[number];

export const setUpLabel = (what: SetUp): string => runLabel(what, {});

type Named = Pick<ServerView, 'alias' | 'username' | 'host' | 'port' | 'root' | 'path' | 'nginxPath'>;

/** Text of the confirmation dialog: the host, what will be done there and what will not. */
export const setUpQuestion = (what: SetUp, server: Named): { title: string; body: string } => {
  const where = `${server.alias} (${addressOf(server)})`;
  return what === 'initializeServer'
    ? {
        title: `Initialize ${server.alias}?`,
        body: `On ${where} this installs what is missing of curl, nginx and certbot, makes the folders ${server.root}, ${server.path} and ${server.nginxPath}, lets nginx read ${server.nginxPath}/*.conf, raises its connections, refuses names that no site has, and starts it, now and with the server. The firewall is checked, not changed. You can run it again at any time: what is already in place does not change.`,
      }
    : {
        title: `Install Docker on ${server.alias}?`,
        body: `On ${where} this installs the Docker engine and compose from the packages of its distribution, starts the engine, now and at every boot, and runs a test container. An existing Docker is not changed.`,
      };
};

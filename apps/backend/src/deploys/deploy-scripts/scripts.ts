/** The scripts of a deploy, with what they take. */
import { ANSWER_SECONDS } from '@quarterdeck/projections';
import { exitNames, shell } from '../../platform/ssh';
import { siteChangeConstants } from '../../webserver';
import { deployExit } from './deploy-exit';
import download from './download.sh';
import pull from './pull.sh';
import retire from './retire.sh';
import settleClient from './settle-client.sh';
import settle from './settle.sh';
import start from './start.sh';
import stopClient from './stop-client.sh';
import stop from './stop.sh';
import swap from './swap.sh';
import tidy from './tidy.sh';

const constants = { ...siteChangeConstants, ...exitNames(deployExit), answer_seconds: ANSWER_SECONDS };

/** A release of a container, for the end of a deploy. */
const released = [
  'base',
  'proxy',
  'service',
  'release',
  'keep',
  'name',
  'inside',
  'path',
  'seconds',
] as const;
/** A site's file that is the proxy of a service. */
const proxied = ['nginx_folder', 'file', 'root'] as const;

export const pullScript = shell(pull, ['image', 'registry', 'user', 'token', 'release'], constants);
export const startScript = shell(
  start,
  [
    'base',
    'proxy',
    'service',
    'release',
    'name',
    'image',
    'inside',
    'first',
    'path',
    'seconds',
    'compose',
    'environment',
    'nginx_folder',
    'root',
    'proxy_text',
    'in_network_text',
    'drain',
    'watch_seconds',
  ],
  constants,
);
export const retireScript = shell(retire, released, constants);
export const settleScript = shell(
  settle,
  ['nginx_folder', 'root', 'drain', 'watch_seconds', ...released],
  constants,
);
export const stopScript = shell(stop, ['base', 'service', ...proxied], constants);

export const downloadScript = shell(
  download,
  ['base', 'name', 'folder', 'tarball', 'sha512', 'token', 'release'],
  constants,
);
export const swapScript = shell(
  swap,
  ['base', 'name', 'served', 'port', 'path', ...proxied, 'wanted', 'text'],
  constants,
);
export const tidyScript = shell(tidy, ['base', 'name', 'keep'], constants);
export const settleClientScript = shell(
  settleClient,
  ['base', 'name', 'keep', 'proxy', 'nginx_folder', 'root', 'port', 'path'],
  constants,
);
export const stopClientScript = shell(stopClient, ['base', ...proxied], constants);

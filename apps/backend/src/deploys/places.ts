/** Locations of services on their servers. */
import type { RunContext, RunServer } from '../runs';
import { proxyFile } from './proxy';

export const serverOf = ({ server }: RunContext): RunServer => {
  if (!server) throw new Error('services are deployed to servers');
  return server;
};

const below = (folder: string, ...names: string[]): string =>
  [folder.replace(/\/+$/, ''), ...names].join('/');

export const serviceFolder = (root: string, service: string): string =>
  below(root, '.quarterdeck', 'services', service);

export const deployFolder = (root: string, service: string, release: string): string =>
  below(serviceFolder(root, service), release);

export const proxyPath = (context: RunContext, service: string): string =>
  below(serverOf(context).nginxPath, proxyFile(service));

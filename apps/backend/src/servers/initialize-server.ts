/**
 * Initialize Server: brings a bare server to where the console can put sites on it. Every step looks first and does only
 * what is missing, so the whole may be run again at any time, and then changes nothing.
 */
import type { EventData } from '@quarterdeck/events';
import type { RunContext, RunKind } from '../runs';
import { RecordInitialized } from './servers.decider';
import { factsScript } from './setup-scripts/facts';
import { firewallScript } from './setup-scripts/firewall';
import { certbotScript, nginxIncludeScript, nginxScript, nginxServiceScript } from './setup-scripts/nginx';
import { foldersScript, prerequisitesScript } from './setup-scripts/prerequisites';
import { reachScript } from './setup-scripts/system';
import { changedSoFar, folders, minutes, systemStep } from './setup-steps';

const factsOf = ({ reports }: RunContext): EventData<'ServerInitialized'>['facts'] => {
  const {
    os = 'linux',
    kernel = '',
    architecture = '',
    nginx,
    certbot,
    docker,
    ...sizes
  } = reports['facts'] ?? {};
  const size = (name: string): number => Number(sizes[name] ?? 0);
  return {
    os,
    kernel,
    architecture,
    cores: size('cores'),
    memoryBytes: size('memoryBytes'),
    diskBytes: size('diskBytes'),
    ...(nginx && { nginx }),
    ...(certbot && { certbot }),
    ...(docker && { docker }),
  };
};

export const initializeServer: RunKind = {
  kind: 'initializeServer',
  changes: true,
  steps: [
    // Can it be reached, and may we change anything there?
    { name: 'reach', on: 'server', script: reachScript, timeoutMs: minutes(1), repeatable: true },
    systemStep,

    // What everything else needs: tools to fetch things with, and the folders that the server was registered with.
    {
      name: 'prerequisites',
      on: 'server',
      script: prerequisitesScript,
      privileged: true,
      timeoutMs: minutes(20),
      repeatable: true,
    },
    {
      name: 'folders',
      on: 'server',
      script: foldersScript,
      args: (context) => {
        const { root, path, nginxPath } = folders(context);
        return [root, path, nginxPath];
      },
      privileged: true,
      timeoutMs: minutes(1),
      repeatable: true,
    },

    // nginx: installed, reading the folder of our sites, and running.
    {
      name: 'nginx',
      on: 'server',
      script: nginxScript,
      privileged: true,
      timeoutMs: minutes(20),
      repeatable: true,
    },
    {
      name: 'nginxInclude',
      on: 'server',
      script: nginxIncludeScript,
      args: (context) => [folders(context).nginxPath],
      privileged: true,
      timeoutMs: minutes(2),
      repeatable: true,
    },
    {
      name: 'nginxService',
      on: 'server',
      script: nginxServiceScript,
      privileged: true,
      timeoutMs: minutes(3),
      repeatable: true,
    },

    // Certificates.
    {
      name: 'certbot',
      on: 'server',
      script: certbotScript,
      privileged: true,
      timeoutMs: minutes(20),
      repeatable: true,
    },

    // A closed port is told, not opened: that is for whoever runs the server to decide.
    {
      name: 'firewall',
      on: 'server',
      script: firewallScript,
      args: ({ reports }) => [reports['reach']?.['sshPort'] ?? '22'],
      privileged: true,
      timeoutMs: minutes(1),
      repeatable: true,
    },

    // What the server is, for its page and for history.
    {
      name: 'facts',
      on: 'server',
      script: factsScript,
      args: (context) => [folders(context).root, changedSoFar(context).join('\n')],
      privileged: true,
      timeoutMs: minutes(1),
      repeatable: true,
    },
  ],
  conclude: (context, meta) =>
    new RecordInitialized(
      context.request.subject.id,
      { facts: factsOf(context), changed: changedSoFar(context) },
      meta,
    ),
};

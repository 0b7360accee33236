/**
 * Initialize Server: prepares a bare server so that the console can put sites on it. Every step checks first and does
 * only what is missing. So the whole run can be repeated at any time, and then changes nothing.
 */
import { SET_UP, type EventData } from '@quarterdeck/events';
import type { RunContext, RunKind } from '../runs';
import { RecordInitialized } from './servers.decider';
import { factsScript } from './setup-scripts/facts';
import { firewallScript } from './setup-scripts/firewall';
import { certbotScript, nginxScript, nginxServiceScript } from './setup-scripts/nginx';
import {
  nginxConnectionsScript,
  nginxIncludeScript,
  unknownNamesScript,
} from './setup-scripts/nginx-configuration';
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
    // Whether the server can be reached and changed.
    {
      name: 'reach',
      on: 'server',
      script: reachScript,
      timeoutMs: minutes(1),
      attached: true,
      repeatable: true,
    },
    systemStep,

    // Prerequisites of all other steps: download tools, and the folders that the server was registered with.
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

    // nginx: installed, including our folder of sites, and running.
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
      name: 'nginxConnections',
      on: 'server',
      script: nginxConnectionsScript,
      privileged: true,
      timeoutMs: minutes(2),
      repeatable: true,
    },
    {
      name: 'unknownNames',
      on: 'server',
      script: unknownNamesScript,
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

    // A closed port is reported, not opened: the administrator of the server decides about that.
    {
      name: 'firewall',
      on: 'server',
      script: firewallScript,
      args: ({ reports }) => [reports['reach']?.['sshPort'] ?? '22'],
      privileged: true,
      timeoutMs: minutes(1),
      repeatable: true,
    },

    // Facts about the server, for its page and for the history.
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
  onSuccess: (context, meta) =>
    new RecordInitialized(
      context.request.subject.id,
      { facts: factsOf(context), changed: changedSoFar(context), setUp: SET_UP },
      meta,
    ),
};

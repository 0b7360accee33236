/**
 * Initialize Server: prepares a bare server so that the console can put sites on it. Every step checks first and does
 * only what is missing. So the whole run can be repeated at any time, and then changes nothing.
 */
import { SET_UP, type EventData } from '@quarterdeck/events';
import { fixedShell, shell } from '../platform/ssh';
import type { RunContext, RunKind } from '../runs';
import { RecordInitialized } from './servers.decider';
import certbot from './setup-scripts/certbot.sh';
import factsFile from './setup-scripts/facts.sh';
import firewallFile from './setup-scripts/firewall.sh';
import foldersFile from './setup-scripts/folders.sh';
import nginx from './setup-scripts/nginx.sh';
import nginxConnections from './setup-scripts/nginx-connections.sh';
import nginxInclude from './setup-scripts/nginx-include.sh';
import nginxService from './setup-scripts/nginx-service.sh';
import prerequisites from './setup-scripts/prerequisites.sh';
import reach from './setup-scripts/reach.sh';
import unknownNames from './setup-scripts/unknown-names.sh';
import { changedSoFar, folders, minutes, systemStep } from './setup-steps';

const makeFolders = shell(foldersFile, ['root', 'static', 'nginx_folder']);
const includeSites = shell(nginxInclude, ['nginx_folder']);
const refuseUnknownNames = shell(unknownNames, ['nginx_folder']);
const lookAtFirewall = shell(firewallFile, ['ssh_port']);
const tellFacts = shell(factsFile, ['root', 'changes']);

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
      script: fixedShell(reach),
      timeoutMs: minutes(1),
      attached: true,
      repeatable: true,
    },
    systemStep,

    // Prerequisites of all other steps: download tools, and the folders that the server was registered with.
    {
      name: 'prerequisites',
      on: 'server',
      script: fixedShell(prerequisites),
      privileged: true,
      timeoutMs: minutes(20),
      repeatable: true,
    },
    {
      name: 'folders',
      on: 'server',
      script: (context) => {
        const { root, path, nginxPath } = folders(context);
        return makeFolders({ root, static: path, nginx_folder: nginxPath });
      },
      privileged: true,
      timeoutMs: minutes(1),
      repeatable: true,
    },

    // nginx: installed, including our folder of sites, and running.
    {
      name: 'nginx',
      on: 'server',
      script: fixedShell(nginx),
      privileged: true,
      timeoutMs: minutes(20),
      repeatable: true,
    },
    {
      name: 'nginxInclude',
      on: 'server',
      script: (context) => includeSites({ nginx_folder: folders(context).nginxPath }),
      privileged: true,
      timeoutMs: minutes(2),
      repeatable: true,
    },
    {
      name: 'nginxConnections',
      on: 'server',
      script: fixedShell(nginxConnections),
      privileged: true,
      timeoutMs: minutes(2),
      repeatable: true,
    },
    {
      name: 'unknownNames',
      on: 'server',
      script: (context) => refuseUnknownNames({ nginx_folder: folders(context).nginxPath }),
      privileged: true,
      timeoutMs: minutes(2),
      repeatable: true,
    },
    {
      name: 'nginxService',
      on: 'server',
      script: fixedShell(nginxService),
      privileged: true,
      timeoutMs: minutes(3),
      repeatable: true,
    },

    // Certificates.
    {
      name: 'certbot',
      on: 'server',
      script: fixedShell(certbot),
      privileged: true,
      timeoutMs: minutes(20),
      repeatable: true,
    },

    // A closed port is reported, not opened: the administrator of the server decides about that.
    {
      name: 'firewall',
      on: 'server',
      script: ({ reports }) => lookAtFirewall({ ssh_port: reports['reach']?.['sshPort'] ?? '22' }),
      privileged: true,
      timeoutMs: minutes(1),
      repeatable: true,
    },

    // Facts about the server, for its page and for the history.
    {
      name: 'facts',
      on: 'server',
      script: (context) =>
        tellFacts({ root: folders(context).root, changes: changedSoFar(context).join('\n') }),
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

/** Servers, and the calls that work on them. */
import {
  byId,
  nothing,
  serverDelete,
  serverExecCmd,
  serverHostKeyAccept,
  serverInsert,
  serverKeyUpdate,
  serverPage,
  serverSetup,
  serverUpdate,
} from '@quarterdeck/events/inputs';
import { listPageOf, serverRow, serverView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids, started } from './answers';
import { calls } from './call';

/** Each download of a private key is recorded as an event. */
const privateKey = z.strictObject({ privateKey: z.string(), filename: z.string() });

const commandResult = z.strictObject({
  out: z.string(),
  runId: z.string(),
  exitCode: z.number().optional(),
  durationMs: z.number(),
  state: z.string(),
  /** Why the run failed or was cancelled. */
  reason: z.string().optional(),
});

const contact = z.strictObject({
  hostKey: z.strictObject({ algorithm: z.string(), fingerprint: z.string() }),
  /** Whether this was the first contact, which pinned the host key. */
  pinned: z.boolean(),
  software: z.string(),
});

const serverConfig = z.strictObject({
  /** All sites as last applied. A site that was never applied is generated, or only named if that is impossible. */
  nginxStatement: z.string(),
  /** Sites whose generated configuration has changed, cannot be generated, or was edited on the server. */
  unapplied: z.array(
    z.strictObject({
      id: z.string(),
      serverName: z.string(),
      /** State in words, such as `changes not applied: 2 lines`. */
      state: z.string(),
      /** Why it cannot be generated, one sentence each. */
      problems: z.array(z.string()),
    }),
  ),
  dockerCompose: z.string(),
});

export const servers = calls('server', {
  init: {
    summary: 'Initializes a server, as a recorded run',
    access: 'admin',
    input: serverSetup,
    answer: started,
    stales: 'servers',
    receipt: false,
  },
  installDocker: {
    summary: 'Installs Docker on a server, as a recorded run',
    access: 'admin',
    path: 'install-docker',
    input: serverSetup,
    answer: started,
    stales: 'servers',
    receipt: false,
  },
  execCmd: {
    summary: 'Runs one of the ten fixed commands, as a recorded run',
    access: 'admin',
    input: serverExecCmd,
    answer: commandResult,
    stales: 'servers',
    receipt: false,
  },
  contact: {
    summary: 'Connects, and pins the host key at first contact',
    access: 'admin',
    input: byId,
    answer: contact,
    stales: 'servers',
    receipt: false,
  },
  list: {
    summary: 'The servers of the workspace',
    access: 'admin',
    input: nothing,
    answer: z.array(serverView),
    shows: 'servers',
    asOf: true,
  },
  page: {
    summary: 'One page of the servers with their newest probes, those that need attention first',
    access: 'admin',
    input: serverPage,
    answer: listPageOf(serverRow),
    shows: 'servers',
    asOf: true,
  },
  detail: {
    summary: 'One server',
    access: 'admin',
    input: byId,
    answer: serverView,
    shows: 'servers',
    asOf: true,
  },
  insert: {
    summary: 'Registers a server with its private key',
    access: 'admin',
    input: serverInsert,
    answer: ids,
    stales: 'servers',
  },
  update: {
    summary: 'Renames or moves a server, or changes its paths',
    access: 'admin',
    input: serverUpdate,
    answer: ids,
    stales: 'servers',
  },
  replaceKey: {
    summary: 'Replaces the private key of a server',
    access: 'admin',
    path: 'update/private-key',
    input: serverKeyUpdate,
    answer: ids,
    stales: 'servers',
  },
  download: {
    summary: 'Downloads the private key of a server; the download is recorded',
    access: 'admin',
    path: 'private-key/download',
    input: byId,
    answer: privateKey,
    receipt: false,
  },
  delete: {
    summary: 'Removes a server; `alias` is what was typed to confirm',
    access: 'admin',
    input: serverDelete,
    answer: ids,
    stales: 'servers',
  },
  acceptHostKey: {
    summary: 'Trusts the changed host key with exactly this fingerprint',
    access: 'admin',
    path: 'host-key/accept',
    input: serverHostKeyAccept,
    answer: ids,
    stales: 'servers',
  },
  config: {
    summary: 'nginx statement and compose file of a whole server',
    access: 'admin',
    input: byId,
    answer: serverConfig,
    shows: 'domains',
    wide: true,
    asOf: true,
  },
});

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
import { demo, newRunId, privateKey, page } from './demo';

/** Each download of a private key is recorded as an event. */
const keyFile = z.strictObject({ privateKey: z.string(), filename: z.string() });

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

const server = {
  alias: 'web-1',
  host: '192.0.2.10',
  port: 2200,
  username: 'root',
  root: '/root',
  path: '/root/volumes/static',
  nginxPath: '/root/volumes/nginx_config',
} as const;

export const servers = calls('server', 'admin', {
  init: {
    summary: 'Initializes a server, as a recorded run',
    input: serverSetup,
    example: { id: demo.server, runId: newRunId },
    answer: started,
    stales: 'servers',
    receipt: false,
  },
  installDocker: {
    summary: 'Installs Docker on a server, as a recorded run',
    path: 'install-docker',
    input: serverSetup,
    example: { id: demo.server, runId: newRunId },
    answer: started,
    stales: 'servers',
    receipt: false,
  },
  execCmd: {
    summary: 'Runs one of the ten fixed commands, as a recorded run',
    input: serverExecCmd,
    example: { id: demo.server, cmdType: 2, runId: newRunId },
    answer: commandResult,
    stales: 'servers',
    receipt: false,
  },
  contact: {
    summary: 'Connects, and pins the host key at first contact',
    input: byId,
    example: { id: demo.server },
    answer: contact,
    stales: 'servers',
    receipt: false,
  },
  list: {
    summary: 'The servers of the workspace',
    input: nothing,
    answer: z.array(serverView),
    shows: 'servers',
    asOf: true,
  },
  page: {
    summary: 'One page of the servers with their newest probes, those that need attention first',
    input: serverPage,
    example: { ...page, ids: [demo.server] },
    answer: listPageOf(serverRow),
    shows: 'servers',
    asOf: true,
  },
  detail: {
    summary: 'One server',
    input: byId,
    example: { id: demo.server },
    answer: serverView,
    shows: 'servers',
    asOf: true,
  },
  insert: {
    summary: 'Registers a server with its private key',
    input: serverInsert,
    example: { ...server, privateKey },
    answer: ids,
    stales: 'servers',
  },
  update: {
    summary: 'Renames or moves a server, or changes its paths',
    input: serverUpdate,
    example: { id: demo.server, data: server, revision: 3 },
    answer: ids,
    stales: 'servers',
  },
  replaceKey: {
    summary: 'Replaces the private key of a server',
    path: 'update/private-key',
    input: serverKeyUpdate,
    example: { id: demo.server, privateKey },
    answer: ids,
    stales: 'servers',
  },
  download: {
    summary: 'Downloads the private key of a server; the download is recorded',
    path: 'private-key/download',
    input: byId,
    example: { id: demo.server },
    answer: keyFile,
    receipt: false,
  },
  delete: {
    summary: 'Removes a server; `alias` is what was typed to confirm',
    input: serverDelete,
    example: { id: demo.server, alias: 'web-1' },
    answer: ids,
    stales: 'servers',
  },
  acceptHostKey: {
    summary: 'Trusts the changed host key with exactly this fingerprint',
    path: 'host-key/accept',
    input: serverHostKeyAccept,
    example: { id: demo.server, fingerprint: 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU' },
    answer: ids,
    stales: 'servers',
  },
  config: {
    summary: 'nginx statement and compose file of a whole server',
    input: byId,
    example: { id: demo.server },
    answer: serverConfig,
    shows: 'domains',
    wide: true,
    asOf: true,
  },
});

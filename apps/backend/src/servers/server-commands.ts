/** The ten fixed commands, each a recorded run of one step. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import { fixedCommand, type FixedCommand } from './commands/fixed-commands';
import { DomainError, notFound } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import {
  mayAttach,
  RunEngine,
  type HostAccess,
  type RecordedRun,
  type RunKind,
  type RunRequest,
} from '../runs';
import { ServerConnections } from './server-connections';
import { ServerKeys } from './server-keys';
import { ServerRegistry } from './server-registry';
import type { RegisteredServer } from './servers.decider';
import { folders } from './setup-steps';

/** The outcome of a command in the terms of `execCmd`. */
interface CommandAnswer {
  out: string;
  runId: string;
  exitCode?: number;
  durationMs: number;
  state: RecordedRun['end']['is'];
  reason?: string;
}

/** With these codes the command itself ended: its output is the answer, whatever the exit code. */
const endedThere = new Set(['exit', 'signal', 'timeout', 'noExit']);

const commandAnswer = ({ id, end, lastStep, position }: RecordedRun, out: string): CommandAnswer => {
  if (end.is === 'failed' && !endedThere.has(end.code))
    throw new DomainError('upstream', end.reason, undefined, { code: end.code, recorded: position });
  return {
    out,
    runId: id,
    ...(lastStep?.exitCode === undefined ? {} : { exitCode: lastStep.exitCode }),
    durationMs: 'durationMs' in end ? end.durationMs : (lastStep?.durationMs ?? 0),
    state: end.is,
    ...('reason' in end ? { reason: end.reason } : {}),
  };
};

const commandOf = ({ input }: RunRequest): FixedCommand => {
  const command = fixedCommand(Number(input.cmdType));
  if (!command) throw notFound('command');
  return command;
};

/** A fixed command as a run: one step with the command's own name. */
export const commandKind: RunKind = {
  kind: 'command',
  changes: (request) => commandOf(request).changes,
  outputLimit: 10 * 1024 * 1024,
  steps: (request) => {
    const { name, script, timeoutMs, changes } = commandOf(request);
    const attached = mayAttach({ changes, timeoutMs });
    return [
      {
        on: 'server',
        name,
        script: (context) => script(folders(context)),
        timeoutMs,
        attached,
        repeatable: attached,
      },
    ];
  },
};

@Injectable()
export class ServerCommands implements OnModuleInit {
  constructor(
    private readonly runs: RunEngine,
    private readonly registry: ServerRegistry,
    private readonly connections: ServerConnections,
    private readonly keys: ServerKeys,
  ) {}

  onModuleInit(): void {
    this.runs.register(commandKind);
  }

  /** For runs. */
  get access(): HostAccess {
    return {
      pool: this.connections.pool,
      server: async (id, { workspace }) => ({ ...(await this.registry.server(id, workspace)), id }),
      target: async (id, meta) => {
        const server = await this.registry.server(id, meta.workspace);
        const to = { id, server, meta };
        return this.connections.target(to, await this.connections.privateKey(to));
      },
      secrets: (workspace) => this.keys.secrets(workspace),
    };
  }

  async run(
    run: string,
    { id, server, cmdType }: { id: string; server: RegisteredServer; cmdType: number },
    meta: CommandMeta,
  ): Promise<{ answer: CommandAnswer; position: Position }> {
    const subject = { kind: 'server', id, name: server.alias };
    await this.runs.start(run, commandKind.kind, { subject, input: { cmdType } }, meta);
    const ended = await this.runs.ended(run, meta.workspace);
    const out = await this.runs.output(run, ended.lastStep?.attempt);
    return { answer: commandAnswer(ended, out), position: ended.position };
  }
}

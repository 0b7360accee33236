/** Common parts of the two server set-ups. */
import { fixedShell } from '../platform/ssh';
import type { RunContext, RunKind } from '../runs';
import system from './setup-scripts/system.sh';

export const minutes = (count: number): number => count * 60_000;

/** All changes by the attempts so far, in order, including failed attempts; each change once. */
export const changedSoFar = ({ attempts }: Pick<RunContext, 'attempts'>): string[] => {
  const lines = attempts.flatMap(({ report }) => report['changed']?.split('\n') ?? []);
  return [...new Set(lines.filter((line) => line !== ''))];
};

/** The server as registered when the step begins. */
export const folders = ({ server }: RunContext): NonNullable<RunContext['server']> => {
  if (!server) throw new Error('only a server can be set up');
  return server;
};

export const systemStep = {
  name: 'system',
  on: 'server',
  script: fixedShell(system),
  timeoutMs: minutes(1),
  repeatable: true,
} satisfies Extract<RunKind['steps'], readonly unknown[]>[number];

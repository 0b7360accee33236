/** What the two set-ups of a server have in common. */
import type { RunContext, RunKind } from '../runs';
import { systemScript } from './setup-scripts/system';

export const minutes = (count: number): number => count * 60_000;

/** What the attempts at all steps so far changed, in their order, failed ones included; each change once. */
export const changedSoFar = ({ attempts }: Pick<RunContext, 'attempts'>): string[] => {
  const lines = attempts.flatMap(({ report }) => report['changed']?.split('\n') ?? []);
  return [...new Set(lines.filter((line) => line !== ''))];
};

/** As the server is registered when the step begins. */
export const folders = ({ server }: RunContext): NonNullable<RunContext['server']> => {
  if (!server) throw new Error('only a server can be set up');
  return server;
};

export const systemStep = {
  name: 'system',
  on: 'server',
  script: systemScript,
  timeoutMs: minutes(1),
  repeatable: true,
} satisfies Extract<RunKind['steps'], readonly unknown[]>[number];

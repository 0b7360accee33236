/**
 * Install Docker: the engine and compose, as the server's own distribution has them. What is there already is left
 * alone, whatever its version; at the end a container has really run.
 */
import type { RunKind } from '../runs';
import { RecordDocker } from './servers.decider';
import { composeScript, daemonScript, engineScript, verifyScript } from './setup-scripts/docker';
import { changedSoFar, minutes, systemStep } from './setup-steps';

export const installDocker: RunKind = {
  kind: 'installDocker',
  changes: true,
  steps: [
    // Which distribution is it, and may we install there?
    systemStep,

    // The engine: installed, then started now and with the server.
    {
      name: 'engine',
      on: 'server',
      script: engineScript,
      privileged: true,
      timeoutMs: minutes(30),
      repeatable: true,
    },
    {
      name: 'daemon',
      on: 'server',
      script: daemonScript,
      privileged: true,
      timeoutMs: minutes(5),
      repeatable: true,
    },

    // Compose: the plug-in where the distribution has it, else the program of old.
    {
      name: 'compose',
      on: 'server',
      script: composeScript,
      privileged: true,
      timeoutMs: minutes(20),
      repeatable: true,
    },

    // The proof: a container of an image that is made on the server itself. Nothing is pulled.
    {
      name: 'verify',
      on: 'server',
      script: verifyScript,
      args: (context) => [changedSoFar(context).join('\n')],
      privileged: true,
      timeoutMs: minutes(3),
      repeatable: true,
    },
  ],
  conclude: (context, meta) => {
    const { engine = '', compose } = context.reports['verify'] ?? {};
    return new RecordDocker(
      context.request.subject.id,
      { engine, ...(compose && { compose }), changed: changedSoFar(context) },
      meta,
    );
  },
};

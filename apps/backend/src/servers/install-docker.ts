/**
 * Install Docker: the engine and compose, from the server's own distribution. Existing installations are left alone,
 * whatever their version. The last step verifies that a container runs.
 */
import { fixedShell, shell } from '../platform/ssh';
import type { RunKind } from '../runs';
import { RecordDocker } from './servers.decider';
import compose from './setup-scripts/compose.sh';
import daemon from './setup-scripts/daemon.sh';
import engine from './setup-scripts/engine.sh';
import verifyFile from './setup-scripts/verify.sh';
import { changedSoFar, minutes, systemStep } from './setup-steps';

const verify = shell(verifyFile, ['changes']);

export const installDocker: RunKind = {
  kind: 'installDocker',
  changes: true,
  steps: [
    // Checks the distribution and the permission to install.
    systemStep,

    // The engine: installed, then started now and at every boot.
    {
      name: 'engine',
      on: 'server',
      script: fixedShell(engine),
      privileged: true,
      timeoutMs: minutes(30),
      repeatable: true,
    },
    {
      name: 'daemon',
      on: 'server',
      script: fixedShell(daemon),
      privileged: true,
      timeoutMs: minutes(5),
      repeatable: true,
    },

    // Compose: the plug-in if the distribution has it, else the older program.
    {
      name: 'compose',
      on: 'server',
      script: fixedShell(compose),
      privileged: true,
      timeoutMs: minutes(20),
      repeatable: true,
    },

    // Verifies docker with a container from an image that is built on the server itself. Nothing is pulled.
    {
      name: 'verify',
      on: 'server',
      script: (context) => verify({ changes: changedSoFar(context).join('\n') }),
      privileged: true,
      timeoutMs: minutes(3),
      repeatable: true,
    },
  ],
  onSuccess: (context, meta) => {
    const { engine = '', compose } = context.reports['verify'] ?? {};
    return new RecordDocker(
      context.request.subject.id,
      { engine, ...(compose && { compose }), changed: changedSoFar(context) },
      meta,
    );
  },
};

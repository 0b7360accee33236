/** Runs on a droplet that exists: its actions at the provider, and its deletion. */
import { isAnswerLost } from '../digitalocean';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { StepFailed, type RunContext, type RunKind } from '../runs';
import type { CloudGround } from './cloud-ground';
import type { CloudRequests } from './cloud-requests';
import { inputOf } from './run-inputs';
import type { ActionRequest, CloudProvider, SeenMachine } from './provider';

const MINUTE_MS = 60_000;
const CALL_MS = 4 * MINUTE_MS;
/** A snapshot or a resize of a large disk takes long. */
const ACTION_MS = 6 * 60 * MINUTE_MS;

/** The words of the provider for its own request. */
const requestOf = (context: RunContext): ActionRequest => {
  const { type, size, newName, image } = inputOf('dropletAction', context);
  switch (type) {
    case 'resize':
      return { type, size, disk: false };
    case 'rename':
      return { type, name: newName };
    case 'rebuild':
      return { type, image };
    case 'snapshot':
      return { type, ...(newName !== '' && { name: newName }) };
    default:
      return { type };
  }
};

/** What the machine must be like afterwards: the provider may say "done" of what had no effect. */
const withoutEffect = (type: string, machine: SeenMachine): string | undefined => {
  if ((type === 'shutdown' || type === 'power_off') && machine.status === 'active')
    return type === 'shutdown'
      ? 'DigitalOcean says that it is done, but the droplet still runs: its system did not shut down. Power it off instead.'
      : 'DigitalOcean says that it is done, but the droplet still runs.';
  if (type === 'power_on' && machine.status === 'off')
    return 'DigitalOcean says that it is done, but the droplet is still off.';
  return undefined;
};

const mustBeThere = async (provider: CloudProvider, droplet: number): Promise<SeenMachine> => {
  const machine = await provider.machine(droplet);
  if (machine) return machine;
  throw new StepFailed('gone', `The droplet ${droplet} is no longer in the account.`);
};

export const dropletAction = (ground: CloudGround, requests: CloudRequests): RunKind => ({
  kind: 'dropletAction',
  changes: true,
  steps: [
    {
      name: 'requestAction',
      on: 'console',
      timeoutMs: CALL_MS,
      repeatable: true,
      actsElsewhere: true,
      async perform(context, io) {
        const provider = await ground.inRun(io);
        const { droplet } = inputOf('dropletAction', context);
        const request = requestOf(context);
        const { id } = await requests.once(
          {
            step: 'requestAction',
            what: 'the action',
            mark: async () => (await provider.actions(droplet))[0]?.id ?? 0,
            find: async (before) =>
              before === undefined
                ? undefined
                : (await provider.actions(droplet)).find(
                    (one) => one.id > before && one.type === request.type,
                  ),
            make: () => provider.act(droplet, request),
          },
          context,
          io,
        );
        io.print(`DigitalOcean has begun action ${id}.\n`);
        return { report: { action: String(id) } };
      },
    },
    {
      name: 'awaitAction',
      on: 'console',
      timeoutMs: ACTION_MS,
      repeatable: true,
      async perform(context, io) {
        const provider = await ground.inRun(io);
        const action = Number(context.reports['requestAction']?.['action']);
        const { droplet, type } = inputOf('dropletAction', context);
        const state = await ground.until(async () => {
          const seen = await provider.action(action);
          return seen.state === 'underWay' ? undefined : seen.state;
        }, io.signal);
        const machine = await mustBeThere(provider, droplet);
        await ground.observeMachine(machine, io.meta);
        if (state === 'failed')
          throw new StepFailed('errored', `DigitalOcean could not ${type.replaceAll('_', ' ')} the droplet.`);
        const problem = withoutEffect(type, machine);
        if (problem !== undefined) throw new StepFailed('noEffect', problem);
        if (type === 'rebuild')
          io.print(
            'The machine is new: it shows another host key, which you have to accept on the server.\n',
          );
        return {};
      },
    },
  ],
});

interface Deletion {
  find(): Promise<unknown>;
  remove(): Promise<void>;
}

/** Deletes by the provider's id, which is never used again, so doing it twice deletes nothing else. */
const deletion = (
  kind: 'deleteDroplet' | 'deleteCloudDatabase',
  step: string,
  ground: CloudGround,
  of: (provider: CloudProvider, context: RunContext) => Deletion,
  lose: (id: string, meta: CommandMeta) => Promise<void>,
): RunKind => ({
  kind,
  changes: true,
  steps: [
    {
      name: step,
      on: 'console',
      timeoutMs: 10 * MINUTE_MS,
      repeatable: true,
      async perform(context, io) {
        const { find, remove } = of(await ground.inRun(io), context);
        await ground.until(async () => {
          if ((await find()) === undefined) return true;
          await remove().catch((error: unknown) => {
            if (!isAnswerLost(error)) throw error;
            io.print('The answer was lost. Looking whether it is still there.\n');
          });
          return (await find()) === undefined ? true : undefined;
        }, io.signal);
        await lose(context.request.subject.id, io.meta);
        return {};
      },
    },
  ],
});

export const deletions = (ground: CloudGround): RunKind[] => [
  deletion(
    'deleteDroplet',
    'deleteDroplet',
    ground,
    (provider, context) => {
      const { droplet } = inputOf('deleteDroplet', context);
      return { find: () => provider.machine(droplet), remove: () => provider.deleteMachine(droplet) };
    },
    (id, meta) => ground.loseMachine(id, meta),
  ),
  deletion(
    'deleteCloudDatabase',
    'deleteCluster',
    ground,
    (provider, context) => {
      const { cluster } = inputOf('deleteCloudDatabase', context);
      return { find: () => provider.cluster(cluster), remove: () => provider.deleteCluster(cluster) };
    },
    (id, meta) => ground.loseCluster(id, meta),
  ),
];

export const createCloudDatabase = (
  ground: CloudGround,
  requests: CloudRequests,
  markOf: (run: string) => string,
): RunKind => ({
  kind: 'createCloudDatabase',
  changes: false,
  steps: [
    {
      name: 'createCluster',
      on: 'console',
      timeoutMs: CALL_MS,
      repeatable: true,
      actsElsewhere: true,
      async perform(context, io) {
        const provider = await ground.inRun(io);
        const tag = markOf(context.run);
        const seen = await requests.once(
          {
            step: 'createCluster',
            what: 'the database',
            find: async () => (await provider.clusters(tag))[0],
            make: () => provider.createCluster({ ...inputOf('createCloudDatabase', context), tag }),
          },
          context,
          io,
        );
        await ground.observeCluster(seen, io.meta);
        io.print(`Database ${seen.cluster} has the tag ${tag}.\n`);
        return { report: { cluster: seen.cluster } };
      },
    },
    {
      name: 'awaitCluster',
      on: 'console',
      timeoutMs: 60 * MINUTE_MS,
      repeatable: true,
      async perform(context, io) {
        const provider = await ground.inRun(io);
        const id = context.reports['createCluster']?.['cluster'] ?? '';
        await ground.until(async () => {
          const seen = await provider.cluster(id);
          if (!seen)
            throw new DomainError('upstream', 'the database was deleted meanwhile', undefined, {
              code: 'gone',
            });
          if (seen.status !== 'online' || !seen.dbNames) return undefined;
          await ground.observeCluster(seen, io.meta);
          return true;
        }, io.signal);
        return {};
      },
    },
  ],
});

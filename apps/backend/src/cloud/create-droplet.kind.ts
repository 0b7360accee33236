/**
 * Creates a droplet: with a key of its own, and a host key that is known before the first contact. Everything that it
 * makes at the provider has the run's mark, so nothing is made twice, and what is left behind is shown.
 */
import { DomainError } from '../platform/errors';
import { followUp } from '../platform/decisions';
import {
  StepFailed,
  type LocalIo,
  type LocalStep,
  type Report,
  type RunContext,
  type RunKind,
} from '../runs';
import { type CloudGround, dropletId } from './cloud-ground';
import type { CloudRequests } from './cloud-requests';
import { PrepareDroplet } from './droplets.decider';
import type { FirstContact } from './first-contact';
import { keyRef, type MachineKeys } from './machine-keys';
import { type CloudProvider, markOf, type ProviderKey } from './provider';
import { inputOf } from './run-inputs';
import { userDataFor } from './user-data';

export interface CreationDeps {
  ground: CloudGround;
  requests: CloudRequests;
  keys: MachineKeys;
  contact: FirstContact;
}

const MINUTE_MS = 60_000;
const CALL_MS = 4 * MINUTE_MS;
const BOOT_MS = 10 * MINUTE_MS;

const reported = ({ reports }: RunContext, step: string, name: string): string => reports[step]?.[name] ?? '';
const dropletOf = (context: RunContext): number => Number(reported(context, 'createDroplet', 'droplet'));

export const createDroplet = ({ ground, requests, keys, contact }: CreationDeps): RunKind => {
  const keysOf = async ({ run }: RunContext, { meta }: LocalIo) => ({
    login: await keys.load(keyRef('login', run), meta.workspace),
    first: await keys.load(keyRef('first host', run), meta.workspace),
  });

  const registered = async (
    provider: CloudProvider,
    context: RunContext,
    io: LocalIo,
  ): Promise<ProviderKey> => {
    const { login } = await keysOf(context, io);
    return requests.once(
      {
        step: 'registerKey',
        what: 'the key',
        find: () => provider.key(login.md5),
        make: () => provider.addKey(markOf(context.run), login.publicKey),
      },
      context,
      io,
    );
  };

  /** No error if there is none: also after a cancel at any point. */
  const removeKey = async (
    provider: CloudProvider,
    { run }: RunContext,
    { meta }: LocalIo,
  ): Promise<void> => {
    const login = await keys.load(keyRef('login', run), meta.workspace).catch((error: unknown) => {
      if (error instanceof DomainError) return undefined;
      throw error;
    });
    const found = login && (await provider.key(login.md5));
    if (found) await provider.deleteKey(found.key);
  };

  const step = (
    name: string,
    timeoutMs: number,
    perform: (context: RunContext, io: LocalIo) => Promise<Report | void>,
    more: Partial<LocalStep> = {},
  ): LocalStep => ({
    name,
    on: 'console',
    timeoutMs,
    repeatable: true,
    perform: async (context, io) => {
      const report = await perform(context, io);
      return report ? { report } : {};
    },
    ...more,
  });

  /** After a failure nothing needs the key any more: a droplet that exists has got it at its creation. */
  const keyless = async (error: unknown, context: RunContext, io: LocalIo): Promise<never> => {
    if (error instanceof DomainError || error instanceof StepFailed)
      await removeKey(await ground.inRun(io), context, io).catch(() => undefined);
    throw error;
  };

  const created = async (context: RunContext, io: LocalIo): Promise<Report> => {
    const provider = await ground.inRun(io);
    const tag = markOf(context.run);
    const { first } = await keysOf(context, io);
    try {
      const { droplet, action } = await requests.once<{ droplet: number; action: number | undefined }>(
        {
          step: 'createDroplet',
          what: 'the droplet',
          find: async () => {
            const [found] = await provider.machines(tag);
            return found && { droplet: found.droplet, action: undefined };
          },
          make: () =>
            provider.createMachine({
              ...inputOf('createDroplet', context),
              tag,
              key: Number(reported(context, 'registerKey', 'key')),
              userData: userDataFor(first),
            }),
        },
        context,
        io,
      );
      const machine = await provider.machine(droplet);
      if (machine) await ground.observeMachine(machine, io.meta);
      io.print(`Droplet ${droplet} has the tag ${tag}.\n`);
      return { droplet: String(droplet), ...(action !== undefined && { action: String(action) }) };
    } catch (error) {
      // Refused, or of unknown outcome. A retry registers the key again.
      return keyless(error, context, io);
    }
  };

  /** @returns its address, once the provider's action is really done */
  const active = async (context: RunContext, io: LocalIo): Promise<Report> => {
    const provider = await ground.inRun(io);
    const droplet = dropletOf(context);
    const action = reported(context, 'createDroplet', 'action');
    const host = await ground.until(async () => {
      if (action !== '') {
        const { state } = await provider.action(Number(action));
        if (state === 'failed')
          throw new StepFailed(
            'errored',
            `DigitalOcean could not create the droplet ${droplet}: delete it in the list.`,
          );
        if (state === 'underWay') return undefined;
      }
      const machine = await provider.machine(droplet);
      if (!machine) throw new StepFailed('gone', `The droplet ${droplet} was deleted meanwhile.`);
      const address = machine.networks.v4.findLast(({ type }) => type === 'public')?.ip_address;
      if (machine.isLocked || machine.status !== 'active' || address === undefined) return undefined;
      await ground.observeMachine(machine, io.meta);
      return address;
    }, io.signal);
    io.print(`Its address is ${host}.\n`);
    return { host };
  };

  const at = async (context: RunContext, io: LocalIo) => {
    const { login, first } = await keysOf(context, io);
    return { machine: { run: context.run, host: reported(context, 'awaitDroplet', 'host'), login }, first };
  };
  const nextKey = (context: RunContext) => ({
    algorithm: reported(context, 'signIn', 'algorithm'),
    fingerprint: reported(context, 'signIn', 'fingerprint'),
  });

  return {
    kind: 'createDroplet',
    changes: false,
    steps: [
      step('keys', MINUTE_MS, async ({ run }, { meta, print }) => {
        const login = await keys.make('login', run, meta.workspace);
        const first = await keys.make('first host', run, meta.workspace);
        print(`Key ${login.fingerprint}, first host key ${first.fingerprint}.\n`);
      }),
      step('registerKey', CALL_MS, async (context, io) => {
        const { key } = await registered(await ground.inRun(io), context, io);
        return { key: String(key) };
      }),
      step('createDroplet', CALL_MS, created, { retriesFrom: 'registerKey', actsElsewhere: true }),
      step('awaitDroplet', BOOT_MS, (context, io) =>
        active(context, io).catch((error: unknown) => keyless(error, context, io)),
      ),
      step('removeKey', CALL_MS, async (context, io) => removeKey(await ground.inRun(io), context, io)),
      step('signIn', BOOT_MS, async (context, io) => {
        const { machine, first } = await at(context, io);
        const next = await contact.prepare(machine, first, io);
        io.print(`Signed in. Its new host key is ${next.fingerprint}.\n`);
        return { ...next };
      }),
      step(
        'hostKey',
        BOOT_MS,
        async (context, io) => {
          const { machine, first } = await at(context, io);
          await contact.replace(machine, first, nextKey(context), io);
          await keys.shred(first.ref, io.meta.workspace);
        },
        {
          onSuccess: async (context, _, meta) => {
            const { workspace } = meta;
            const { ref, fingerprint, algorithm } = await keys.load(keyRef('login', context.run), workspace);
            const data = {
              run: context.run,
              key: { ref, fingerprint, algorithm },
              hostKey: nextKey(context),
            };
            return new PrepareDroplet(dropletId(dropletOf(context), workspace), data, followUp(meta));
          },
        },
      ),
      step(
        'settleKeys',
        CALL_MS,
        async (context, io) => {
          await removeKey(await ground.inRun(io), context, io);
          const droplet = reported(context, 'createDroplet', 'droplet');
          io.print(
            droplet === ''
              ? 'Nothing is left at the provider, unless the list shows it.\n'
              : `The droplet ${droplet} is left at the provider: delete it in the list.\n`,
          );
        },
        { settles: true },
      ),
    ],
  };
};

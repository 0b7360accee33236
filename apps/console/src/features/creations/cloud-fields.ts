/** What the sections Database and Server can get from the cloud account of the workspace. */
import { cloud, type Answer } from '@quarterdeck/contract';
import { useEffect, useMemo, useState } from 'react';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useAnswer } from '../../core/calls';
import {
  engineChoices,
  engineLabel,
  imageChoices,
  notOfProducts,
  regionChoices,
  sizeChoices,
} from '../../records/cloud-sizes';
import type { Field } from '../../ui/ResourceForm';

/** Of a provider that does not answer. */
const AGAIN_MS = 30_000;

type Options = Answer<typeof cloud.dropletOptions>;
type Droplet = Answer<typeof cloud.dropletList>[number];
type CloudDatabase = Answer<typeof cloud.databaseList>[number];

export interface CloudChoices {
  /** Absent if the provider does not say what it offers. Then nothing can be created. */
  options?: Options | undefined;
  /** Why it does not. */
  problem?: string | undefined;
  droplets: readonly Droplet[];
  databases: readonly CloudDatabase[];
}

/** For labels of values that were entered. */
export const noCloud: CloudChoices = { droplets: [], databases: [] };

/** `choices` is undefined without an account. */
export const useCloudChoices = (
  section: string,
): { isLoading: boolean; choices?: CloudChoices | undefined } => {
  const isMeant = section === 'database' || section === 'server';
  const account = useAnswer(cloud.exists, {}, { skip: !isMeant });
  const skip = account.data?.exists !== true;
  // What the provider offers has no history.
  const inPast = useAsOf() !== undefined;
  const [isAway, setAway] = useState(false);
  const options = useAnswer(
    cloud.dropletOptions,
    {},
    { skip: skip || inPast, pollingInterval: isAway ? AGAIN_MS : 0, skipPollingIfUnfocused: true },
  );
  // No event tells that the provider is back.
  useEffect(() => setAway(options.isError), [options.isError]);
  const droplets = useAnswer(cloud.dropletList, {}, { skip: skip || section !== 'server' });
  const databases = useAnswer(cloud.databaseList, {}, { skip: skip || section !== 'database' });
  const choices = useMemo(
    () =>
      skip
        ? undefined
        : {
            options: options.data,
            problem: options.error?.msg,
            droplets: droplets.data ?? [],
            databases: databases.data ?? [],
          },
    [skip, options.data, options.error, droplets.data, databases.data],
  );
  const isLoading = [account, options, droplets, databases].some((one) => one.isLoading);
  return { isLoading, choices };
};

const uses =
  (...ways: readonly string[]) =>
  (draft: Readonly<Record<string, unknown>>): boolean =>
    ways.includes(String(draft['from']));

const from = (
  options: readonly (readonly [string, string])[],
  { options: offered, problem }: CloudChoices,
): Field => ({
  name: 'from',
  label: 'Use',
  type: 'select',
  options: options.map(([value, label]) => ({ value, label })),
  ...(!offered &&
    problem !== undefined && {
      help: `Nothing new can be created in the cloud account now: ${problem.replace(/\.$/, '')}. It is asked again automatically.`,
    }),
});

/** In the specification's words. */
const unready = (words: readonly (readonly [string, string])[], otherwise: string): string =>
  words.length === 0 ? otherwise : words.map(([name, why]) => `${name}: ${why}`).join('. ');

const dropletState = ({ status, server, hostKey, networks: { v4 } }: Droplet): string | undefined => {
  if (server) return 'already associated';
  if (status !== 'active') return 'Server still initializing';
  if (v4.length === 0) return 'IP not ready yet';
  return hostKey
    ? undefined
    : 'this console has no key for it, associate it on the page of the cloud account';
};

export const serverFields = (existing: Field, cloudChoices: CloudChoices | undefined): readonly Field[] => {
  if (!cloudChoices) return [existing];
  const { options, droplets } = cloudChoices;
  const free = droplets.filter((one) => dropletState(one) === undefined);
  const others = droplets.flatMap((one) => {
    const why = dropletState(one);
    return why === undefined ? [] : [[one.name, why] as const];
  });
  return [
    from(
      [
        ['server', 'An existing server'],
        ['droplet', 'An existing droplet'],
        ...(options ? [['create', 'A new droplet'] as const] : []),
      ],
      cloudChoices,
    ),
    { ...existing, when: uses('server') },
    {
      name: 'droplet',
      label: 'Droplet',
      type: 'select',
      options: free.map(({ id, name, networks: { v4 } }) => ({
        value: id,
        label: `${name} (${v4.at(-1)?.ip_address ?? ''})`,
      })),
      help: unready(others, 'It becomes a server of this workspace.'),
      when: uses('droplet'),
    },
    {
      name: 'create',
      label: 'New droplet',
      type: 'group',
      when: uses('create'),
      fields: [
        {
          name: 'name',
          label: 'Name of the droplet',
          type: 'text',
          mono: true,
          half: true,
          placeholder: 'web-1',
        },
        {
          name: 'region',
          label: 'Region',
          type: 'select',
          half: true,
          options: options ? regionChoices(options) : [],
        },
        { name: 'size', label: 'Size', type: 'select', options: options ? sizeChoices(options) : [] },
        {
          name: 'image',
          label: 'Image',
          type: 'select',
          half: true,
          options: options ? imageChoices(options) : [],
        },
        {
          name: 'backups',
          label: 'Backups',
          type: 'checkbox',
          help: 'DigitalOcean makes them weekly, for another 20% of the price.',
        },
      ],
    },
    {
      name: 'initialize',
      label: 'Install nginx, certbot and Docker',
      type: 'checkbox',
      when: uses('droplet', 'create'),
    },
  ];
};

const databaseState = ({ engine, db_names: names, database }: CloudDatabase): string | undefined => {
  if (database !== undefined) return 'already associated';
  return notOfProducts(engine) ?? (names === undefined ? 'initializing' : undefined);
};

/** @param existing a database of the product, if it has a product @param connection fields of the connection data */
export const databaseFields = (
  existing: Field | undefined,
  connection: readonly Field[],
  cloudChoices: CloudChoices | undefined,
): readonly Field[] => {
  const { options, databases } = cloudChoices ?? noCloud;
  const others = databases.flatMap((one) => {
    const state = databaseState(one);
    return state === undefined ? [] : [[one.name, state] as const];
  });
  return [
    from(
      [
        ['connection', 'Connection data'],
        ...(existing ? [['database', 'An existing database of the product'] as const] : []),
        ...(cloudChoices ? [['cloudDatabase', 'A database of the cloud account'] as const] : []),
        ...(options ? [['create', 'A new cloud database'] as const] : []),
      ],
      cloudChoices ?? noCloud,
    ),
    ...(existing ? [{ ...existing, when: uses('database') }] : []),
    {
      name: 'cloudDatabase',
      label: 'Cloud database',
      type: 'select',
      options: databases
        .filter((one) => databaseState(one) === undefined)
        .map(({ id, name, engine, db_names: names }) => ({
          value: id,
          label: `${name} (${engineLabel(engine)}: ${(names ?? []).join(', ')})`,
        })),
      help: unready(others, 'It is registered with the product.'),
      when: uses('cloudDatabase'),
    },
    {
      name: 'create',
      label: 'New cloud database',
      type: 'group',
      when: uses('create'),
      fields: [
        { name: 'name', label: 'Name of the cloud database', type: 'text', mono: true, half: true },
        { name: 'engine', label: 'Engine', type: 'select', half: true, options: engineChoices },
        {
          name: 'region',
          label: 'Region',
          type: 'select',
          half: true,
          options: options ? regionChoices(options) : [],
        },
        {
          name: 'size',
          label: 'Size',
          type: 'text',
          mono: true,
          half: true,
          help: 'DigitalOcean tells the price only on its own page.',
        },
      ],
    },
    ...connection.map((field) => ({ ...field, when: uses('connection') })),
  ];
};

/** What a new droplet or database begins with. */
export const cloudDefaults = (section: string, choices: CloudChoices | undefined): object =>
  section === 'server'
    ? { ...choices?.options?.defaults, backups: false }
    : { engine: 'mysql', region: choices?.options?.defaults.region ?? '', size: 'db-s-1vcpu-1gb' };

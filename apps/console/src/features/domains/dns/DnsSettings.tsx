/** Workspace settings for DNS: which servers look up names, and which provider holds the records. */
import { workspaces } from '@quarterdeck/contract';
import { dnsSettings } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { z } from 'zod';
import { useChange } from '../../../core/calls';
import { WorkspaceSetting } from '../../../records/WorkspaceSetting';
import { valueAt } from '../../../ui/form/values';
import type { Field } from '../../../ui/ResourceForm';

type Dns = WorkspaceView['dns'];
const RESOLVERS = 5;

interface Typed {
  resolvers?: unknown[];
  provider?: { kind?: unknown };
}

/** Drops empty DNS servers in the list, and a provider without a kind. */
const form = z.preprocess((typed) => {
  const { resolvers = [], provider, ...others } = typed as Typed;
  return {
    ...others,
    resolvers: resolvers.filter((resolver) => resolver !== undefined),
    ...(provider?.kind !== undefined && { provider }),
  };
}, dnsSettings);

const resolverFields: readonly Field[] = Array.from({ length: RESOLVERS }, (_, index) => ({
  name: `resolvers.${index}`,
  label: index === 0 ? 'DNS server' : `DNS server ${index + 1}`,
  type: 'text',
  optional: true,
  mono: true,
  placeholder: '9.9.9.9',
  ...(index === 0
    ? { help: 'Used to look up names. If empty, the installation’s DNS servers are used.' }
    : { when: (draft) => valueAt(draft, `resolvers.${index - 1}`) !== '' }),
}));

const hasProvider: Field['when'] = (draft) => valueAt(draft, 'provider.kind') !== '';
const isRfc2136: Field['when'] = (draft) => valueAt(draft, 'provider.kind') === 'rfc2136';

const fieldsOf = ({ provider }: Dns): readonly Field[] => [
  ...resolverFields,
  {
    name: 'parent',
    label: 'Parent domain',
    type: 'text',
    optional: true,
    mono: true,
    placeholder: 'example.org',
    help: 'Records for names directly below this domain can be added from a domain’s page.',
  },
  {
    name: 'ttl',
    label: 'TTL in seconds',
    type: 'number',
    help: 'How long resolvers may cache a record that is added here. At least 30.',
  },
  {
    name: 'provider.kind',
    label: 'Records are written by',
    type: 'select',
    optional: true,
    options: [
      { value: 'rfc2136', label: 'Dynamic update (RFC 2136)' },
      { value: 'digitalocean', label: 'DigitalOcean' },
    ],
    help: 'If empty, records are added elsewhere.',
  },
  {
    name: 'provider.zone',
    label: 'Zone',
    type: 'text',
    mono: true,
    placeholder: 'example.org',
    when: hasProvider,
  },
  {
    name: 'provider.server',
    label: 'Name server',
    type: 'text',
    mono: true,
    half: true,
    placeholder: 'ns1.example.org',
    when: isRfc2136,
  },
  { name: 'provider.port', label: 'Port', type: 'number', half: true, placeholder: '53', when: isRfc2136 },
  {
    name: 'provider.keyName',
    label: 'Name of the key',
    type: 'text',
    mono: true,
    half: true,
    when: isRfc2136,
  },
  {
    name: 'provider.algorithm',
    label: 'Algorithm',
    type: 'select',
    half: true,
    options: ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'].map((value) => ({ value, label: value })),
    when: isRfc2136,
  },
  {
    name: 'provider.secret',
    label: 'Secret or token',
    type: 'secret',
    optional: provider !== undefined,
    help: provider ? 'Leave empty to keep the current value.' : 'Of the key, as base64; or the API token.',
    ...(provider && { stored: { fingerprint: provider.secret.fingerprint } }),
    when: hasProvider,
  },
];

const factsOf = ({ resolvers, parent, ttl, provider }: Dns): readonly (readonly [string, string])[] => [
  ['Resolvers', resolvers.length === 0 ? 'system default' : resolvers.join(', ')],
  [
    'Records',
    provider
      ? `${provider.zone}, ${provider.kind === 'rfc2136' ? `dynamic update to ${provider.server}` : 'DigitalOcean'}`
      : 'added elsewhere',
  ],
  ...(provider ? [['TTL', `${ttl} s`] as const] : []),
  ...(parent === undefined ? [] : [['New names', `*.${parent}`] as const]),
];

export const DnsSettings = ({ workspace }: { workspace: WorkspaceView }) => {
  const [configure] = useChange(workspaces.dns);
  return (
    <WorkspaceSetting
      workspace={workspace}
      part="dns"
      title="DNS"
      name="dns"
      note="How names are looked up, and where records are added."
      facts={factsOf(workspace.dns)}
      schema={form}
      fields={fieldsOf}
      save={(settings, revision) => configure({ ...settings, revision }).unwrap()}
      saved="The DNS settings were saved."
    />
  );
};

/** The form of each section: its fields, and what they begin with. */
import { callsOf } from '@quarterdeck/contract';
import { database, databaseTypes, environments } from '@quarterdeck/events';
import { expectedPort } from '@quarterdeck/events/inputs';
import type { CreationView } from '@quarterdeck/projections';
import { choicesOf, type Choices } from '../../ui/choice';
import type { Field } from '../../ui/ResourceForm';
import { domainChoices, productChoices, serverWithHostChoices } from '../../records/choices';
import { cloudDefaults, databaseFields, serverFields, type CloudChoices } from './cloud-fields';
import type { WizardState } from './wizard-state';

export type Values = Record<string, unknown>;

/** The first section of the container flow. */
export const repoFields: readonly Field[] = [
  {
    name: 'repoUrl',
    label: 'Repository',
    type: 'text',
    mono: true,
    placeholder: 'https://github.com/acme/shop',
  },
  {
    name: 'dockerName',
    label: 'Docker name',
    type: 'text',
    mono: true,
    optional: true,
    help: 'If it differs from the name of the repository.',
  },
  { name: 'product', label: 'Product', type: 'reference', from: productChoices, half: true },
  { name: 'server', label: 'Server', type: 'reference', from: serverWithHostChoices, half: true },
];

/** Of a database whose link names none. */
const MYSQL_PORT = 3306;
const SERVICE_PORT = 3000;
/** The database and the variables of the sections before have this environment. */
const DEV = 1;

const numbered = (names: readonly string[]) => names.map((label, at) => ({ value: at + 1, label }));

const chosenId = (value: unknown): string | undefined =>
  (value as { id?: string } | undefined)?.id || undefined;

/** A choice of something that exists: the form has its id, the call `{ id }`. */
const references: Readonly<Record<string, string>> = {
  product: 'product',
  database: 'database',
  server: 'server',
  domain: 'domain',
  droplet: 'droplet',
  cloudDatabase: 'cloudDatabase',
};

/** Of the sections Database and Server: the choice `from` is the name of the field that is sent. */
const ways = ['database', 'cloudDatabase', 'server', 'droplet', 'create'];

const emptied = (draft: Values, name: string): boolean => !draft[name];

const databasesOf = (product: string | undefined): Choices | undefined =>
  product === undefined
    ? undefined
    : choicesOf({
        page: callsOf(database).page,
        detail: callsOf(database).detail,
        sort: 'name',
        within: { product: { id: product } },
        labelOf: ({ name }: { id: string; name: string }) => name,
        one: 'database',
      } as never);

const existing = (name: string, label: string, from: Choices, help: string): Field => ({
  name,
  label,
  type: 'reference',
  optional: true,
  from,
  help,
});

const reference = (name: string, label: string) => ({ name, label, type: 'reference' as const });

const port = (name: string, label: string, example: number) =>
  ({ name, label, type: 'number', half: true, expected: expectedPort(example) }) as const;

const connectionFields: readonly Field[] = [
  { name: 'host', label: 'Host', type: 'text' },
  { name: 'name', label: 'Name', type: 'text', half: true },
  port('port', 'Port', MYSQL_PORT),
  { name: 'username', label: 'Username', type: 'text', half: true },
  {
    name: 'password',
    label: 'Password',
    type: 'secret',
    half: true,
    autoComplete: 'new-password',
    help: 'Stored encrypted, and never part of a link.',
  },
  { name: 'dbType', label: 'Type', type: 'select', options: numbered(databaseTypes), half: true },
  { name: 'env', label: 'Environment', type: 'select', options: numbered(environments), half: true },
];

/** @param product the product of the creation, once it has one @param cloudChoices of its workspace, if it has an account */
export const fieldsOf = (
  section: string,
  product: string | undefined,
  cloudChoices?: CloudChoices,
): readonly Field[] => {
  switch (section) {
    case 'product':
      return [
        existing('product', 'Existing product', productChoices, 'If empty, a product is created.'),
        { name: 'name', label: 'Name', type: 'text', when: (draft) => emptied(draft, 'product') },
        {
          name: 'description',
          label: 'Description',
          type: 'textarea',
          rows: 2,
          optional: true,
          when: (draft) => emptied(draft, 'product'),
        },
        { name: 'structure', label: 'Import the starter model', type: 'checkbox' },
        { name: 'version', label: 'Generate the first version', type: 'checkbox' },
      ];
    case 'database': {
      const from = databasesOf(product);
      const known = from && { ...reference('database', 'Existing database'), from };
      return databaseFields(known, connectionFields, cloudChoices);
    }
    case 'repository':
      return [
        { name: 'organization', label: 'Organization', type: 'text', mono: true },
        { name: 'repo', label: 'Repository', type: 'text', mono: true, half: true },
        {
          name: 'repoFront',
          label: 'Repository of the client part',
          type: 'text',
          mono: true,
          half: true,
          optional: true,
        },
        {
          name: 'fromTemplate',
          label: 'Create from the templates of the workspace',
          type: 'group',
          fields: [
            { name: 'server', label: 'Server part', type: 'checkbox' },
            { name: 'client', label: 'Client part', type: 'checkbox' },
          ],
        },
      ];
    case 'server':
      return serverFields({ ...reference('server', 'Server'), from: serverWithHostChoices }, cloudChoices);
    case 'service':
      return [
        { name: 'name', label: 'Name', type: 'text', half: true },
        port('port', 'Port', SERVICE_PORT),
        {
          name: 'nameFront',
          label: 'Name of the client part',
          type: 'text',
          half: true,
          optional: true,
          help: 'Only if it has a repository.',
        },
        { ...port('portFront', 'Port of the client part', SERVICE_PORT), optional: true },
        { name: 'withDb', label: 'With database', type: 'checkbox' },
      ];
    case 'domain':
      return [
        existing('domain', 'Existing domain', domainChoices, 'If empty, a domain is added.'),
        {
          name: 'serverName',
          label: 'Domain',
          type: 'text',
          mono: true,
          help: 'Its address in DNS has to be that of the server.',
          when: (draft) => emptied(draft, 'domain'),
        },
      ];
    case 'deploy':
      return [{ name: 'env', label: 'Environment', type: 'select', options: numbered(environments) }];
    case 'dns':
      return [
        { name: 'subdomain', label: 'Subdomain', type: 'text', mono: true, half: true },
        port('port', 'Port', SERVICE_PORT),
      ];
    default:
      return [];
  }
};

/** From the link, or defaults. */
export const initialOf = (
  section: string,
  state: WizardState,
  organization: string,
  cloudChoices?: CloudChoices,
): Values => {
  const { ghRepo, service, server, database: given } = state;
  const asked = section === 'server' ? server?.create : given.create;
  const create = { ...cloudDefaults(section, cloudChoices), ...asked };
  // Without an account, nothing is created there.
  const isCreated = asked !== undefined && cloudChoices?.options !== undefined;
  switch (section) {
    case 'product':
      return {
        product: state.productId ?? '',
        name: state.name ?? '',
        description: '',
        structure: true,
        version: true,
      };
    case 'database':
      return {
        from: state.databaseId ? 'database' : isCreated ? 'create' : 'connection',
        port: MYSQL_PORT,
        dbType: 1,
        env: 1,
        ...given,
        create,
        database: state.databaseId ?? '',
      };
    case 'repository':
      return {
        organization: ghRepo?.organization ?? organization,
        repo: ghRepo?.repo ?? '',
        repoFront: ghRepo?.repoFront ?? '',
        fromTemplate: { server: true, client: true, ...ghRepo?.fromTemplate },
      };
    case 'server':
      return {
        from: isCreated && server?.id === undefined ? 'create' : 'server',
        server: server?.id ?? '',
        create,
        initialize: server?.initialize ?? true,
      };
    case 'service':
      return { withDb: true, ...service, port: service?.port ?? SERVICE_PORT };
    case 'domain':
      return { domain: state.domainId ?? '', serverName: state.domain ?? '' };
    case 'deploy':
      return { env: DEV };
    case 'dns':
      return { subdomain: '', port: SERVICE_PORT };
    default:
      return {};
  }
};

/** The values of a section, as its form has them. */
export const inForm = (section: string, values: Values): Values => {
  const from = ways.find((name) => values[name] !== undefined);
  return {
    ...(section === 'database' && { from: from ?? 'connection' }),
    ...(section === 'server' && { from: from ?? 'server' }),
    ...Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, name in references ? chosenId(value) : value]),
    ),
  };
};

/** The field of the chosen way, if nothing is chosen in it, or the choice of a way. */
export const missingIn = (fields: readonly Field[], form: Values): string | undefined => {
  if (!fields.some(({ name }) => name === 'from')) return undefined;
  const { from } = form;
  if (from === undefined) return 'from';
  return ways.find((name) => name === from && name !== 'create' && !form[name]);
};

/** The values of a form, as the call takes them. Fields that are empty are left out. */
export const sent = (form: Values): Values =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      if (name === 'from' || value === '' || value === undefined || value === null) return [];
      return [[name, name in references && typeof value === 'string' ? { id: value } : value]];
    }),
  );

/** The product of a creation: chosen or made. */
export const productIn = ({ sections }: Pick<CreationView, 'sections'>): string | undefined => {
  const [first, ...others] = sections;
  return (
    chosenId(first?.values?.['product']) ??
    [first, ...others].flatMap((one) => one?.made ?? []).find(({ kind }) => kind === 'product')?.id
  );
};

/** The form of a location, organized by its action, and the conversion from and to stored fields. Pure. */
import type { ApiAddress } from '@quarterdeck/contract';
import { locationSettings, type LocationSetting, type service } from '@quarterdeck/events';
import { locationEdit } from '@quarterdeck/events/inputs';
import type { PackagePullView, LocationView, ViewOf } from '@quarterdeck/projections';
import { z } from 'zod';
import type { Field } from '../../../ui/ResourceForm';
import type { Draft } from '../../../ui/form/values';
import { settingField } from '../setting-fields';
import type { LocationFields } from './location-values';

/** The action of a location. The stored flags follow from it. */
export type Deed = 'proxy' | 'api' | 'redirect' | 'notFound' | 'files';

/** @param apis addresses of served APIs */
export const deedOf = (
  { isRedirect, is404, url }: Pick<LocationView, 'isRedirect' | 'is404' | 'url'>,
  apis: readonly ApiAddress[] = [],
): Deed => {
  if (is404) return 'notFound';
  if (isRedirect) return 'redirect';
  if (url === undefined) return 'files';
  return apis.some(({ address }) => address === url) ? 'api' : 'proxy';
};

export const deedWords: Record<Deed, string> = {
  proxy: 'Proxy',
  api: 'Generated API',
  redirect: 'Redirect',
  notFound: 'Return 404',
  files: 'Static files',
};

export const envWords: Record<number, string> = { 1: 'dev', 2: 'test', 3: 'prod' };

const does =
  (...deeds: readonly Deed[]) =>
  (draft: Draft): boolean =>
    deeds.some((deed) => deed === draft.deed);

/** A service that a location can lead to. */
export type LinkableService = Pick<ViewOf<typeof service>, 'id' | 'name' | 'port' | 'product'>;

/** Where a service answers on its own server. */
const targetOf = ({ port }: LinkableService): string => `http://127.0.0.1:${port}`;

const upstream: Field = {
  name: 'url',
  label: 'Upstream',
  type: 'text',
  mono: true,
  placeholder: 'http://app:3000',
  help: 'Requests are sent here. A path after the host replaces the location. A socket: unix:/run/app.sock. gRPC, which needs SSL: grpc://app:50051.',
};

export interface LocationChoices {
  packages: readonly PackagePullView[];
  apis: readonly ApiAddress[];
  services: readonly LinkableService[];
}

/** `folder`: the folder that is served if none is given. */
export const locationFields = (
  folder: string,
  { packages, apis, services }: LocationChoices,
): readonly Field[] => [
  {
    name: 'location',
    label: 'Location',
    type: 'text',
    mono: true,
    half: true,
    placeholder: '/api/',
    help: 'Requests whose path matches are handled here.',
  },
  {
    name: 'match',
    label: 'Match',
    type: 'select',
    half: true,
    options: [
      { value: 'prefix', label: 'Prefix' },
      { value: 'exact', label: 'Exact path' },
      { value: 'regex', label: 'Regular expression' },
    ],
  },
  {
    name: 'deed',
    label: 'Action',
    type: 'select',
    options: Object.entries(deedWords).map(([value, label]) => ({ value, label })),
  },
  {
    name: 'service',
    label: 'Service',
    type: 'select',
    numeric: false,
    optional: true,
    options: services.map(({ id, name }) => ({ value: id, label: name })),
    help:
      services.length === 0 ? 'No service is deployed to this server.' : 'The service that answers there.',
    when: does('proxy'),
  },
  { ...upstream, when: (draft) => does('proxy')(draft) && !draft.service },
  ...services.map((one): Field => ({
    ...upstream,
    optional: true,
    placeholder: targetOf(one),
    help: `Default: the port of ${one.name} on this server.`,
    when: (draft) => does('proxy')(draft) && draft.service === one.id,
  })),
  {
    name: 'api',
    label: 'API',
    type: 'select',
    numeric: false,
    options: apis.map(({ address, title, through }) => ({
      value: address,
      label: `${title}, ${through === 'port' ? 'its own port' : 'through this console'} (${address})`,
    })),
    help: 'The server of this domain has to reach that address. A port at 127.0.0.1 is reached from the machine of this console only. In the container of an nginx that is the container itself.',
    when: does('api'),
  },
  {
    name: 'url',
    label: 'Redirect to',
    type: 'text',
    mono: true,
    placeholder: 'https://www.example.org',
    help: 'An address, or a path of the same site.',
    when: does('redirect'),
  },
  {
    name: 'redirectCode',
    label: 'Redirect code',
    type: 'select',
    optional: true,
    options: [
      { value: 301, label: '301 moved permanently' },
      { value: 302, label: '302 found' },
      { value: 307, label: '307 temporary, same method' },
      { value: 308, label: '308 permanent, same method' },
    ],
    help: 'Default: 301.',
    when: does('redirect'),
  },
  {
    name: 'volumes',
    label: 'Folder',
    type: 'text',
    mono: true,
    optional: true,
    placeholder: folder,
    help: `On the server. Default: ${folder}.`,
    when: does('files'),
  },
  {
    name: 'timeout',
    label: 'Timeout in seconds',
    type: 'number',
    half: true,
    optional: true,
    help: 'How long nginx waits for the upstream.',
    when: does('proxy', 'api'),
  },
  {
    name: 'env',
    label: 'Environment',
    type: 'select',
    half: true,
    optional: true,
    options: Object.entries(envWords).map(([value, label]) => ({ value, label })),
    when: does('proxy', 'files'),
  },
  {
    name: 'deployLog',
    label: 'Package',
    type: 'select',
    numeric: false,
    optional: true,
    options: packages.map(({ id, slug, version }) => ({
      value: id,
      label: `${slug} ${version ?? ''}`.trim(),
    })),
    help: packages.length === 0 ? 'None was deployed to this server yet.' : 'The package that answers there.',
    when: does('proxy', 'files'),
  },
  {
    name: 'websocket',
    label: 'Allow WebSockets',
    type: 'checkbox',
    when: does('proxy'),
  },
  {
    name: 'isCorsEnabled',
    label: 'Allow requests from other sites (CORS)',
    type: 'checkbox',
    when: does('proxy', 'files'),
  },
  settingField(locationSettings, 'corsOrigins', {
    when: (draft) => does('proxy', 'files')(draft) && draft.isCorsEnabled === true,
  }),
  settingField(locationSettings, 'singlePage', {
    when: (draft) => does('proxy', 'files')(draft) && draft.match === 'prefix',
  }),
  settingField(locationSettings, 'maxBody', { when: does('proxy', 'api'), half: true, rare: true }),
  settingField(locationSettings, 'maxHeader', { when: does('proxy'), half: true, rare: true }),
  settingField(locationSettings, 'frames', { when: does('proxy', 'files'), rare: true }),
];

const blank = {
  url: null,
  deployLog: null,
  service: null,
  env: null,
  isRedirect: null,
  redirectCode: null,
  is404: null,
  volumes: null,
  isCorsEnabled: null,
  timeout: null,
  websocket: null,
  ...(Object.fromEntries(Object.keys(locationSettings).map((name) => [name, null])) as Record<
    LocationSetting,
    null
  >),
};

/** The change of a stored location that clears what the form leaves empty. */
export const replacing = (data: LocationFields) => ({ ...blank, ...data });

/** Converts form values for the call: flags only if set, the package and the service by their ids. */
const stored = (values: unknown, services: readonly LinkableService[]): unknown => {
  const { deed, api, deployLog, service, websocket, isCorsEnabled, singlePage, ...others } = values as Record<
    string,
    unknown
  >;
  const leadsTo = services.find(({ id }) => id === service);
  return {
    ...others,
    ...(leadsTo && { url: others['url'] ?? targetOf(leadsTo) }),
    ...(deed === 'api' && { url: api }),
    ...(service !== undefined && { service: { id: service } }),
    ...(deployLog !== undefined && { deployLog: { id: deployLog } }),
    ...(websocket === true && { websocket }),
    ...(isCorsEnabled === true && { isCorsEnabled }),
    ...(singlePage === true && { singlePage }),
    ...(deed === 'redirect' && { isRedirect: true }),
    ...(deed === 'notFound' && { is404: true }),
  };
};

/** A proxy or redirect needs a URL or a service: without one, the location would serve files. */
const named = z.unknown().check(({ value, issues }) => {
  const { deed, url, api, service } = value as Partial<Record<'url' | 'api' | 'service', string>> & {
    deed?: Deed;
  };
  if (deed === 'api') {
    if (api === undefined)
      issues.push({ code: 'custom', message: 'This field is required', path: ['api'], input: value });
    return;
  }
  if (deed === 'proxy' && service !== undefined) return;
  if (deed !== 'files' && deed !== 'notFound' && url === undefined)
    issues.push({ code: 'custom', message: 'This field is required', path: ['url'], input: value });
});

export const locationForm = (services: readonly LinkableService[]) =>
  named.transform((values) => stored(values, services)).pipe(locationEdit);

/** The target of its service is left empty, so it follows when another service is chosen. */
export const valuesOf = (
  { deployLog, service: leadsTo, ...location }: LocationView,
  { apis, services }: Pick<LocationChoices, 'apis' | 'services'>,
) => {
  const deed = deedOf(location, apis);
  const service = services.find(({ id }) => id === leadsTo?.id);
  return {
    ...location,
    ...(deployLog && { deployLog: deployLog.id }),
    ...(deed === 'proxy' && leadsTo && { service: leadsTo.id }),
    ...(service && location.url === targetOf(service) && { url: undefined }),
    ...(deed === 'api' && { url: undefined, api: location.url }),
    deed,
  };
};

/** Initial values for a new location. */
export const newLocation = { location: '/', match: 'prefix', deed: 'proxy' };

/** The typed values, if they make a valid location. */
export const draftOf = (
  values: Record<string, unknown>,
  services: readonly LinkableService[],
): LocationFields | undefined => {
  const { success, data } = locationForm(services).safeParse(values);
  return success ? (data as LocationFields) : undefined;
};

/** The nginx modifier before the path, as in `= /api/`. */
export const matchMark: Record<LocationView['match'], string> = { prefix: '', exact: '= ', regex: '~ ' };

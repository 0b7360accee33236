/** All addresses of the console, so that a link cannot be misspelt. */
import type { Holder } from './http';

const query = (params: Record<string, string | undefined>): string => {
  const search = new URLSearchParams(
    Object.entries(params).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
    ),
  ).toString();
  return search === '' ? '' : `?${search}`;
};

export const paths = {
  landing: () => '/',
  login: (params: { return?: string; instance?: string } = {}) => `/login${query(params)}`,
  logout: () => '/logout',
  secondFactor: (params: { return?: string } = {}) => `/second-factor${query(params)}`,
  home: () => '/app',
  profile: () => '/app/profile',
  settings: (section?: string) => `/app/profile/settings${query({ section })}`,
  members: (tab?: string) => `/app/members${query({ tab })}`,
  member: (id: string, tab?: string) => `/app/members/${id}${query({ tab })}`,
  invite: () => '/app/members/invite',
  superadmin: (tab?: string) => `/superadmin${query({ tab })}`,
  products: () => '/app/product',
  running: () => '/app/product/running',
  domains: () => '/app/domain',
  domainAdd: () => '/app/domain/add',
  domain: (id: string, tab?: string) => `/app/domain/${id}/edit${query({ tab })}`,
  domainEdit: (id: string) => `/app/domain/${id}/edit${query({ mode: 'edit' })}`,
  alerts: (id?: string) => `/app/domain/alerts${query({ alert: id })}`,
  expiryCalendar: (month?: string) => `/app/domain/calendar${query({ month })}`,
  servers: () => '/app/server',
  serverAdd: () => '/app/server/add',
  server: (id: string, tab?: string) => `/app/server/${id}/detail${query({ tab })}`,
  serverEdit: (id: string) => `/app/server/${id}/detail${query({ mode: 'edit' })}`,
  serverKey: (id: string) => `/app/server/${id}/detail${query({ mode: 'key' })}`,
  scripts: () => '/app/script',
  scriptAdd: () => '/app/script/add',
  script: (id: string, tab?: string) => `/app/script/${id}/detail${tab === undefined ? '' : `/${tab}`}`,
  /** The page that starts a run on many servers and lists earlier ones. */
  fleet: (params: { cmdType?: string; script?: string; version?: string; tab?: string } = {}) =>
    `/app/fleet${query(params)}`,
  fleetRun: (id: string, tab?: string) => `/app/fleet/${id}${query({ tab })}`,
  cloud: () => '/app/do',
  create: (id?: string) => `/app/create${id === undefined ? '' : `/${id}`}`,
  createDocker: (id?: string) => `/app/create-docker${id === undefined ? '' : `/${id}`}`,
  requests: () => '/app/request',
  requestAnswer: (request: string, run: string) => `/app/request/${request}/answer/${run}`,
  history: (params: Partial<Record<'text' | 'category' | 'id' | 'parts' | 'actor' | 'cause', string>> = {}) =>
    `/app/history${query(params)}`,
  workflows: () => '/app/workflow',
  workflow: (id: string, tab?: string, part?: string) => `/app/workflow/${id}/edit${query({ tab, part })}`,
  /** Page of an instance or a node of a workflow. */
  workflowPart: (id: string, part: string) => `/app/workflow/${id}/edit/${part}/edit`,
  waiting: () => '/app/workflow/waiting',
  runs: () => '/app/run',
  run: (id: string, line?: number) => `/app/run/${id}${line === undefined ? '' : `#L${line}`}`,
} as const;

/** Address of a plain noun's list, of one of its rows, or of a tab of that row. */
export const plainPath = ({ path }: { path: string }, id?: string, tab?: string): string =>
  `/app/${[path, ...(id === undefined ? [] : [id, 'detail']), ...(tab === undefined ? [] : [tab])].join('/')}`;

/** Page of a deploy of a service. */
export const deployPath = (id: string, { product, service }: Record<'product' | 'service', string>): string =>
  plainPath({ path: 'product' }, product, `service/${service}/detail/deploy/${id}`);

/** Page of what holds something back, if it has one. */
export const holderPath = ({
  category,
  id,
  within = [],
}: Pick<Holder, 'category' | 'id' | 'within'>): string | undefined => {
  const [product, service] = within;
  if (category === 'notification' && product)
    return plainPath({ path: 'product' }, product.id, `notification/${id}/detail`);
  if (category !== 'release' || !product || !service) return undefined;
  return deployPath(id, { product: product.id, service: service.id });
};

/** Where the list of nested records is, below the page of their parent. Also the id of the tab that shows it. */
export const below = {
  apiInstance: 'user-management',
  oauthParam: 'oauth',
  endpoint: 'endpoints',
  entity: 'data-model',
  attribute: 'attribute',
  optionSet: 'option-set',
  optionSetValue: 'value',
  database: 'database',
  version: 'version',
  notification: 'notification',
  service: 'service',
  package: 'version',
  deployRule: 'push',
  push: 'push',
  pushtoken: 'push',
  text: 'i18n',
  requestParam: 'params',
  variable: 'env-var',
  apptoken: 'env-var',
  publictoken: 'public-token',
  email: 'email',
  mailtoken: 'email/intake',
  workflowInstance: 'instance',
  workflowNode: 'node',
  workflowTransition: 'transition',
  workflowTrigger: 'trigger',
  workflowVersion: 'version',
} as const;

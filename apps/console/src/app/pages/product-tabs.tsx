/**
 * Tabs of products that come from other features. Each is loaded when it is first shown: a list does not wait for what only the tabs
 * of its rows need.
 */
import { product } from '@quarterdeck/events';
import { part } from '../../ui/part';
import { below, plainPath } from '../../core/paths';
import type { RecordTabs } from '../../records/kit';

const ApiInstances = part(
  () => import('../../features/api-instances').then((all) => ({ default: all.ApiInstances })),
  'Loading the instances',
);
const Databases = part(
  () => import('../../features/databases').then((all) => ({ default: all.Databases })),
  'Loading databases',
);
const ServiceLocations = part(
  () => import('../../features/domains').then((all) => ({ default: all.ServiceLocations })),
  'Loading domain locations',
);
const Entities = part(
  () => import('../../features/entities').then((all) => ({ default: all.Entities })),
  'Loading the data model',
);
const OptionSets = part(
  () => import('../../features/option-sets').then((all) => ({ default: all.OptionSets })),
  'Loading option sets',
);
const Packages = part(
  () => import('../../features/service-packages').then((all) => ({ default: all.ServicePackages })),
  'Loading versions',
);
const Deploys = part(
  () => import('../../features/deploys').then((all) => ({ default: all.Deploys })),
  'Loading deploys',
);
const VersionList = part(
  () => import('../../features/deploys').then((all) => ({ default: all.VersionList })),
  'Loading versions',
);
const DeployOnPush = part(
  () => import('../../features/pushes').then((all) => ({ default: all.DeployOnPush })),
  'Loading the rules',
);
const WaitingPushes = part(
  () => import('../../features/pushes').then((all) => ({ default: all.WaitingPushes })),
  'Loading what waits',
);
const Mails = part(
  () => import('../../features/mails').then((all) => ({ default: all.Mails })),
  'Loading the e-mails',
);
const Services = part(
  () => import('../../features/services').then((all) => ({ default: all.Services })),
  'Loading services',
);
const Notifications = part(
  () => import('../../features/notifications').then((all) => ({ default: all.Notifications })),
  'Loading notifications',
);
const MarkdownPreview = part(
  () => import('../../features/texts').then((all) => ({ default: all.MarkdownPreview })),
  'Loading the text',
);
const ProductTokens = part(
  () => import('../../features/public-tokens').then((all) => ({ default: all.ProductTokens })),
  'Loading tokens',
);
const ServiceLogs = part(
  () => import('../../features/logs').then((all) => ({ default: all.ServiceLogs })),
  'Loading the logs',
);
const ServiceMetrics = part(
  () => import('../../features/metrics').then((all) => ({ default: all.ServiceMetrics })),
  'Loading the metrics',
);
const Texts = part(
  () => import('../../features/texts').then((all) => ({ default: all.Texts })),
  'Loading texts',
);
const Variables = part(
  () => import('../../features/variables').then((all) => ({ default: all.Variables })),
  'Loading variables',
);
const Versions = part(
  () => import('../../features/versions').then((all) => ({ default: all.Versions })),
  'Loading versions',
);

/** `base` is the address of the list of services. */
const serviceTabs =
  (base: string): RecordTabs =>
  ({ view }) => {
    const service = { id: view.id, name: String(view.name) };
    const versions = `${base}/${view.id}/detail/${below.package}`;
    const published = `${base}/${view.id}/detail/published`;
    const list = <VersionList base={versions} published={published} service={service} />;
    const variables = `${base}/${view.id}/detail/${below.variable}`;
    return [
      {
        id: below.package,
        label: 'Versions',
        area: true,
        content: () => <Packages base={versions} service={view.id} list={list} />,
      },
      {
        id: 'deploy',
        label: 'Deploys',
        area: true,
        content: () => (
          <Deploys
            base={`${base}/${view.id}/detail/deploy`}
            service={service}
            above={<WaitingPushes service={view.id} />}
          />
        ),
      },
      {
        id: below.deployRule,
        label: 'Deploy on push',
        area: true,
        content: () => (
          <DeployOnPush base={`${base}/${view.id}/detail/${below.deployRule}`} service={service} />
        ),
      },
      {
        id: 'location',
        label: 'Domain locations',
        content: () => <ServiceLocations service={view.id} port={Number(view.port)} />,
      },
      ...(view.packageType === 'container'
        ? [
            {
              id: below.variable,
              label: 'Environment variables',
              area: true as const,
              content: () => <Variables base={variables} service={service} />,
            },
            {
              id: 'metrics',
              label: 'Metrics',
              content: () => (
                <ServiceMetrics service={service} server={view.server as { id: string } | undefined} />
              ),
            },
            {
              id: 'log',
              label: 'Logs',
              content: () => (
                <ServiceLogs service={service} server={view.server as { id: string } | undefined} />
              ),
            },
          ]
        : []),
    ];
  };

export const productTabs: RecordTabs = ({ view: { id, name }, isAdmin }) => {
  const forMembers = [...textTabs({ id, name: String(name) }), ...notificationTabs(id)];
  if (!isAdmin) return forMembers;
  const [entities, optionSets] = [
    plainPath(product, id, below.entity),
    plainPath(product, id, below.optionSet),
  ];
  const services = plainPath(product, id, below.service);
  return [
    {
      id: below.apiInstance,
      label: 'User management',
      area: true,
      content: () => <ApiInstances base={plainPath(product, id, below.apiInstance)} product={id} />,
    },
    {
      id: below.entity,
      label: 'Data model',
      area: true,
      content: () => <Entities base={entities} product={id} optionSets={optionSets} />,
    },
    {
      id: below.optionSet,
      label: 'Option sets',
      area: true,
      content: () => <OptionSets base={optionSets} product={id} entities={entities} />,
    },
    {
      id: below.database,
      label: 'Databases',
      area: true,
      content: () => <Databases base={plainPath(product, id, below.database)} product={id} />,
    },
    {
      id: below.version,
      label: 'Versions',
      area: true,
      content: () => (
        <Versions base={plainPath(product, id, below.version)} product={{ id, name: String(name) }} />
      ),
    },
    {
      id: below.service,
      label: 'Services',
      area: true,
      content: () => <Services base={services} product={id} tabs={serviceTabs(services)} />,
    },
    ...forMembers,
    { id: below.publictoken, label: 'Tokens', content: () => <ProductTokens product={id} /> },
    {
      id: below.email,
      label: 'Email',
      area: true,
      content: () => <Mails base={plainPath(product, id, below.email)} product={id} />,
    },
  ];
};

const notificationTabs = (id: string) => {
  const cms = plainPath(product, id, 'cms');
  return [
    {
      id: below.notification,
      label: 'Notifications',
      area: true as const,
      content: () => (
        <Notifications
          base={plainPath(product, id, below.notification)}
          product={id}
          says={(text, of) => <MarkdownPreview text={text} {...of} />}
          textPath={(text) => `${cms}/${text}/detail`}
        />
      ),
    },
  ];
};

const textTabs = (of: { id: string; name: string }) =>
  [
    { id: below.text, other: 'cms', label: 'I18n', isCms: false },
    { id: 'cms', other: below.text, label: 'CMS', isCms: true },
  ].map(({ id, other, label, isCms }) => ({
    id,
    label,
    area: true as const,
    content: () => (
      <Texts
        base={plainPath(product, of.id, id)}
        otherBase={plainPath(product, of.id, other)}
        product={of}
        isCms={isCms}
      />
    ),
  }));

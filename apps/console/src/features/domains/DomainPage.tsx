/** One domain: its DNS, locations, configuration, certificate, runs and history. */
import { domains, runs } from '@quarterdeck/contract';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { certificateEndOf, configStateOf, type DomainView, type RunView } from '@quarterdeck/projections';
import { Link, useNavigate, useParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { toApiError } from '../../core/http';
import { useNow } from '../../core/as-of/clock';
import { paths } from '../../core/paths';
import { useShortcut } from '../../core/shortcuts';
import { DetailPage, type Tab } from '../../ui/DetailPage';
import { HistoryOf } from '../../records/history';
import { part } from '../../ui/part';
import { DomainVerdictBadge, useExpiringDays } from '../../records/verdicts';
import { PageView } from '../../records/PageView';
import { RelativeTime } from '../../ui/RelativeTime';
import { ActionFailure, Elapsed, isLive, RunsOf, RunState, stepTitle, tookMs } from '../../records/runs';
import { CertificateBadge, ConfigBadge, DnsBadge, NameInUnicode, SiteAnswerBadge } from './Badges';
import { CertificateTab, type CertificateCard } from './CertificateTab';
import { answerInWords } from './domain-words';
import { useLocationInAddress } from './locations/location-in-address';
import { Overview } from './Overview';
import { useDomainActions } from './use-domain-actions';
import { useDomainRuns } from './use-domain-runs';
import { Actor } from '../../records/actor';
import { StateBadge } from '../../ui/StateBadge';
import { Dim } from '../../ui/Note';
import { Box, Group } from '@mantine/core';
import look from '../../ui/look.module.css';
import { Card } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';

const LocationsTab = part(
  () => import('./locations/LocationsTab').then((tab) => ({ default: tab.LocationsTab })),
  'Loading locations',
);
const EditedLocation = part(
  () => import('./locations/EditedLocation').then((editor) => ({ default: editor.EditedLocation })),
  'Loading location',
);
const SiteTab = part(
  () => import('./site/SiteTab').then((tab) => ({ default: tab.SiteTab })),
  'Loading configuration',
);

/** Tabs that other features show: the traffic and the logs of its site. */
export type TabsOfDomain = (domain: DomainView) => readonly Tab[];

interface DomainPageProps {
  certificateCards?: readonly CertificateCard[] | undefined;
  tabsOf?: TabsOfDomain | undefined;
}

export const DomainPage = ({ certificateCards, tabsOf }: DomainPageProps) => {
  const { id = '' } = useParams();
  const query = useAnswer(domains.detail, { id });
  const { wanted } = useLocationInAddress();
  const { currentData: known, error } = query;
  return (
    <>
      <PageView query={query} what="Domain" subject={{ category: 'domain', id }}>
        {(domain) => (
          <Domain key={domain.id} domain={domain} certificateCards={certificateCards} tabsOf={tabsOf} />
        )}
      </PageView>
      {known && wanted !== null && (
        <EditedLocation domain={known} gone={error !== undefined && toApiError(error).status === 404} />
      )}
    </>
  );
};

const factsOf = (domain: DomainView, asOf: { now: number; expiringDays: number }) => {
  const { id, server, dns } = domain;
  const { now } = asOf;
  const end = certificateEndOf(domain);
  const config = configStateOf(domain);
  return [
    { label: 'Server', value: <Link to={paths.server(server.id)}>{server.alias ?? server.id}</Link> },
    {
      label: 'DNS',
      value: (
        <>
          <DnsBadge domain={domain} /> {answerInWords(dns)}
        </>
      ),
    },
    { label: 'Site', value: <SiteAnswerBadge domain={domain} /> },
    {
      label: 'Certificate',
      value: (
        <>
          <CertificateBadge domain={domain} asOf={asOf} />
          {end !== undefined && (
            <>
              {' '}
              {Date.parse(end) > now ? 'expires' : 'expired'} <RelativeTime at={end} />
            </>
          )}
        </>
      ),
    },
    {
      label: 'Configuration',
      value: (
        <>
          <ConfigBadge domain={domain} />{' '}
          {config !== 'applied' && (
            <Link to={paths.domain(id, 'config')}>
              {config === 'changed' ? 'Compare' : 'Review and apply'}
            </Link>
          )}
        </>
      ),
    },
  ];
};

const Domain = ({ domain, certificateCards = [], tabsOf }: DomainPageProps & { domain: DomainView }) => {
  const navigate = useNavigate();
  const now = useNow();
  const expiringDays = useExpiringDays();
  const runs = useDomainRuns(domain.id);
  const { remove } = useDomainActions(domain, runs);
  const { id, serverName } = domain;
  const asOf = { now, expiringDays };
  const edit = () => void navigate(paths.domainEdit(id));
  useShortcut('e', edit);
  return (
    <DetailPage
      back={{ to: paths.domains(), label: 'Domains' }}
      name={serverName}
      badge={
        <>
          <NameInUnicode serverName={serverName} />
          <DomainVerdictBadge domain={domain} asOf={asOf} />
        </>
      }
      facts={factsOf(domain, asOf)}
      actions={[
        { label: 'Edit', icon: <IconPencil size={16} />, onClick: edit },
        {
          label: 'Delete domain',
          icon: <IconTrash size={16} />,
          danger: true,
          disabledReason: runs.busy ? 'A run of this domain is under way' : undefined,
          onClick: () => void remove(),
        },
      ]}
      tabs={[
        { id: 'overview', label: 'Overview', content: () => <Overview domain={domain} runs={runs} /> },
        {
          id: 'locations',
          label: `Locations (${domain.locations.length})`,
          content: () => <LocationsTab domain={domain} runs={runs} />,
        },
        {
          id: 'config',
          label: 'Configuration',
          content: () => <SiteTab domain={domain} runs={runs} />,
        },
        {
          id: 'certificate',
          label: 'Certificate',
          content: () => <CertificateTab domain={domain} runs={runs} now={now} cards={certificateCards} />,
        },
        ...(tabsOf?.(domain) ?? []),
        { id: 'runs', label: 'Runs', content: () => <RunsOf kind="domain" id={id} name={serverName} /> },
        {
          id: 'history',
          label: 'History',
          content: () => <HistoryOf category="domain" id={id} name={serverName} />,
        },
      ]}
    >
      <ActionFailure failure={runs.failure} onClose={runs.dismiss} />
      {runs.shown && <RunInPlace id={runs.shown} />}
    </DetailPage>
  );
};

/** A run of the domain, shown where it was started: live state and steps, with a link to its output. */
const RunInPlace = ({ id }: { id: string }) => {
  const { currentData: run } = useAnswer(runs.detail, { id });
  return (
    <Card aria-label={run?.label ?? 'Run'} p="12px 16px" mb={16}>
      <Stacked gap={8}>
        {run ? <Known run={run} /> : <StateBadge state="requested" />}
        <Link to={paths.run(id)}>Open run</Link>
      </Stacked>
    </Card>
  );
};

const Known = ({ run }: { run: RunView }) => (
  <>
    <Group gap="4px 12px" role="status">
      <strong>{run.label}</strong> <RunState run={run} />
      <Dim>
        <Elapsed since={run.startedAt} ms={tookMs(run)} />, by <Actor id={run.requestedBy} inSentence />
      </Dim>
    </Group>
    {run.reason && !isLive(run) && (
      <Box component="p" className={look.wrap} my={8}>
        {run.reason}
      </Box>
    )}
    {run.steps.length > 0 && (
      <Group component="ol" className={look.list} gap="4px 20px" aria-label="Steps">
        {run.steps.map((step) => (
          <li key={`${step.step}/${step.attempt}`}>
            <StateBadge state={step.state} /> {stepTitle(run.kind, step)}
          </li>
        ))}
      </Group>
    )}
  </>
);

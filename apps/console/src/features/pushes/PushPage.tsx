/** The tab "Deploy on push" of a service. */
import { callsOf, pushes, type PushDelivery } from '@quarterdeck/contract';
import { deployRule } from '@quarterdeck/events';
import type { PushView, ViewOf } from '@quarterdeck/projections';
import { IconGitBranch, IconInbox, IconPlus, IconRocket } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { DisabledInPast, PresentOnly } from '../../core/as-of/in-past';
import { useAnswer } from '../../core/calls';
import { deployPath } from '../../core/paths';
import { useActorName } from '../../records/actor';
import { EnvBadge } from '../../records/EnvBadge';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';
import { count } from '../../ui/count';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { Note } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { useAction } from '../../ui/use-action';
import { OnOff } from './OnOff';
import { Decision } from './Decision';
import { deliveryLooks, pushLooks, ruleInWords } from './push-words';
import { Webhook } from './Webhook';

type Rule = ViewOf<typeof deployRule>;

interface PushPageProps {
  base: string;
  service: { id: string; name: string };
}

export const PushPage = ({ base, service }: PushPageProps) => (
  <Stacked gap={32}>
    <Rules base={base} service={service.id} />
    <Versions service={service.id} />
    <Webhook service={service} />
    <PresentOnly what="What the source host has sent">
      <Deliveries service={service.id} />
    </PresentOnly>
  </Stacked>
);

const approvalWords = { nobody: 'nobody', admin: 'an administrator', superadmin: 'a superadmin' } as const;

const ruleColumns: Column<Rule>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name, priority: 1 },
  { id: 'deploys', header: 'Deploys', value: (rule) => ruleInWords(rule), priority: 3 },
  {
    id: 'env',
    header: 'To',
    value: ({ env }) => env,
    cell: ({ env }) => <EnvBadge id={env} />,
    priority: 2,
  },
  { id: 'approval', header: 'Approved by', value: ({ approval }) => approvalWords[approval] },
  {
    id: 'on',
    header: 'State',
    value: ({ isOn }) => (isOn ? 'on' : 'off'),
    cell: ({ isOn }) => <OnOff isOn={isOn} />,
    priority: 2,
  },
];

const Rules = ({ base, service }: { base: string; service: string }) => {
  const navigate = useNavigate();
  const query = useAnswer(callsOf(deployRule).list, { service: { id: service } });
  return (
    <Section
      title="Rules"
      aria-label="Rules of the service"
      actions={
        <DisabledInPast>
          <Action icon={IconPlus} does={`${base}/add`}>
            Add rule
          </Action>
        </DisabledInPast>
      }
    >
      <Note mb={12}>
        Of several rules for one environment, the one with the strictest approval counts. What is deployed at
        once is pulled with the login of a registry of this workspace, and after an approval also with the
        token of whoever approved it.
      </Note>
      <DataTable
        label="Rules"
        query={query as unknown as { data?: Rule[] }}
        columns={ruleColumns}
        urlKey="rules"
        rowKey={({ id }) => id}
        onOpen={({ id }) => void navigate(`${base}/${id}/detail`)}
        empty={
          <EmptyState title="No rules yet" icon={IconGitBranch}>
            A rule says which versions are deployed where: main to dev at once, v* to prod after an approval.
          </EmptyState>
        }
      />
    </Section>
  );
};

const outcomeOf = (push: PushView, nameOf: (actor: string) => string): string => {
  const { decided, reason, newer, state } = push;
  if (newer) return `by ${newer.version}`;
  if (reason !== undefined) return reason;
  if (!decided) return '';
  const word = state === 'refused' ? 'refused' : 'approved';
  return `${word} by ${nameOf(decided.by)}${decided.note === undefined ? '' : `: ${decided.note}`}`;
};

const Versions = ({ service }: { service: string }) => {
  const nameOf = useActorName();
  const query = useAnswer(pushes.list, { service: { id: service } });
  const { act, failure, dismiss } = useAction();
  const columns = useMemo(
    (): Column<PushView>[] => [
      {
        id: 'version',
        header: 'Version',
        value: ({ version }) => version,
        cell: ({ version, release, product, service: { id } }) =>
          release === undefined ? (
            version
          ) : (
            <Link to={deployPath(release, { product, service: id })}>{version}</Link>
          ),
        priority: 1,
      },
      {
        id: 'state',
        header: 'State',
        value: ({ state }) => pushLooks[state].label,
        cell: ({ state }) => <StateBadge state={state} {...pushLooks[state]} />,
        priority: 2,
        filter: 'category',
      },
      { id: 'env', header: 'To', value: ({ env }) => env.id, cell: ({ env }) => <EnvBadge id={env.id} /> },
      { id: 'rule', header: 'Rule', value: ({ rule }) => rule.name },
      { id: 'by', header: 'Pushed by', value: ({ by }) => by },
      { id: 'at', header: 'Date', value: ({ at }) => at, cell: ({ at }) => <RelativeTime at={at} /> },
      { id: 'outcome', header: 'Why', value: (push) => outcomeOf(push, nameOf), priority: 3 },
      {
        id: 'decision',
        header: 'Decision',
        value: () => '',
        sortable: false,
        cell: (push) => push.state === 'waiting' && <Decision push={push} act={act} />,
        priority: 2,
      },
    ],
    [nameOf, act],
  );
  return (
    <Section title="Pushed versions" aria-label="Versions that were pushed">
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataTable
        label="Pushed versions"
        query={query}
        columns={columns}
        urlKey="pushes"
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No versions yet" icon={IconRocket}>
            Versions that a rule deploys will appear here, also those that wait for an approval.
          </EmptyState>
        }
      />
    </Section>
  );
};

const deliveryColumns: Column<PushDelivery>[] = [
  {
    id: 'at',
    header: 'Date',
    value: ({ at }) => at,
    cell: ({ at }) => <RelativeTime at={at} />,
    priority: 2,
  },
  { id: 'event', header: 'Event', value: ({ event }) => event, priority: 1 },
  { id: 'tag', header: 'Version', value: ({ version }) => version?.tag ?? '' },
  {
    id: 'is',
    header: 'Outcome',
    value: ({ is }) => deliveryLooks[is].label,
    cell: ({ is }) => <StateBadge state={is} {...deliveryLooks[is]} />,
    priority: 2,
    filter: 'category',
  },
  {
    id: 'says',
    header: 'What became of it',
    value: ({ says, repeats }) =>
      repeats === 0
        ? says
        : `${says} It came again ${count(repeats, 'time')}, and nothing more was deployed.`,
    priority: 3,
  },
  { id: 'delivery', header: 'Delivery', value: ({ delivery }) => delivery, mono: true },
];

const Deliveries = ({ service }: { service: string }) => {
  const query = useAnswer(pushes.deliveries, { service: { id: service } });
  const { refused } = query.data ?? {};
  return (
    <Section title="Deliveries" aria-label="What the source host has sent">
      {refused && (
        <Note mb={12}>
          {count(refused.count, 'call')} refused since <RelativeTime at={refused.since} />, the last one{' '}
          <RelativeTime at={refused.at} />: {refused.says}.
        </Note>
      )}
      <DataTable
        label="Deliveries"
        query={{
          data: query.data?.deliveries,
          error: query.error,
          refetch: () => void query.refetch(),
        }}
        columns={deliveryColumns}
        urlKey="deliveries"
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No deliveries yet" icon={IconInbox}>
            What GitHub sends will appear here, with what became of it.
          </EmptyState>
        }
      />
    </Section>
  );
};

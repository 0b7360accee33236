/** Every alert with its webhook deliveries, and a button that sends a test. */
import { Button } from '@mantine/core';
import { alerts as alertCalls, workspaces } from '@quarterdeck/contract';
import { alertChannel, alertRule, maintenanceWindow } from '@quarterdeck/events';
import {
  IconBell,
  IconBroadcast,
  IconCalendar,
  IconListCheck,
  IconSend,
  IconSettings,
  IconTool,
} from '@tabler/icons-react';
import { alertColumns, type AlertView, columnsById, severityOf } from '@quarterdeck/projections';
import { useSearchParams } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths, plainPath } from '../../core/paths';
import { Action } from '../../ui/Action';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { withParams } from '../../ui/params';
import { RelativeTime } from '../../ui/RelativeTime';
import { useListPage } from '../../ui/table/use-list-page';
import { ActionFailure } from '../../records/runs';
import { StateBadge } from '../../ui/StateBadge';
import { useAction, type Act } from '../../ui/use-action';
import { AlertDrawer, AlertSubject } from './AlertDrawer';
import { severityLooks } from '../../records/severity-looks';
import { AlertState } from './AlertState';
import { standing, toldWords } from './alert-words';

const { says, subject, severity, state, told, raisedAt: raised } = columnsById(alertColumns);

const columns: readonly Column<AlertView>[] = [
  { ...says, header: 'Alert', sortable: false, priority: 1 },
  { ...subject, header: 'About', cell: (alert) => <AlertSubject {...alert} /> },
  {
    ...severity,
    header: 'Severity',
    cell: (alert) => {
      const its = severityOf(alert);
      return <StateBadge state={its} {...severityLooks[its]} />;
    },
    priority: 3,
  },
  {
    ...state,
    header: 'State',
    cell: (alert) => <AlertState alert={alert} />,
    priority: 2,
  },
  {
    ...told,
    header: 'Webhook',
    cell: (alert) => <StateBadge state="told" {...toldWords(alert)} />,
  },
  { ...raised, header: 'Raised', cell: ({ raisedAt }) => <RelativeTime at={raisedAt} /> },
];

export const AlertsPage = () => {
  const { table } = useListPage(alertCalls.page, { defaultSort: '-urgency' });
  const { data: open } = useAnswer(alertCalls.list, { open: true });
  const [search, setSearch] = useSearchParams();
  const { act, failure, dismiss } = useAction();
  const settings = useAnswer(workspaces.detail).data?.alerts;
  const sentTo =
    settings === undefined
      ? '.'
      : settings.webhook
        ? '; also sent to the channels and the webhook.'
        : '; also sent to the channels.';
  const shown = search.get('alert');
  const here = table.query.data?.find(({ id }) => id === shown);
  // A link may lead to one that is on another page.
  const { data: all } = useAnswer(alertCalls.list, {}, { skip: shown === null || here !== undefined });
  const opened = here ?? (shown === null ? undefined : all?.find(({ id }) => id === shown));
  const show = (id: string | undefined): void =>
    setSearch((before) => withParams(before, { alert: id }), { preventScrollReset: true });
  return (
    <>
      <PageHeader
        title="Alerts"
        count={open && standing(open).length}
        description={`What needs a person: of servers, sites, certificates, services, backups and the console itself${sentTo}`}
        reading={
          <>
            <Action icon={IconSettings} variant="default" does={paths.settings('alerts')}>
              Settings
            </Action>
            <Action icon={IconListCheck} variant="default" does={plainPath(alertRule)}>
              Rules
            </Action>
            <Action icon={IconBroadcast} variant="default" does={plainPath(alertChannel)}>
              Channels
            </Action>
            <Action icon={IconTool} variant="default" does={plainPath(maintenanceWindow)}>
              Maintenance
            </Action>
            <Action icon={IconCalendar} variant="default" does={paths.expiryCalendar()}>
              Calendar
            </Action>
          </>
        }
        actions={<TestButton onSent={show} act={act} />}
      />
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataTable
        label="Alerts"
        {...table}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={({ id }) => show(id)}
        searchable
        actions={(alert) => alert.state === 'open' && <DismissButton alert={alert} act={act} />}
        empty={
          <EmptyState title="No alerts yet" icon={IconBell}>
            Problems of servers, sites, certificates, services, backups and the console itself will appear
            here.
          </EmptyState>
        }
      />
      <AlertDrawer alert={opened} onClose={() => show(undefined)} />
    </>
  );
};

const DismissButton = ({ alert, act }: { alert: AlertView; act: Act }) => {
  const [dismiss, { isLoading }] = useChange(alertCalls.dismiss);
  return (
    <DisabledInPast>
      <Button
        variant="subtle"
        loading={isLoading}
        aria-label={`Dismiss the alert about ${alert.subject.name}`}
        onClick={() =>
          void act({ send: () => dismiss({ id: alert.id }).unwrap(), failed: 'It was not dismissed' })
        }
      >
        Dismiss
      </Button>
    </DisabledInPast>
  );
};

const TestButton = ({ onSent, act }: { onSent: (id: string) => void; act: Act }) => {
  const { data: workspace } = useAnswer(workspaces.detail);
  const [send, { isLoading }] = useChange(alertCalls.test);
  const none = workspace !== undefined && workspace.alerts.webhook === undefined;
  return (
    <DisabledInPast>
      <Action
        icon={IconSend}
        loading={isLoading}
        disabled={none}
        title={none ? 'There is no webhook yet: enter its address in the alert settings' : undefined}
        does={() =>
          act({ send: () => send().unwrap(), done: ({ id }) => onSent(id), failed: 'No test was sent' })
        }
      >
        Send a test
      </Action>
    </DisabledInPast>
  );
};

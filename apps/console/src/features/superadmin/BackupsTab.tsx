/** Backups of the installation: their state, work in progress, the archives, the plan and how to restore. */
import { Alert, Box, Button, Flex } from '@mantine/core';
import { backups } from '@quarterdeck/contract';
import {
  backupVerdict,
  chainTo,
  newestInPlace,
  restoreVerdict,
  type ArchiveView,
  type BackupsView,
} from '@quarterdeck/projections';
import { IconAlertCircle, IconCircleCheck, IconDatabaseExport, IconDownload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { useNow } from '../../core/as-of/clock';
import { Action } from '../../ui/Action';
import { DataTable, type Column } from '../../ui/DataTable';
import { DataView } from '../../ui/DataView';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { useAction } from '../../ui/use-action';
import { ActionFailure } from '../../records/runs';
import { WaitingBackup } from './WaitingBackup';
import { NotRemoved } from './NotRemoved';
import { BackupPlan } from './BackupPlan';
import { afterDrill, drillInWords, progressInWords } from './backup-words';
import { FactCard, FactCards } from './FactCard';
import { RestoreHelp } from './RestoreHelp';
import { bytesInWords } from '../../ui/bytes';
import { Stacked } from '../../ui/Columns';
import { Card, Head, Section } from '../../ui/Card';

const LOOK_MS = 3_000;
/** While a backup is taken. */
const WATCH_MS = 500;

const columns: readonly Column<ArchiveView>[] = [
  {
    id: 'takenAt',
    header: 'Taken',
    value: ({ takenAt }) => takenAt,
    cell: ({ takenAt }) => <RelativeTime at={takenAt} />,
    priority: 1,
  },
  {
    id: 'kind',
    header: 'Kind',
    value: ({ base, beforeMigration }) =>
      beforeMigration ? 'full, before an upgrade' : base === null ? 'full' : 'increment',
    filter: 'category',
    priority: 3,
  },
  {
    id: 'state',
    header: 'State',
    value: ({ missing }) => (missing ? 'missing' : 'in place'),
    cell: ({ missing }) => (
      <StateBadge
        state={missing ? 'missing' : 'in place'}
        tone={missing ? 'bad' : 'good'}
        icon={missing ? IconAlertCircle : IconCircleCheck}
      />
    ),
    filter: 'category',
    priority: 2,
  },
  {
    id: 'drill',
    header: 'Restored in a drill',
    value: ({ provenAt }) => provenAt ?? '',
    cell: ({ provenAt }) => (provenAt ? <RelativeTime at={provenAt} /> : 'not yet'),
  },
  {
    id: 'bytes',
    header: 'Size',
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => bytesInWords(bytes, 1000),
    align: 'right',
  },
  { id: 'end', header: 'Up to position', value: ({ end }) => Number(end), align: 'right' },
  { id: 'events', header: 'Events', value: ({ events }) => events, align: 'right' },
  {
    id: 'name',
    header: 'File',
    value: ({ place, name }) => `${place.replace(/\/$/, '')}/${name}`,
    mono: true,
    copy: true,
  },
];

const titles = {
  drill: 'Restoring in a drill',
  full: 'Taking a full backup',
  increment: 'Taking a backup',
};

interface FailureProps {
  title: string;
  reason: string;
  at: string;
  /** Sentence about the next attempt. */
  children: ReactNode;
}

const Failure = ({ title, reason, at, children }: FailureProps) => (
  <Alert color="red" variant="light" my="md" icon={<IconAlertCircle size={18} aria-hidden />} title={title}>
    {reason} (<RelativeTime at={at} />
    ). {children}
  </Alert>
);

export const BackupsTab = () => {
  const [interval, setInterval] = useState(LOOK_MS);
  const query = useAnswer(backups.overview, {}, { pollingInterval: interval });
  const wanted = query.data?.current ? WATCH_MS : LOOK_MS;
  if (wanted !== interval) setInterval(wanted);
  return (
    <DataView query={query} what="Backups">
      {(view) => (
        <Backups view={view} askedAt={query.fulfilledTimeStamp} lookAgain={() => void query.refetch()} />
      )}
    </DataView>
  );
};

interface BackupsProps {
  view: BackupsView;
  /** When the server last answered. The page polls every few seconds, so this serves as the current time. */
  askedAt: number | undefined;
  lookAgain: () => void;
}

const Backups = ({ view, askedAt, lookAgain }: BackupsProps) => {
  const [cancel] = useChange(backups.cancel);
  const { act, failure, dismiss } = useAction();
  const send = (call: () => Promise<unknown>) =>
    act({ send: () => call().finally(lookAgain), failed: 'The request was refused' });
  const { current, waiting, failed, archives, drillFailed, notRemoved } = view;
  const now = useNow(askedAt);
  return (
    <Stacked gap={28}>
      <Section title="Backups" actions={<BackupActions view={view} send={send} />}>
        <ActionFailure failure={failure} onClose={dismiss} />
        {current && (
          <UnderWay
            view={view}
            current={current}
            onCancel={() => void send(() => cancel({ work: current.work }).unwrap())}
          />
        )}
        {waiting && (
          <WaitingBackup
            title={titles[waiting.full ? 'full' : 'increment']}
            onCancel={() => void send(() => cancel({ work: waiting.work }).unwrap())}
          />
        )}
        {failed && (
          <Failure title="The last backup failed" {...failed}>
            A scheduled backup is tried again every half hour.
          </Failure>
        )}
        {drillFailed && (
          <Failure title="The last drill failed" {...drillFailed}>
            {afterDrill(view)}
          </Failure>
        )}
        <NotRemoved places={notRemoved} />
        <State view={view} now={now} />
      </Section>
      <BackupPlan view={view} onSaved={lookAgain} />
      <div>
        <Head title="Archives" />
        <DataTable
          label="Archives"
          rows={archives}
          columns={columns}
          rowKey={({ id }) => id}
          empty="Archives will appear here once the first backup was taken."
        />
      </div>
      <RestoreHelp view={view} />
    </Stacked>
  );
};

interface BackupActionsProps {
  view: BackupsView;
  send: (call: () => Promise<unknown>) => Promise<unknown>;
}

const BackupActions = ({ view: { current, waiting, archives }, send }: BackupActionsProps) => {
  const [take] = useChange(backups.take);
  const [drill] = useChange(backups.drill);
  const newest = newestInPlace(archives);
  const chain = newest && chainTo(newest, archives);
  const reason = current ? `A ${current.kind} is under way already` : undefined;
  /** A backup that is requested during a drill waits until it has ended. */
  const busy = waiting
    ? 'A backup waits already until the drill has ended'
    : current?.kind === 'backup'
      ? reason
      : undefined;
  return (
    <Flex gap={8} wrap="wrap">
      {chain && newest && (
        <Button
          component="a"
          href={`/api/backup/download?archive=${newest.id}`}
          download={chain.length === 1 ? newest.name : `${newest.name.replace(/\.backup$/, '')}.tar`}
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Download the newest
        </Button>
      )}
      <Button
        variant="default"
        disabled={current !== undefined || !newest}
        title={reason ?? (newest ? undefined : 'There is no archive to restore yet')}
        onClick={() => void send(() => drill({}).unwrap())}
      >
        Drill now
      </Button>
      <Button
        variant="default"
        disabled={busy !== undefined}
        title={busy}
        onClick={() => void send(() => take({ full: true }).unwrap())}
      >
        Full backup now
      </Button>
      <Action
        icon={IconDatabaseExport}
        disabled={busy !== undefined}
        title={busy}
        does={() => send(() => take({}).unwrap())}
      >
        Back up now
      </Action>
    </Flex>
  );
};

interface UnderWayProps {
  view: BackupsView;
  current: NonNullable<BackupsView['current']>;
  onCancel: () => void;
}

const UnderWay = ({ view, current, onCancel }: UnderWayProps) => (
  <Card
    p="14px 16px"
    mb={12}
    role="status"
    aria-label={`${current.kind === 'drill' ? 'Drill' : 'Backup'} under way`}
    title={titles[current.kind === 'drill' ? 'drill' : current.full ? 'full' : 'increment']}
    actions={
      <Button variant="default" disabled={current.cancelRequested} onClick={onCancel}>
        {current.cancelRequested ? 'Cancel requested' : 'Cancel'}
      </Button>
    }
  >
    <p>{progressInWords(view)}</p>
  </Card>
);

const Verdict = ({ label, tone }: ReturnType<typeof backupVerdict> | ReturnType<typeof restoreVerdict>) => (
  <StateBadge state={label} tone={tone} icon={tone === 'good' ? IconCircleCheck : IconAlertCircle} />
);

const State = ({ view, now }: { view: BackupsView; now: number }) => {
  const { target, archives, proven } = view;
  const newest = newestInPlace(archives);
  return (
    <FactCards>
      <FactCard
        label="State"
        detail={
          newest ? (
            <>
              Newest archive: <RelativeTime at={newest.takenAt} />, up to position{' '}
              {Number(newest.end).toLocaleString('en')}. Later changes are lost with this machine.
            </>
          ) : (
            'Everything is lost with this machine until the first backup.'
          )
        }
      >
        <Verdict {...backupVerdict(view, new Date(now))} />
      </FactCard>
      <FactCard
        label="Restore"
        detail={
          proven ? (
            <>
              Restored and verified <RelativeTime at={proven.at} />: {drillInWords(proven)}
            </>
          ) : (
            'A drill restores the newest archive into a throw-away database and verifies it.'
          )
        }
      >
        <Verdict {...restoreVerdict(view, new Date(now))} />
      </FactCard>
      <FactCard
        label="Target"
        detail={
          target.besideConsole &&
          'This folder is lost together with the console. Name a folder on another machine or a bucket.'
        }
      >
        <Box component="span" ff="monospace" fw={500}>
          {target.name}
        </Box>
      </FactCard>
    </FactCards>
  );
};

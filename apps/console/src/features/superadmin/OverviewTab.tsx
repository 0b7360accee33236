import { Alert, Box, Group } from '@mantine/core';
import { superadmin } from '@quarterdeck/contract';
import type {
  EventLogFacts,
  InstallationEvent,
  InstallationView,
  ProcessView,
} from '@quarterdeck/projections';
import { IconAlertTriangle, IconCircleCheck, IconCrown, IconServer } from '@tabler/icons-react';
import { useAnswer } from '../../core/calls';
import { nameOfActor } from '../../records/actor';
import { bytesInWords } from '../../ui/bytes';
import { CopyText } from '../../ui/CopyText';
import { DataView } from '../../ui/DataView';
import { part } from '../../ui/part';
import { absoluteTime, RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import {
  chainInWords,
  chainLook,
  engineInWords,
  foreignInWords,
  foreignLook,
  headInWords,
  hiddenCallersInWords,
  paceInWords,
} from './superadmin-words';
import { FactCard, FactCards } from './FactCard';
import classes from './superadmin.module.css';
import { Stacked } from '../../ui/Columns';
import { Dim, Note } from '../../ui/Note';
import { List } from '../../ui/List';
import look from '../../ui/look.module.css';
import { Section } from '../../ui/Card';

// Its form is loaded only when needed.
const ForeignEvents = part(
  () => import('./ForeignEvents').then((list) => ({ default: list.ForeignEvents })),
  'Loading events',
);

const LOOK_MS = 3_000;

export const OverviewTab = () => (
  <DataView query={useAnswer(superadmin.overview, {}, { pollingInterval: LOOK_MS })} what="Installation">
    {(installation) => <Overview {...installation} />}
  </DataView>
);

const Overview = ({ version, eventLog, processes, hiddenCallers, events }: InstallationView) => (
  <Stacked gap={28}>
    {hiddenCallers && (
      <Alert
        color="yellow"
        icon={<IconAlertTriangle size={18} />}
        title={`All calls come from ${hiddenCallers.address}`}
      >
        {hiddenCallersInWords(hiddenCallers)}
      </Alert>
    )}
    <EventLog {...eventLog} />
    <Section title="Processes">
      <Note maw="80ch" mb={12}>
        One process leads: it updates and maintains the read models. If it ends, another takes over. You are
        connected to version {version}.
      </Note>
      <List gap={8}>
        {processes.map((process) => (
          <Process key={process.id} {...process} />
        ))}
      </List>
    </Section>
    <Section title="Changes to the installation">
      {events.length === 0 ? (
        <Note maw="80ch" mb={12}>
          Seals, rebuilds and retries will appear here.
        </Note>
      ) : (
        <List component="ol" className={`${look.parted} ${classes.events}`}>
          {events.map((event) => (
            <Done key={event.position} {...event} />
          ))}
        </List>
      )}
    </Section>
  </Stacked>
);

const EventLog = (facts: EventLogFacts) => {
  const { bytes, perMinute, seal, chain, foreign, identity, problem, truncated = [] } = facts;
  return (
    <Section title="Event log">
      {problem !== undefined && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} title="Nothing can be recorded" mb="sm">
          {problem.charAt(0).toUpperCase() + problem.slice(1)}. Run <code>npm run audit -- verify</code>;
          docs/operating.md says what to do.
        </Alert>
      )}
      <FactCards>
        <FactCard label="Engine" short>
          {engineInWords(facts.engine)}
        </FactCard>
        <FactCard label="Head" short>
          {headInWords(facts)}
        </FactCard>
        {bytes !== undefined && (
          <FactCard label="Size" short>
            {bytesInWords(bytes, 1000)}
          </FactCard>
        )}
        <FactCard label="Chain" detail={chainInWords(chain)}>
          <StateBadge
            state={chain.state}
            icon={chain.state === 'broken' ? IconAlertTriangle : IconCircleCheck}
            {...chainLook[chain.state]}
          />
        </FactCard>
        {truncated.length > 0 && <Truncated streams={truncated} />}
        <FactCard label="Written by others" detail={foreignInWords(foreign)}>
          <StateBadge
            state={foreign.open === 0 ? 'none' : 'some'}
            icon={foreign.open === 0 ? IconCircleCheck : IconAlertTriangle}
            {...foreignLook(foreign)}
          />
        </FactCard>
        <LastSeal seal={seal} />
        {identity && (
          <FactCard
            label="Public key"
            detail={`Seals of log ${identity.log.slice(0, 8)} are signed with it. Keep it where you keep the seals.`}
          >
            <CopyText value={identity.publicKey} mono>
              {identity.publicKey.slice(16, 28)}
            </CopyText>
          </FactCard>
        )}
        <FactCard label="Events" detail={paceInWords(perMinute)}>
          <Pace perMinute={perMinute} />
        </FactCard>
      </FactCards>
      {foreign.count > 0 && <ForeignEvents {...foreign} />}
    </Section>
  );
};

const Truncated = ({ streams }: { streams: NonNullable<EventLogFacts['truncated']> }) => (
  <FactCard
    label="Truncated streams"
    detail={
      <>
        Somebody deleted or truncated these in the event log. Their events still exist, but commands no longer
        see them. Remove the limit from the metadata of each stream.
        {streams.map(({ stream, limits }) => (
          <Dim display="block" mt={2} fz={12} fw={400} key={stream}>
            {stream}: {limits}
          </Dim>
        ))}
      </>
    }
  >
    <StateBadge
      state="broken"
      icon={IconAlertTriangle}
      label={streams.length === 1 ? '1 stream' : `${streams.length} streams`}
      tone="bad"
    />
  </FactCard>
);

const LastSeal = ({ seal }: Pick<EventLogFacts, 'seal'>) => (
  <FactCard
    label="Last seal"
    detail={
      seal ? (
        <>
          up to {seal.position},{' '}
          <CopyText value={`${seal.position}:${seal.hash}`} mono>
            {seal.hash.slice(0, 12)}
          </CopyText>
        </>
      ) : (
        'The log is sealed every hour in which something happened.'
      )
    }
  >
    {seal ? <RelativeTime at={seal.at} /> : 'none'}
  </FactCard>
);

const Pace = ({ perMinute }: { perMinute: readonly number[] }) => {
  const most = Math.max(...perMinute, 1);
  return (
    <span className={classes.pace} role="img" aria-label={`Events of the last ${perMinute.length} minutes`}>
      {perMinute.map((count, index) => (
        <span
          // Minutes have no identity other than their index.
          key={index}
          title={`${count.toLocaleString('en')} events, ${perMinute.length - 1 - index} min ago`}
          style={{ height: `${Math.max((count / most) * 100, 4)}%` }}
        />
      ))}
    </span>
  );
};

const Process = ({ host, pid, version, startedAt, leadingSince }: ProcessView) => (
  <Group component="li" className={look.framed} gap="4px 16px" p="10px 14px" c="dimmed">
    <IconServer size={18} stroke={1.6} aria-hidden />
    <Box component="strong" ff="monospace" fw={500}>
      {host}:{pid}
    </Box>
    <span>version {version}</span>
    <span>
      started <RelativeTime at={startedAt} />
    </span>
    {leadingSince && (
      <Group component="span" display="inline-flex" gap={8}>
        <StateBadge state="leading" tone="good" icon={IconCrown} label="leads" />
        <span>
          took over <RelativeTime at={leadingSince} />
        </span>
      </Group>
    )}
  </Group>
);

const Done = ({ at, by, says }: InstallationEvent) => (
  <li>
    <time dateTime={at} title={absoluteTime(at)}>
      <RelativeTime at={at} />
    </time>
    <span className={look.cut}>{nameOfActor(by)}</span>
    <span>{says}</span>
  </li>
);

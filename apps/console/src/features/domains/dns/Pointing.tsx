/** Compares the DNS answer for a name with the server's host. If they differ, offers to add a record. */
import { Group, Loader } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { dns } from '@quarterdeck/contract';
import { IconAlertTriangle, IconCircleCheck, IconRefresh } from '@tabler/icons-react';
import { domainEdit } from '@quarterdeck/events/inputs';
import { addressesInWords, pointingOf, type ServerView } from '@quarterdeck/projections';
import { useState } from 'react';
import { useAnswer } from '../../../core/calls';
import { PresentOnly } from '../../../core/as-of/in-past';
import { toApiError } from '../../../core/http';
import { Action } from '../../../ui/Action';
import { CopyText } from '../../../ui/CopyText';
import { StateBadge } from '../../../ui/StateBadge';
import { answerInWords } from '../domain-words';
import { AddRecord } from './AddRecord';
import { ipv4Of, lacksIpv4 } from './dns-rules';
import { useHostAddresses } from './use-host-addresses';
import { Card } from '../../../ui/Card';
import { Dim, Note } from '../../../ui/Note';
import { Fact, Facts } from '../../../ui/Facts';

const PAUSE_MS = 400;
/** Interval between look-ups of a name that does not point to the server yet. */
const AGAIN_MS = 5000;

/** The name as stored, in ASCII; `undefined` while it is incomplete. */
const nameOf = (written: string): string | undefined => {
  const { data } = domainEdit.shape.serverName.safeParse(written);
  return data?.includes('.') ? data : undefined;
};

interface PointingProps {
  /** The name as typed. */
  typed: string;
  server: Pick<ServerView, 'alias' | 'host' | 'addresses'> | undefined;
  againMs?: number;
}

export const Pointing = ({ typed, server, againMs = AGAIN_MS }: PointingProps) => {
  const [written] = useDebouncedValue(typed, PAUSE_MS);
  const name = nameOf(written);
  return (
    <Card title="DNS">
      {name !== undefined ? (
        <PresentOnly what="The DNS answer">
          <Answer name={name} server={server} againMs={againMs} />
        </PresentOnly>
      ) : (
        <Note below>The DNS answer appears here as you type.</Note>
      )}
    </Card>
  );
};

interface AnswerProps {
  name: string;
  server: PointingProps['server'];
  againMs: number;
}

const Answer = ({ name, server, againMs }: AnswerProps) => {
  const [elsewhere, setElsewhere] = useState(false);
  const {
    currentData: found,
    error,
    isFetching,
    refetch,
  } = useAnswer(
    dns.ipFromHostname,
    { hostname: name },
    {
      refetchOnMountOrArgChange: true,
      // After fixing DNS elsewhere, the operator returns to an up-to-date answer.
      pollingInterval: elsewhere ? againMs : 0,
      skipPollingIfUnfocused: true,
    },
  );
  const host = useHostAddresses(server?.host);
  const known = server !== undefined && host !== undefined && host.length > 0;
  // The back end decides; this predicts its answer.
  const verdict = known && found ? pointingOf(found.addresses, host, server.addresses) : undefined;
  const points = verdict?.here === true;
  const foreign = verdict?.elsewhere ?? [];
  const unknown = verdict?.translated === true && foreign.length === 0;
  const differs = verdict !== undefined && !points && !unknown;
  if (differs !== elsewhere) setElsewhere(differs);
  if (error !== undefined)
    return (
      <Note below role="alert">
        The DNS lookup failed: {toApiError(error).msg}
      </Note>
    );
  if (!found)
    return (
      <Note below role="status">
        <Loader size="xs" mr="xs" /> Looking up {name} …
      </Note>
    );
  return (
    <>
      <Facts>
        <Fact label={name}>
          {found.outcome === 'found' ? <CopyText value={answerInWords(found)} /> : answerInWords(found)}
        </Fact>
        {server && (
          <Fact label={server.alias}>
            <CopyText value={host?.map(({ address }) => address).join(', ') || server.host} />
          </Fact>
        )}
      </Facts>
      <Group gap="6px 12px" mt={12} role="status">
        {!server && <Dim>Choose a server to compare with.</Dim>}
        {server && host?.length === 0 && (
          <span>DNS has no answer for {server.host}: it is checked when you add the domain.</span>
        )}
        {known &&
          (points ? (
            <StateBadge
              state="points"
              tone="good"
              icon={IconCircleCheck}
              label={`points to ${server.alias}`}
            />
          ) : unknown ? (
            <span>
              {server.alias} has only private addresses: whether this is its public one is not known.
            </span>
          ) : (
            <StateBadge
              state="differs"
              tone="bad"
              icon={IconAlertTriangle}
              label={found.outcome === 'found' ? `differs from ${server.alias}` : 'no address yet'}
            />
          ))}
        {differs && foreign.length > 0 && foreign.length < found.addresses.length && (
          <span>
            {addressesInWords(foreign)} is not an address of {server?.alias}.
          </span>
        )}
        <Action icon={IconRefresh} variant="subtle" loading={isFetching} does={() => refetch()}>
          Check again
        </Action>
      </Group>
      {known && (
        <AddRecord
          // Another name or server needs another record.
          key={`${name} ${server.host}`}
          serverName={name}
          alias={server.alias}
          found={found.addresses.map(({ address }) => address)}
          differs={differs && lacksIpv4(found.addresses, foreign)}
          ip={ipv4Of(host)}
          onAdded={() => void refetch()}
        />
      )}
    </>
  );
};

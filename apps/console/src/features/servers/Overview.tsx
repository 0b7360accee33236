/** A server's details, editable in place, with its set-up, health, host key and private key. */
import type { ServerView } from '@quarterdeck/projections';
import { By } from '../../records/actor';
import { RunningStates } from '../../records/verdicts';
import { CopyText } from '../../ui/CopyText';
import { EditInPlace } from '../../ui/EditInPlace';
import { HealthCard } from './health/HealthCard';
import { HostKeyCard } from './HostKeyCard';
import { labelled, serverLabels } from './server-words';
import { SetUpCard } from './SetUpCard';
import type { SetUp } from './set-ups';
import { Columns, Stacked } from '../../ui/Columns';
import { Card } from '../../ui/Card';
import { Fact, Facts } from '../../ui/Facts';
import { Button } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { withParams } from '../../ui/params';
import { part } from '../../ui/part';
import { RelativeTime } from '../../ui/RelativeTime';
import { Note } from '../../ui/Note';

/** Seven fields and the buttons. */
const LINES_OF_FORM = 21;

const EditForm = part(
  () => import('./OverviewForms').then((all) => ({ default: all.EditForm })),
  'Loading the form',
  LINES_OF_FORM,
);
const KeyForm = part(
  () => import('./OverviewForms').then((all) => ({ default: all.KeyForm })),
  'Loading the form',
);

interface OverviewProps {
  server: ServerView;
  onSetUp: (what: SetUp) => void;
}

export const Overview = ({ server, onSetUp }: OverviewProps) => (
  <Columns>
    <Stacked>
      <Card aria-label="Details">
        <EditInPlace
          title="Details"
          view={<ServerFacts server={server} />}
          form={(done) => <EditForm server={server} onDone={done} />}
        />
      </Card>
      <SetUpCard server={server} onSetUp={onSetUp} />
    </Stacked>
    <Stacked>
      <HealthCard server={server} />
      <RunningStates of={({ server: { id } }) => id === server.id} named />
      <HostKeyCard server={server} />
      <PrivateKeyCard server={server} />
    </Stacked>
  </Columns>
);

const ServerFacts = ({ server }: { server: ServerView }) => (
  <Facts>
    <Fact label="Alias">{server.alias}</Fact>
    {labelled.map((name) => (
      <Fact key={name} label={serverLabels[name]}>
        <CopyText value={String(server[name])} />
      </Fact>
    ))}
    <Fact label="Added">
      <By id={server.registeredBy} at={server.registeredAt} />
    </Fact>
    <Fact label="Last changed">
      <By id={server.changedBy} at={server.changedAt} />
    </Fact>
    <Fact label="Id">
      <CopyText value={server.id} />
    </Fact>
  </Facts>
);

/** The private key used to sign in. Only its fingerprint is shown; the key can be replaced. */
const PrivateKeyCard = ({ server }: { server: ServerView }) => {
  const { key } = server;
  const [params, setParams] = useSearchParams();
  const replacing = params.get('mode') === 'key';
  const [replaced, setReplaced] = useState(false);
  const setReplacing = (to: boolean) =>
    setParams((latest) => withParams(latest, { mode: to ? 'key' : undefined }), { preventScrollReset: true });

  const card = useRef<HTMLElement>(null);
  // Opened from the menu, the form may be far down a narrow screen.
  useLayoutEffect(() => {
    if (replacing) card.current?.querySelector('textarea')?.focus();
  }, [replacing]);

  return (
    <Card
      title="Private key"
      ref={card}
      actions={
        !replacing && (
          <DisabledInPast>
            <Button variant="default" onClick={() => setReplacing(true)}>
              Replace
            </Button>
          </DisabledInPast>
        )
      }
    >
      {replacing ? (
        <KeyForm
          server={server}
          onDone={() => {
            setReplaced(true);
            setReplacing(false);
          }}
          onCancel={() => setReplacing(false)}
        />
      ) : (
        <Facts>
          <Fact label="Fingerprint">
            <CopyText value={key.fingerprint} />
          </Fact>
          <Fact label="Algorithm">{key.algorithm}</Fact>
          <Fact label="Set">
            <RelativeTime at={key.setAt} />
          </Fact>
        </Facts>
      )}
      <Note below role="status">
        {replaced && !replacing && 'The new key is used from the next connection on.'}
      </Note>
    </Card>
  );
};

/** A server's details, editable in place, with its set-up, health, host key and private key. */
import { servers } from '@quarterdeck/contract';
import { DEFAULT_PORT, serverEdit, serverKey } from '@quarterdeck/events/inputs';
import type { ServerView } from '@quarterdeck/projections';
import { useChange } from '../../core/calls';
import { By } from '../../records/actor';
import { RunningStates } from '../../records/verdicts';
import { CopyText } from '../../ui/CopyText';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { HealthCard } from './health/HealthCard';
import { HostKeyCard } from './HostKeyCard';
import { serverFields } from './server-fields';
import { SetUpCard } from './SetUpCard';
import type { SetUp } from './set-ups';
import { Columns, Stacked } from '../../ui/Columns';
import { Card } from '../../ui/Card';
import { Fact, Facts } from '../../ui/Facts';
import { Button } from '@mantine/core';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { keyFields } from '../../ui/form/key-fields';
import { withParams } from '../../ui/params';
import { RelativeTime } from '../../ui/RelativeTime';
import { Note } from '../../ui/Note';

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
    {(['host', 'port', 'username', 'root', 'path', 'nginxPath'] as const).map((name) => (
      <Fact key={name} label={serverFields.find((field) => field.name === name)?.label}>
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

/** Compares only the form's fields, because other changes, such as a pinned host key, also make a new revision. */
const sameFields = (a: ServerView, b: ServerView): boolean =>
  serverFields.every(({ name }) => a[name as keyof ServerView] === b[name as keyof ServerView]);

const EditForm = ({ server, onDone }: { server: ServerView; onDone: () => void }) => {
  const [update] = useChange(servers.update);
  const { opened, revision, touch } = useEditBase(server, sameFields);
  return (
    <ResourceForm
      label="Edit server"
      schema={serverEdit}
      fields={serverFields}
      initial={{ ...opened }}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async (data, { current }) => {
        const whole = { port: DEFAULT_PORT, ...data };
        await update({ id: server.id, data: whole, revision: revision(current) }).unwrap();
        toast.success(`${data.alias} was saved.`);
        onDone();
      }}
    />
  );
};

/** The private key used to sign in. Only its fingerprint is shown; the key can be replaced. */
const PrivateKeyCard = ({ server }: { server: ServerView }) => {
  const { id, alias, key } = server;
  const [params, setParams] = useSearchParams();
  const replacing = params.get('mode') === 'key';
  const [replaced, setReplaced] = useState(false);
  const [replace] = useChange(servers.replaceKey);
  const fields = useMemo(() => keyFields(key), [key]);
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
        <ResourceForm
          label="Replace private key"
          schema={serverKey}
          fields={fields}
          submitLabel="Replace private key"
          onCancel={() => setReplacing(false)}
          onSubmit={async (values) => {
            await replace({ id, ...values }).unwrap();
            setReplaced(true);
            toast.success(`The private key of ${alias} was replaced.`);
            setReplacing(false);
          }}
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

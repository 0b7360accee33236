/** The private key used to sign in. Only its fingerprint is shown; the key can be replaced. */
import { Button } from '@mantine/core';
import { servers } from '@quarterdeck/contract';
import { serverKey } from '@quarterdeck/events/inputs';
import type { ServerView } from '@quarterdeck/projections';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/past/in-past';
import { CopyText } from '../../ui/CopyText';
import { keyFields } from '../../ui/form/key-fields';
import { withParams } from '../../ui/params';
import { RelativeTime } from '../../ui/RelativeTime';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { Card } from '../../ui/Card';
import { Fact, Facts } from '../../ui/Facts';
import { Note } from '../../ui/Note';

export const PrivateKeyCard = ({ server }: { server: ServerView }) => {
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

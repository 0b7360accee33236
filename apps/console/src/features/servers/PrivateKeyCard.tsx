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
import classes from './servers.module.css';

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
    <section ref={card} className={classes.card} aria-label="Private key">
      <div className={classes.cardHead}>
        <h2>Private key</h2>
        {!replacing && (
          <DisabledInPast>
            <Button variant="default" onClick={() => setReplacing(true)}>
              Replace
            </Button>
          </DisabledInPast>
        )}
      </div>
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
        <dl className={classes.facts}>
          <dt>Fingerprint</dt>
          <dd>
            <CopyText value={key.fingerprint} />
          </dd>
          <dt>Algorithm</dt>
          <dd>{key.algorithm}</dd>
          <dt>Set</dt>
          <dd>
            <RelativeTime at={key.setAt} />
          </dd>
        </dl>
      )}
      <p className={classes.hint} role="status">
        {replaced && !replacing && 'The new key is used from the next connection on.'}
      </p>
    </section>
  );
};

/** One second factor: its name, when it was added and used, and its actions. */
import { Button, Group } from '@mantine/core';
import { secondFactors, type Answer } from '@quarterdeck/contract';
import { proofNames } from '@quarterdeck/events';
import { passkeyForm } from '@quarterdeck/events/inputs';
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { DisabledInPast } from '../../core/past/in-past';
import { withProof } from '../../records/second-factor/fresh-proof';
import { confirmAction } from '../../ui/confirm';
import { RelativeTime } from '../../ui/RelativeTime';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import styles from './Sessions.module.css';

interface FactorRowProps {
  factor: Answer<typeof secondFactors.list>['factors'][number];
  /** The workspace needs it. */
  keep: boolean;
  onFailure: (failure: { what: string; error: ApiError } | undefined) => void;
}

const icons = { totp: IconDeviceMobile, passkey: IconFingerprint } as const;
const fields = [{ name: 'name', label: 'Name', type: 'text', autoFocus: true }] as const;

export function FactorRow({ factor, keep, onFailure }: FactorRowProps) {
  const { id, kind, name, addedAt, lastUsedAt, elsewhere } = factor;
  const [removeFactor, { isLoading }] = useChange(secondFactors.remove);
  const [rename] = useChange(secondFactors.rename);
  const [naming, setNaming] = useState<{ name: string }>();
  const Shape = icons[kind];

  const remove = async (): Promise<void> => {
    const confirmed = await confirmAction({
      title: `Remove ${name}?`,
      body: `This ${proofNames[kind]} is no longer accepted. With the last second factor, the recovery codes go too.`,
      confirmLabel: 'Remove',
      danger: true,
    });
    if (!confirmed) return;
    onFailure(undefined);
    try {
      await withProof(() => removeFactor({ id }).unwrap());
      toast.success(`${name} was removed.`);
    } catch (thrown) {
      onFailure({ what: `${name} was not removed`, error: toApiError(thrown) });
    }
  };

  if (naming)
    return (
      <li className={styles.session}>
        <div className={styles.what}>
          <ResourceForm
            label={`Name of ${name}`}
            schema={passkeyForm}
            fields={fields}
            initial={naming}
            submitLabel="Save name"
            onCancel={() => setNaming(undefined)}
            onSubmit={async (values) => {
              await rename({ id, ...values }).unwrap();
              setNaming(undefined);
            }}
          />
        </div>
      </li>
    );
  return (
    <li className={styles.session}>
      <Shape size={20} stroke={1.5} aria-hidden />
      <div className={styles.what}>
        <strong>{name}</strong>
        <p className={styles.when}>
          {kind === 'totp' ? 'Authenticator app' : 'Passkey'}, added <RelativeTime at={addedAt} />
          {lastUsedAt !== undefined && (
            <>
              , last used <RelativeTime at={lastUsedAt} />
            </>
          )}
          {elsewhere !== undefined && <>. Works only at {elsewhere}.</>}
        </p>
      </div>
      <DisabledInPast>
        <Group gap="xs" className={styles.actions}>
          <Button variant="default" aria-label={`Rename ${name}`} onClick={() => setNaming({ name })}>
            Rename
          </Button>
          {!keep && (
            <Button
              variant="default"
              loading={isLoading}
              aria-label={`Remove ${name}`}
              onClick={() => void remove()}
            >
              Remove…
            </Button>
          )}
        </Group>
      </DisabledInPast>
    </li>
  );
}

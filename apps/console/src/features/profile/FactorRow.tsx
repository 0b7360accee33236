/** One second factor: its name, when it was added and used, and its actions. */
import { Box, Button, Group } from '@mantine/core';
import { secondFactors, type Answer } from '@quarterdeck/contract';
import { proofNames } from '@quarterdeck/events';
import { passkeyForm } from '@quarterdeck/events/inputs';
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { withProof } from '../../records/second-factor/fresh-proof';
import { RelativeTime } from '../../ui/RelativeTime';
import { ResourceForm } from '../../ui/ResourceForm';
import type { Act } from '../../ui/use-action';
import styles from './Sessions.module.css';
import look from '../../ui/look.module.css';
import { Note } from '../../ui/Note';

interface FactorRowProps {
  factor: Answer<typeof secondFactors.list>['factors'][number];
  /** The workspace needs it. */
  keep: boolean;
  act: Act;
}

const icons = { totp: IconDeviceMobile, passkey: IconFingerprint } as const;
const fields = [{ name: 'name', label: 'Name', type: 'text', autoFocus: true }] as const;

export function FactorRow({ factor, keep, act }: FactorRowProps) {
  const { id, kind, name, addedAt, lastUsedAt, elsewhere } = factor;
  const [removeFactor, { isLoading }] = useChange(secondFactors.remove);
  const [rename] = useChange(secondFactors.rename);
  const [naming, setNaming] = useState<{ name: string }>();
  const Shape = icons[kind];

  const remove = () =>
    act({
      ask: {
        title: `Remove ${name}?`,
        body: `This ${proofNames[kind]} is no longer accepted. With the last second factor, the recovery codes go too.`,
        confirmLabel: 'Remove',
        danger: true,
      },
      send: () => withProof(() => removeFactor({ id }).unwrap()),
      done: `${name} was removed.`,
      failed: `${name} was not removed`,
    });

  if (naming)
    return (
      <li className={styles.session}>
        <Box className={look.wrap} flex="1 1 200px" miw={0}>
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
        </Box>
      </li>
    );
  return (
    <li className={styles.session}>
      <Shape size={20} stroke={1.5} aria-hidden />
      <Box className={look.wrap} flex="1 1 200px" miw={0}>
        <strong>{name}</strong>
        <Note mt={2}>
          {kind === 'totp' ? 'Authenticator app' : 'Passkey'}, added <RelativeTime at={addedAt} />
          {lastUsedAt !== undefined && (
            <>
              , last used <RelativeTime at={lastUsedAt} />
            </>
          )}
          {elsewhere !== undefined && <>. Works only at {elsewhere}.</>}
        </Note>
      </Box>
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

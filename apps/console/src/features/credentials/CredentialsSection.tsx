/** The person's account at the source-code host: two values, and what the host reports about the token. */
import { Alert, Box, Button, Flex, Group, Tooltip } from '@mantine/core';
import { ghToken, ghUsername, storedToken } from '@quarterdeck/contract';
import type { CredentialKey } from '@quarterdeck/events';
import { credentialValue } from '@quarterdeck/events/inputs';
import type { CredentialValue, TokenValidity } from '@quarterdeck/projections';
import { useRef } from 'react';
import { useSearchParams } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { PresentOnly } from '../../core/as-of/in-past';
import { DataView } from '../../ui/DataView';
import { withParams } from '../../ui/params';
import { RelativeTime } from '../../ui/RelativeTime';
import { ResourceForm } from '../../ui/ResourceForm';
import { ActionFailure } from '../../records/runs';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import classes from './credentials.module.css';
import { Fact, Facts } from '../../ui/Facts';
import { Dim, Note } from '../../ui/Note';
import look from '../../ui/look.module.css';
import { Title } from '../../ui/heading';

const labels: Record<CredentialKey, string> = { 'gh-username': 'GH Username', 'gh-token': 'GH Token' };

export default function CredentialsSection() {
  return (
    <Box maw={640} mb={40}>
      <Title mb={8}>Source-code host</Title>
      <PresentOnly what="Your credentials">
        <Credentials />
      </PresentOnly>
    </Box>
  );
}

const Credentials = () => {
  const validity = useAnswer(storedToken.validity);
  return (
    <>
      <Note m="0 0 12px">
        Your own account for repositories and packages. The token needs the permissions ‘package:read’ and
        ‘repos’: at GitHub these are the scopes <code>read:packages</code> and <code>repo</code> of a classic
        token.{' '}
        {validity.data && (
          <a href={validity.data.tokenPage} target="_blank" rel="noreferrer">
            Open the token page of the source-code host
          </a>
        )}
      </Note>
      <Credential of="gh-username" />
      <Credential of="gh-token" />
      <DataView query={validity} what="Token">
        {(found) => <Validity validity={found} />}
      </DataView>
    </>
  );
};

const Credential = ({ of: key }: { of: CredentialKey }) => (
  <section className={classes.value} aria-label={labels[key]}>
    <DataView query={useAnswer(callsOf[key].get)} what={labels[key]}>
      {(value) => <Value of={key} value={value} />}
    </DataView>
  </section>
);

/** Shows one value and edits it in place; the URL holds the mode. */
const Value = ({ of: key, value: stored }: { of: CredentialKey; value: CredentialValue }) => {
  const [params, setParams] = useSearchParams();
  const [remove] = useChange(callsOf[key].delete);
  const { act, busy, failure, dismiss } = useAction();
  const [store] = useChange(callsOf[key].update);
  const edit = useRef<HTMLButtonElement>(null);
  const label = labels[key];
  const setEditing = (to: boolean) =>
    setParams((before) => withParams(before, { mode: to ? key : undefined }), { preventScrollReset: true });

  const onDelete = async (): Promise<void> => {
    const deleted = await act({
      ask: {
        title: `Delete ${label}`,
        body: 'Are you sure you would like to delete this value?',
        confirmLabel: 'Delete',
        danger: true,
      },
      send: () => remove().unwrap(),
      done: `${label} was deleted.`,
      failed: `${label} was not deleted`,
    });
    if (deleted) edit.current?.focus();
  };

  if (params.get('mode') === key)
    return (
      <ResourceForm
        label={label}
        schema={credentialValue[key]}
        fields={[
          {
            name: 'value',
            label,
            type: key === 'gh-token' ? 'secret' : 'text',
            placeholder: 'Add Value here',
            mono: true,
          },
        ]}
        {...(key === 'gh-username' && { initial: { value: stored.value } })}
        submitLabel="Save"
        onCancel={() => setEditing(false)}
        onSubmit={async ({ value }) => {
          await store({ value }).unwrap();
          toast.success(`${label} was saved.`);
          setEditing(false);
        }}
      />
    );
  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      <div className={classes.row}>
        <Title least={3} fz={13}>
          {label}
        </Title>
        <Group component="span" className={`${look.wrap} ${classes.shown}`} gap="0 12px" miw={0}>
          {stored.value === '' ? <Dim>Not set</Dim> : <code>{stored.value}</code>}
          {stored.storedAt && (
            <Dim>
              set <RelativeTime at={stored.storedAt} />
              {stored.fingerprint && (
                <>
                  , <code>{stored.fingerprint}</code>
                </>
              )}
            </Dim>
          )}
        </Group>
        <Flex component="span" gap={8}>
          <Button ref={edit} variant="default" aria-label={`Edit ${label}`} onClick={() => setEditing(true)}>
            Edit
          </Button>
          <Tooltip label="There is no value to delete" disabled={stored.value !== ''}>
            <Button
              variant="default"
              aria-label={`Delete ${label}`}
              data-disabled={stored.value === '' || undefined}
              aria-disabled={stored.value === '' || undefined}
              loading={busy}
              onClick={() => stored.value !== '' && void onDelete()}
            >
              Delete
            </Button>
          </Tooltip>
        </Flex>
      </div>
    </>
  );
};

const dayOf = (instant: string): string => instant.slice(0, 10);

const expiryInWords = ({ expirationDate, daysLeft = 0, dateValid }: TokenValidity): string => {
  if (expirationDate === null) return dateValid === true ? 'Never' : 'Not known';
  if (dateValid === false) return dayOf(expirationDate);
  return `${dayOf(expirationDate)}, ${daysLeft === 1 ? '1 day' : `${daysLeft} days`} left`;
};

const Validity = ({ validity }: { validity: TokenValidity }) => {
  const { warnings, notes, scopes, checkedAt } = validity;
  return (
    <>
      {warnings.length > 0 && (
        <Alert color="yellow" variant="light" role="status" mb="md">
          {warnings.map((warning) => (
            <div key={warning}>{warning}</div>
          ))}
        </Alert>
      )}
      {notes.map((note) => (
        <Note key={note} m="0 0 12px" role="status">
          {note}
        </Note>
      ))}
      {checkedAt && (
        <Facts label="Token" pt="sm">
          <Fact label="Scopes">{scopes.length > 0 ? <code>{scopes.join(', ')}</code> : 'None reported'}</Fact>
          <Fact label="Expires">{expiryInWords(validity)}</Fact>
          <Fact label="Checked">
            <RelativeTime at={checkedAt} />
          </Fact>
        </Facts>
      )}
    </>
  );
};

/** The calls for each of the two values, by key. */
const callsOf = { 'gh-username': ghUsername, 'gh-token': ghToken } satisfies Record<CredentialKey, unknown>;

/** Adds a DNS record and shows progress and result, or says why no record can be added. */
import { Alert, Button, Group } from '@mantine/core';
import { dns, workspaces } from '@quarterdeck/contract';
import { IconAlertCircle, IconCircleCheck, IconPlus } from '@tabler/icons-react';
import { useAnswer, useChange } from '../../../core/calls';
import { DisabledInPast } from '../../../core/as-of/in-past';
import { toApiError } from '../../../core/http';
import { Action } from '../../../ui/Action';
import { confirmAction } from '../../../ui/confirm';
import { StateBadge } from '../../../ui/StateBadge';
import { recordParts } from './dns-rules';
import { Dim, Note } from '../../../ui/Note';

interface AddRecordProps {
  serverName: string;
  /** Alias of the server that the name should point to. */
  alias: string;
  /** The server's IPv4 address. */
  ip: string | undefined;
  /** The addresses in the current DNS answer. */
  found: readonly string[];
  /** Whether DNS points elsewhere or nowhere. If not, only a record added here is reported. */
  differs: boolean;
  onAdded: () => void;
}

export const AddRecord = ({ serverName, alias, ip, found, differs, onAdded }: AddRecordProps) => {
  const { data: workspace } = useAnswer(workspaces.detail);
  const [add, { data: added, error, isLoading }] = useChange(dns.addHost);
  if (!workspace || (!differs && !added)) return null;
  const record = recordParts(serverName, workspace.dns);
  if ('why' in record) return <Note below>{record.why}</Note>;
  if (ip === undefined)
    return <Note below>The host of {alias} has no IPv4 address that a record could name.</Note>;
  if (added)
    return (
      <Note below role="status">
        <StateBadge state="added" tone="good" icon={IconCircleCheck} label="DNS added" />{' '}
        {added.added ? `${serverName} now points to ${ip}.` : `${serverName} already points to ${ip}.`} It may
        take some minutes to reach every resolver. Check again later.
      </Note>
    );
  const { parts } = record;
  const send = async (replace: boolean): Promise<void> => {
    const answer = await add({ ...parts, ip, ...(replace && { replace }) });
    if (!answer.error) onAdded();
  };
  const now = found.join(', ');
  const onReplace = async (): Promise<void> => {
    const sure = await confirmAction({
      title: `Replace the record of ${serverName}?`,
      body: `${now === '' ? '' : `Now: ${serverName} → ${now}. `}Then: ${serverName} → ${ip} (${alias}).`,
      confirmLabel: 'Replace record',
      danger: true,
    });
    if (sure) await send(true);
  };
  const failed = error === undefined ? undefined : toApiError(error);
  return (
    <>
      {failed && (
        <Alert
          role="alert"
          color="red"
          variant="light"
          mt="sm"
          icon={<IconAlertCircle size={18} aria-hidden />}
          title="DNS was not added"
        >
          {failed.msg}
        </Alert>
      )}
      <Group gap="6px 12px" mt={12}>
        <DisabledInPast>
          <Action icon={IconPlus} variant="default" loading={isLoading} does={() => send(false)}>
            add DNS
          </Action>
        </DisabledInPast>
        {failed?.status === 409 && (
          <DisabledInPast>
            <Button
              variant="default"
              disabled={isLoading}
              title={isLoading ? 'It is being added' : undefined}
              onClick={() => void onReplace()}
            >
              Replace the record
            </Button>
          </DisabledInPast>
        )}
        <Dim>
          {now === '' ? `Adds ${serverName} → ${ip} to the zone.` : `Now: ${now}. With the record: ${ip}.`}
        </Dim>
      </Group>
    </>
  );
};

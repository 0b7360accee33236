/** All records of a domain at the provider, to add, change and remove them. */
import { Button, Group } from '@mantine/core';
import { cloud, type Answer } from '@quarterdeck/contract';
import { cloudRecord } from '@quarterdeck/events/inputs';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { DataView } from '../../ui/DataView';
import { valueAt } from '../../ui/form/values';
import { Note } from '../../ui/Note';
import { PlainTable } from '../../ui/PlainTable';
import type { Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';
import { FormDialog } from './FormDialog';
import look from '../../ui/look.module.css';

type ZoneRecord = Answer<typeof cloud.recordList>[number];

const TYPES = ['A', 'AAAA', 'CNAME', 'TXT', 'MX'] as const;
const isChangeable = ({ type }: ZoneRecord): boolean => (TYPES as readonly string[]).includes(type);

const TTL = 1800;
const MX_PRIORITY = 10;

export const Records = ({ domain }: { domain: string }) => {
  const query = useAnswer(cloud.recordList, { domain }, { refetchOnMountOrArgChange: true });
  /** The record being changed, or `new`. */
  const [asked, ask] = useState<ZoneRecord | 'new'>();
  const [deleteOne] = useChange(cloud.recordDelete);
  const { act, busyWith, failure, dismiss } = useAction();
  const remove = ({ record, type, host, data }: ZoneRecord) =>
    act({
      ask: {
        title: `Remove ${type} ${host}?`,
        body: `${host} no longer has the ${type} record ${data}. Whoever asked before may know it until its TTL is over.`,
        confirmLabel: 'Remove record',
        danger: true,
      },
      send: () => deleteOne({ domain, record }).unwrap(),
      done: `${type} ${host} was removed.`,
      failed: `${type} ${host} could not be removed`,
      row: String(record),
    });
  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      {asked !== undefined && (
        <RecordDialog
          domain={domain}
          record={asked === 'new' ? undefined : asked}
          onClose={() => ask(undefined)}
        />
      )}
      <DisabledInPast>
        <Action icon={IconPlus} variant="default" size="compact-sm" mb={8} does={() => ask('new')}>
          Add a record
        </Action>
      </DisabledInPast>
      <DataView query={query} what="Records">
        {(records) =>
          records.length === 0 ? (
            <Note>No records yet.</Note>
          ) : (
            <PlainTable label={`Records of ${domain}`}>
              <thead>
                <tr>
                  <th>Host</th>
                  <th>TTL</th>
                  <th>Type</th>
                  <th>Value</th>
                  <th data-numeric>Actions</th>
                </tr>
              </thead>
              <tbody>
                {records.map((record) => (
                  <tr key={record.record}>
                    <td className={look.mono}>{record.host}</td>
                    <td className={look.mono}>{record.ttl}</td>
                    <td className={look.mono}>{record.type}</td>
                    <td className={`${look.mono} ${look.wrap}`}>
                      {record.priority === undefined || record.type !== 'MX' ? '' : `${record.priority} `}
                      {record.data}
                    </td>
                    <td>
                      {isChangeable(record) && (
                        <DisabledInPast>
                          <Group gap={8} wrap="nowrap" justify="flex-end">
                            <Button
                              size="compact-sm"
                              variant="default"
                              aria-label={`Change ${record.type} ${record.host}`}
                              onClick={() => ask(record)}
                            >
                              Change
                            </Button>
                            <Button
                              size="compact-sm"
                              variant="light"
                              color="red"
                              aria-label={`Remove ${record.type} ${record.host}`}
                              loading={busyWith.includes(String(record.record))}
                              onClick={() => void remove(record)}
                            >
                              Remove
                            </Button>
                          </Group>
                        </DisabledInPast>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
          )
        }
      </DataView>
    </>
  );
};

const fields: readonly Field[] = [
  {
    name: 'type',
    label: 'Type',
    type: 'select',
    half: true,
    options: TYPES.map((value) => ({ value, label: value })),
  },
  {
    name: 'name',
    label: 'Name',
    type: 'text',
    mono: true,
    half: true,
    help: 'Below the domain, such as shop; @ for the domain itself.',
  },
  { name: 'data', label: 'Value', type: 'text', mono: true },
  { name: 'ttl', label: 'TTL', type: 'number', half: true, help: 'In seconds.' },
  {
    name: 'priority',
    label: 'Priority',
    type: 'number',
    half: true,
    optional: true,
    when: (draft) => valueAt(draft, 'type') === 'MX',
  },
];
const RecordDialog = ({
  domain,
  record: known,
  onClose,
}: {
  domain: string;
  record: ZoneRecord | undefined;
  onClose: () => void;
}) => {
  const [insert] = useChange(cloud.recordInsert);
  const [update] = useChange(cloud.recordUpdate);
  const initial = useMemo(
    () =>
      known === undefined
        ? { type: 'A', name: '', data: '', ttl: TTL, priority: MX_PRIORITY }
        : { ...known, priority: known.priority ?? MX_PRIORITY },
    [known],
  );
  return (
    <FormDialog
      title={known ? `Change ${known.type} ${known.host}` : `Add a record to ${domain}`}
      schema={cloudRecord}
      fields={fields}
      initial={initial}
      submitLabel={known ? 'Change record' : 'Add record'}
      onClose={onClose}
      onSubmit={async (values) => {
        const { type, host } = await (
          known ? update({ domain, record: known.record, ...values }) : insert({ domain, ...values })
        ).unwrap();
        toast.success(`${type} ${host} was ${known ? 'changed' : 'added'}.`);
        onClose();
      }}
    />
  );
};

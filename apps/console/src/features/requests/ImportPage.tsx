/** Imports requests from a pasted curl command or an OpenAPI document, after a preview. */
import { Button, Group, NativeSelect, SegmentedControl, Textarea } from '@mantine/core';
import { callsOf, requests, type Answer } from '@quarterdeck/contract';
import { requestCollection } from '@quarterdeck/events';
import { IconEye, IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer, useAsk, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { ActionFailure } from '../../records/runs';
import { Section } from '../../ui/Card';
import { count } from '../../ui/count';
import { Stacked } from '../../ui/Columns';
import { Mono, Note } from '../../ui/Note';
import { PageHeader } from '../../ui/PageHeader';
import { PlainTable } from '../../ui/PlainTable';
import { useAction } from '../../ui/use-action';

type Preview = Answer<typeof requests.preview>;

const sources = [
  { value: 'curl', label: 'curl command' },
  { value: 'openapi', label: 'OpenAPI 3' },
];
const placeholders = {
  curl: `curl 'https://api.example.com/orders' -H 'accept: application/json'`,
  openapi: 'openapi: 3.1.0',
};

export const ImportPage = () => {
  const [source, setSource] = useState<'curl' | 'openapi'>('curl');
  const [text, setText] = useState('');
  const [found, setFound] = useState<Preview>();
  const [look] = useAsk(requests.preview);
  const [add] = useChange(requests.import);
  const { data: collections = [] } = useAnswer(callsOf(requestCollection).list, {});
  const [collection, setCollection] = useState('');
  const { act, busy, failure, dismiss } = useAction();
  const message = failure?.error.data?.['text'];
  const preview = () =>
    act({
      send: () => look({ source, text }).unwrap(),
      done: setFound,
      failed: 'Nothing can be imported from this',
    });
  const accept = (all: Preview) =>
    act({
      send: () =>
        add({
          requests: all.requests,
          ...(collection !== '' && { collection: { id: collection } }),
        }).unwrap(),
      done: `${count(all.requests.length, 'request')} imported.`,
      failed: 'The requests could not be imported',
      to: paths.requests(),
    });
  const change = (next: () => void): void => {
    next();
    setFound(undefined);
    dismiss();
  };
  return (
    <>
      <PageHeader
        title="Import requests"
        description={
          <>
            Nothing is added before you have seen it. <Link to={paths.requests()}>Back to the list</Link>
          </>
        }
      />
      <Stacked gap={12}>
        <SegmentedControl
          aria-label="Import from"
          data={sources}
          value={source}
          onChange={(value) => change(() => setSource(value as 'curl' | 'openapi'))}
        />
        <Textarea
          label={source === 'curl' ? 'Command' : 'Document'}
          placeholder={placeholders[source]}
          value={text}
          onChange={({ currentTarget: { value } }) => change(() => setText(value))}
          error={message}
          rows={10}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        {collections.length > 0 && (
          <NativeSelect
            label="Collection"
            description="The requests are added to it. You can change that later."
            maw={360}
            value={collection}
            onChange={({ currentTarget }) => setCollection(currentTarget.value)}
            data={[
              { value: '', label: 'None' },
              ...collections.map(({ id, name }) => ({ value: id, label: String(name) })),
            ]}
          />
        )}
        <Group>
          <Button
            variant={found ? 'default' : 'filled'}
            loading={busy && !found}
            disabled={text.trim() === ''}
            onClick={() => void preview()}
            leftSection={<IconEye size={16} aria-hidden />}
          >
            Preview
          </Button>
          {found && (
            <DisabledInPast>
              <Button
                loading={busy}
                onClick={() => void accept(found)}
                leftSection={<IconFileImport size={16} aria-hidden />}
              >
                Import {count(found.requests.length, 'request')}
              </Button>
            </DisabledInPast>
          )}
        </Group>
        {failure && message === undefined && <ActionFailure failure={failure} onClose={dismiss} />}
      </Stacked>
      {found && <Found found={found} />}
    </>
  );
};

const Found = ({ found: { requests: all, notes } }: { found: Preview }) => (
  <Section title="Preview" mt={24}>
    {notes.map((note) => (
      <Note key={note} mb={8}>
        {note}
      </Note>
    ))}
    <PlainTable label="Requests to import">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Method</th>
          <th scope="col">Host</th>
          <th scope="col">Path</th>
          <th scope="col">Parameters</th>
        </tr>
      </thead>
      <tbody>
        {all.map(({ name, method, host = '', url = '', params }, at) => (
          <tr key={`${at} ${name}`}>
            <th scope="row">{name}</th>
            <td>
              <Mono>{method}</Mono>
            </td>
            <td>
              <Mono>{host}</Mono>
            </td>
            <td>
              <Mono>{url}</Mono>
            </td>
            <td>
              <Mono>{params.map((param) => param.name).join(', ')}</Mono>
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  </Section>
);

/** An answer beside an earlier or later one: headers and body line by line, and JSON field by field. */
import { NativeSelect } from '@mantine/core';
import { requestLogs, requests, type RequestAnswer } from '@quarterdeck/contract';
import { useMemo, useState } from 'react';
import { useAnswer } from '../../core/calls';
import { Section } from '../../ui/Card';
import { count } from '../../ui/count';
import { DataView } from '../../ui/DataView';
import { LineDiff } from '../../ui/line-diff';
import { Loading } from '../../ui/Loading';
import { Mono, Note } from '../../ui/Note';
import { PlainTable } from '../../ui/PlainTable';
import { bytesOf, formsOf, hexOf, textIn } from './body-forms';
import type { FieldChange } from './json-fields';
import { useComparedBodies } from './use-compared-bodies';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

interface Lines {
  bytes: Uint8Array;
  /** Status, headers and the beginning of the body, with JSON on a line for each value. */
  text: string;
  isCut: boolean;
}

const linesOf = ({ status, statusText, headers, body = '' }: RequestAnswer): Lines => {
  const bytes = bytesOf(body);
  const isText = formsOf(bytes, '').includes('text');
  const { text, isCut } = isText ? textIn(bytes) : hexOf(bytes);
  const json = isText ? parsed(text) : undefined;
  const head = [`${status} ${statusText}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const lines = json === undefined ? text : JSON.stringify(json, null, 2);
  return { bytes, isCut, text: `${head.join('\n')}\n\n${lines}\n` };
};

export const CompareAnswers = ({ request, answer }: { request: string; answer: RequestAnswer }) => {
  const { data: logs = [] } = useAnswer(requestLogs.list, { id: request });
  const others = logs.filter(({ id }) => id !== answer.run);
  const [chosen, choose] = useState('');
  const query = useAnswer(requests.answer, { run: chosen }, { skip: chosen === '' });
  if (others.length === 0) return null;
  const options = others.map(({ id, logDateAdded, status }) => ({
    value: id,
    label: `${new Date(logDateAdded).toLocaleString()} (${status})`,
  }));
  return (
    <Section title="Compare" mt={24}>
      <NativeSelect
        label="Compare with the answer of"
        maw={360}
        mb={12}
        value={chosen}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[{ value: '', label: 'Choose an answer' }, ...options]}
      />
      {chosen !== '' && (
        <DataView query={query} what="Answer">
          {(other) => <Difference before={other} after={answer} />}
        </DataView>
      )}
    </Section>
  );
};

const Difference = ({ before, after }: { before: RequestAnswer; after: RequestAnswer }) => {
  const one = useMemo(() => linesOf(before), [before]);
  const other = useMemo(() => linesOf(after), [after]);
  return (
    <>
      <Fields before={one.bytes} after={other.bytes} />
      <LineDiff
        before={one.text}
        after={other.text}
        label="Difference of the answers"
        same={one.isCut || other.isCut ? 'The beginnings are the same.' : 'Both answers are the same.'}
        sides={{ before: 'Other answer', after: 'This answer' }}
      />
      {(one.isCut || other.isCut) && (
        <Note below>Only the beginning of the body is compared line by line.</Note>
      )}
    </>
  );
};

const Fields = ({ before, after }: { before: Uint8Array; after: Uint8Array }) => {
  const told = useComparedBodies(before, after);
  if (!told) return <Loading label="Comparing fields" />;
  if (told.is === 'no JSON') return null;
  const { changes, count: all, isCut } = told;
  const more = all - changes.length;
  return (
    <>
      {all === 0 ? <Note mb={12}>No field of the body differs.</Note> : <Changes changes={changes} />}
      {more > 0 && <Note mb={12}>{count(more, 'more field')} differ.</Note>}
      {isCut && <Note mb={12}>The bodies have more fields than are compared.</Note>}
    </>
  );
};

const Changes = ({ changes }: { changes: readonly FieldChange[] }) => (
  <PlainTable label="Changed fields" mb={12}>
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Other answer</th>
        <th scope="col">This answer</th>
      </tr>
    </thead>
    <tbody>
      {changes.map(({ path, before, after }) => (
        <tr key={path}>
          <th scope="row">
            <Mono>{path === '' ? '(the whole)' : path}</Mono>
          </th>
          <td>
            <Mono>{before ?? 'missing'}</Mono>
          </td>
          <td>
            <Mono>{after ?? 'missing'}</Mono>
          </td>
        </tr>
      ))}
    </tbody>
  </PlainTable>
);

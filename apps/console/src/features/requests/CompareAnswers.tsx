/** An answer beside an earlier or later one: headers and body line by line, and JSON field by field. */
import { NativeSelect } from '@mantine/core';
import { requestLogs, requests, type RequestAnswer } from '@quarterdeck/contract';
import { useMemo, useState } from 'react';
import { useAnswer } from '../../core/calls';
import { Section } from '../../ui/Card';
import { DataView } from '../../ui/DataView';
import { LineDiff } from '../../ui/line-diff';
import { Mono, Note } from '../../ui/Note';
import { PlainTable } from '../../ui/PlainTable';
import { bytesOf, textIn } from './body-forms';
import { changedFields, type FieldChange } from './json-fields';

const MAX_SHOWN = 200;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Status, headers and body, with JSON on a line for each value. */
const linesOf = ({
  status,
  statusText,
  headers,
  body = '',
}: RequestAnswer): { text: string; json: unknown } => {
  const { text } = textIn(bytesOf(body));
  const json = parsed(text);
  const head = [`${status} ${statusText}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return {
    json,
    text: `${head.join('\n')}\n\n${json === undefined ? text : JSON.stringify(json, null, 2)}\n`,
  };
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
  const [one, other] = useMemo(() => [linesOf(before), linesOf(after)], [before, after]);
  const isJson = one.json !== undefined && other.json !== undefined;
  const changes = useMemo(() => (isJson ? changedFields(one.json, other.json) : []), [isJson, one, other]);
  return (
    <>
      {isJson && <Fields changes={changes} />}
      <LineDiff
        before={one.text}
        after={other.text}
        label="Difference of the answers"
        same="Both answers are the same."
        sides={{ before: 'Other answer', after: 'This answer' }}
      />
    </>
  );
};

const Fields = ({ changes }: { changes: readonly FieldChange[] }) =>
  changes.length === 0 ? (
    <Note mb={12}>No field of the body differs.</Note>
  ) : (
    <>
      <PlainTable label="Changed fields" mb={12}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Other answer</th>
            <th scope="col">This answer</th>
          </tr>
        </thead>
        <tbody>
          {changes.slice(0, MAX_SHOWN).map(({ path, before, after }) => (
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
      {changes.length > MAX_SHOWN && <Note mb={12}>{changes.length - MAX_SHOWN} more fields differ.</Note>}
    </>
  );

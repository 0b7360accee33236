/** Sends a request to an endpoint as somebody with a permission, and shows the answer. */
import { NativeSelect, TextInput } from '@mantine/core';
import { parametersIn, parametersOf, type ApiModel, type BodyShape, type Endpoint } from '@quarterdeck/api';
import { apiInstances, type TriedEndpoint } from '@quarterdeck/contract';
import { endpointActors } from '@quarterdeck/events';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useChange } from '../../core/calls';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';
import { jsonIn } from '../../ui/form/json-text';
import { InstantInput } from '../../ui/InstantInput';
import { Note, TextBlock } from '../../ui/Note';
import { durationInWords } from '../../ui/RelativeTime';
import { useAction } from '../../ui/use-action';
import type { EndpointView, InstanceView } from './instance-view';
import { JsonInput } from './JsonInput';
import { useApiModel } from './use-api-model';

type Actor = (typeof endpointActors)[number];
type Texts = Readonly<Record<string, string>>;

const EMPTY = { Int: 0, Double: 0, Boolean: false, JSON: null } as const;

/** A body with each field of the shape. */
const bodyOf = (shape: BodyShape): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, { type, list, shape: inner = {} }]) => {
      const one = type === 'Object' ? bodyOf(inner) : type in EMPTY ? EMPTY[type as keyof typeof EMPTY] : '';
      return [name, list ? [one] : one];
    }),
  );

/** A snippet may call blocks that write. */
const mayChangeRows = ({ blocks }: Endpoint): boolean =>
  blocks.some(({ type }) => type !== 'list' && type !== 'detail');

/** Broken JSON of an endpoint that has a problem is not looked at. */
const queryNames = (
  endpoint: Endpoint,
  model: ApiModel | undefined,
): { name: string; isRequired: boolean }[] => {
  if (!model) return [];
  try {
    return [...parametersIn(endpoint, model)].flatMap(([place, one]) =>
      place.startsWith('query.') ? [one] : [],
    );
  } catch {
    return [];
  }
};

const pretty = (text: string): string => {
  const value = jsonIn(text);
  return value === undefined ? text : JSON.stringify(value, undefined, 2);
};

const Answer = ({ of: { status, headers, body, isCut, ms } }: { of: TriedEndpoint }) => (
  <Section title={`Answer: ${status} in ${durationInWords(ms)}`} mt={24}>
    <Note mb={12}>
      {Object.entries(headers)
        .map((pair) => pair.join(': '))
        .join(', ')}
    </Note>
    {isCut && <Note mb={12}>Only the beginning is shown.</Note>}
    <TextBlock>{isCut ? body : pretty(body)}</TextBlock>
  </Section>
);

const Inputs = ({
  names,
  values,
  onChange,
}: {
  names: readonly { name: string; isRequired: boolean }[];
  values: Texts;
  onChange: (values: Texts) => void;
}) => (
  <>
    {names.map(({ name, isRequired }) => (
      <TextInput
        key={name}
        label={name}
        withAsterisk={isRequired}
        autoComplete="off"
        value={values[name] ?? ''}
        onChange={({ currentTarget }) => onChange({ ...values, [name]: currentTarget.value })}
      />
    ))}
  </>
);

const filled = (values: Texts): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

export const TryTab = ({ instance, view }: { instance: InstanceView; view: EndpointView }) => {
  const one = view as unknown as Endpoint;
  const model = useApiModel(instance);
  const [send] = useChange(apiInstances.try);
  const { act, busy, failure, dismiss } = useAction();
  const [as, setAs] = useState<Actor>((one.permissions?.[0] as Actor | undefined) ?? 'nobody');
  const [params, setParams] = useState<Texts>({});
  const [query, setQuery] = useState<Texts>({});
  const [body, setBody] = useState(one.bodyShape ? JSON.stringify(bodyOf(one.bodyShape), undefined, 2) : '');
  const [answer, setAnswer] = useState<TriedEndpoint>();
  const takesBody = one.method === 'POST' || one.method === 'PUT' || one.bodyShape != null;
  const isWrong = takesBody && body.trim() !== '' && jsonIn(body) === undefined;
  const past = useAsOf();
  const [chosen, choose] = useState<string>();
  const at = past ?? chosen;
  const changes = at === undefined && mayChangeRows(one);
  const request = () =>
    act({
      ...(changes && {
        ask: {
          title: `Send ${one.method} ${one.path}?`,
          body: 'It may change rows in the database of this environment. That you sent it is recorded, without its values.',
          confirmLabel: 'Send request',
          danger: true,
        },
      }),
      send: () =>
        send({
          instance: { uuid: instance.id },
          endpoint: { uuid: view.id },
          as,
          ...(at !== undefined && { at }),
          params: filled(params),
          query: filled(query),
          ...(takesBody && body.trim() !== '' && { body: jsonIn(body) }),
        }).unwrap(),
      done: setAnswer,
      failed: 'The request could not be sent',
    });
  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      <Section title="Request" maw={640}>
        <Stacked gap={12}>
          <NativeSelect
            label="Act as"
            value={as}
            data={[...endpointActors]}
            onChange={({ currentTarget }) => setAs(currentTarget.value as Actor)}
          />
          {past === undefined ? (
            <InstantInput label="As it was at" empty="as it is now" value={chosen} onChange={choose} />
          ) : (
            <Note>The definition of the instant that this page shows answers.</Note>
          )}
          {at !== undefined && <Note>It answers with the rows of today, and only if it reads.</Note>}
          <Inputs
            names={parametersOf(one.path).map((name) => ({ name, isRequired: true }))}
            values={params}
            onChange={setParams}
          />
          <Inputs names={queryNames(one, model)} values={query} onChange={setQuery} />
          {takesBody && (
            <JsonInput
              label="Body"
              rows={6}
              names={[]}
              value={body}
              error={isWrong ? 'Not JSON' : undefined}
              onChange={setBody}
            />
          )}
          <div>
            <Action icon={IconSend} loading={busy} disabled={isWrong} does={request}>
              Send request
            </Action>
          </div>
        </Stacked>
      </Section>
      {answer && <Answer of={answer} />}
    </>
  );
};

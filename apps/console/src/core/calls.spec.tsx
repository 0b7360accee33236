import { auth, instants, scripts } from '@quarterdeck/contract';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith } from '../testing/network';
import { renderRoutes } from '../testing/render';
import { ask, requestOf, send, useAnswer, useChange } from './calls';
import { instantChosen } from './as-of/as-of-state';

const ID = '0193f0a0-0000-7000-8000-0000000000ff';

const List = ({ label }: { label: string }) => {
  const { data } = useAnswer(scripts.list);
  return <p>{`${label}: ${data?.map(({ name }) => name).join(', ') ?? '…'}`}</p>;
};

const Detail = () => {
  const { data } = useAnswer(scripts.detail, { id: ID });
  const [remove] = useChange(scripts.delete);
  return <button onClick={() => void remove({ id: ID, name: 'a' }).unwrap()}>{data?.name ?? '…'}</button>;
};

const open = async () => {
  const network = answerWith({
    'POST /api/script/list': { body: [{ name: 'a' }] },
    'POST /api/script/detail': { body: { name: 'a' } },
    'POST /api/script/delete': { body: { id: ID, uuid: ID } },
  });
  const element = (
    <>
      <List label="here" />
      <List label="there" />
      <Detail />
    </>
  );
  renderRoutes([{ path: '/', element }], { at: '/' });
  await screen.findByText('here: a');
  await screen.findByRole('button', { name: 'a' });
  const asked = (call: string) => network.calls.filter(({ path }) => path === `/api/script/${call}`).length;
  return { ...network, asked };
};

test('the same question is asked once, however many components use the answer', async () => {
  const { asked } = await open();
  expect(screen.getByText('there: a')).toBeVisible();
  expect(asked('list')).toBe(1);
});

test('a change makes the list and the row with its id stale', async () => {
  const { asked } = await open();
  await userEvent.click(screen.getByRole('button', { name: 'a' }));
  await waitFor(() => expect([asked('delete'), asked('list'), asked('detail')]).toEqual([1, 2, 2]));
});

test('path parameters come from the input, and a GET sends the rest in its query string', () => {
  const sso = { path: 'auth/sso/:provider/url', method: 'GET' } as const;
  const input = { provider: 'git/hub', instance: 'a b', unset: undefined };
  expect(requestOf(sso, input)).toEqual({
    url: '/auth/sso/git%2Fhub/url?instance=a+b',
    method: 'GET',
  });
  expect(requestOf(scripts.list, undefined)).toEqual({
    url: '/script/list',
    method: 'POST',
    past: 'asOf',
    body: {},
  });
});

test('in the past, the contract decides whether a call sends the instant, omits it, or is refused', async () => {
  const { calls } = answerWith({});
  const { store, router } = renderRoutes([{ path: '*', element: <p>Page</p> }], { at: '/' });
  store.dispatch(instantChosen({ at: '41' }));
  await store.dispatch(ask(scripts.detail, { id: ID }));
  await store.dispatch(ask(instants.timeline, {}));
  await store.dispatch(send(auth.signOut, {}));
  expect(calls.map(({ path, headers }) => [path, headers.get('x-at')])).toEqual([
    ['/api/script/detail', '41'],
    ['/api/moment/timeline', null],
    ['/api/auth/logout', null],
  ]);
  const { error } = await store.dispatch(send(scripts.delete, { id: ID }));
  expect(error?.msg).toMatch(/^The past is read-only/);
  expect(calls.filter(({ path }) => path === '/api/script/delete')).toEqual([]);
  router.dispose();
});

/** Checked by the compiler, never rendered. */
const DoesNotCompile = () => {
  const one = useAnswer(scripts.detail, { id: ID });
  // @ts-expect-error no such field
  void one.data?.nome;
  // @ts-expect-error a detail needs its id
  useAnswer(scripts.detail);
  // @ts-expect-error a change is not a read
  useAnswer(scripts.insert, {});
  const [add] = useChange(scripts.insert);
  // @ts-expect-error the script is incomplete
  return <button onClick={() => void add({ name: 'a' })} />;
};

test('wrong uses of the hooks do not compile', () => {
  expect(DoesNotCompile).toBeInstanceOf(Function);
});

test('a malformed id is reported as "not found", like an id that does not exist', async () => {
  answerWith({
    'POST /api/script/detail': {
      status: 400,
      body: { msg: 'this input is invalid', data: { id: 'a uuid is expected' } },
    },
  });
  const { store } = renderRoutes([{ path: '/', element: <p>Page</p> }], { at: '/' });
  const { error } = await act(() => store.dispatch(ask(scripts.detail, { id: 'nonsense' })));
  expect(error).toMatchObject({ status: 404, msg: 'script could not be found' });
});

/** covers: ENV-01 */
import { given, meta } from '../platform/decisions/decider-testing';
import { foldEvents } from '../platform/decider';
import {
  AddVariable,
  importChanges,
  ImportVariables,
  RemoveVariable,
  RestoreVariables,
  ReviseVariable,
  ShowVariables,
  variablesDecider,
  type Variable,
  type VariableEvent,
} from './variables.decider';

const id = '0193f0a0-0000-7000-8000-000000000001';
const service = 'shop-api';
const uuid = (n: number) => `0193f0a0-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`;
const plain = (n: number, key: string, value: string, env = 1): Variable => ({
  id: uuid(n),
  env,
  key,
  value,
  fingerprint: `print of ${value}`,
});
const secret = (n: number, key: string, ref: number, env = 1): Variable => ({
  id: uuid(n),
  env,
  key,
  secret: { ref: uuid(ref) },
  fingerprint: `print of ${ref}`,
});
const added = (variable: Variable): VariableEvent => ({ type: 'VariableAdded', data: { service, variable } });
const which = ({ id: own, env, key }: Variable) => ({ id: own, env, key });

const level = plain(11, 'LOG_LEVEL', 'info');
const token = secret(12, 'TOKEN', 81);

describe('the variables of a service', () => {
  test('are added once, each name once in an environment', () => {
    const add = (variable: Variable) => new AddVariable(id, { service, variable }, meta);
    given(variablesDecider, [])
      .when(add(level))
      .then([added(level)]);
    given(variablesDecider, [added(level)])
      .when(add(level))
      .thenNothing();
    given(variablesDecider, [added(level)])
      .when(add(plain(13, 'LOG_LEVEL', 'debug')))
      .thenRejected('invalid', /already has/);
    const elsewhere = plain(13, 'LOG_LEVEL', 'debug', 3);
    given(variablesDecider, [added(level)])
      .when(add(elsewhere))
      .then([added(elsewhere)]);
  });

  test('are changed; the same value again records nothing, also under another reference', () => {
    const revise = (variable: Variable) => new ReviseVariable(id, { service, variable }, meta);
    const changed = { ...level, value: 'debug', fingerprint: 'other' };
    given(variablesDecider, [added(level)])
      .when(revise(changed))
      .then([{ type: 'VariableRevised', data: { service, variable: changed } }]);
    given(variablesDecider, [added(token)])
      .when(revise({ ...token, secret: { ref: uuid(99) } }))
      .thenNothing();
    given(variablesDecider, []).when(revise(level)).thenRejected('notFound');
  });

  test('are imported in one event, which leaves the others alone unless it is to remove them', () => {
    const wanted = [plain(21, 'LOG_LEVEL', 'debug'), plain(22, 'PORT', '3000')];
    const imported = (removeOthers: boolean) =>
      new ImportVariables(id, { service, env: 1, variables: wanted, removeOthers }, meta);
    const prod = plain(14, 'OLD', 'x', 3);
    const before = [added(level), added(token), added(prod)];
    const changes = {
      service,
      env: 1,
      added: [wanted[1]],
      removed: [],
      changed: [{ ...wanted[0], id: level.id }],
    };
    given(variablesDecider, before)
      .when(imported(false))
      .then([{ type: 'VariablesImported', data: changes }] as VariableEvent[]);
    given(variablesDecider, before)
      .when(imported(true))
      .then([
        { type: 'VariablesImported', data: { ...changes, removed: [which(token)] } },
      ] as VariableEvent[]);
  });

  test.each([true, false])(
    'are previewed with what the import then records (remove others: %s)',
    (removeOthers) => {
      const state = foldEvents(variablesDecider, [added(level), added(token)]);
      const data = { service, env: 1, variables: [plain(21, 'LOG_LEVEL', 'debug')], removeOthers };
      const [event] = variablesDecider.decide(new ImportVariables(id, data, meta), state);
      // A preview has no references to secrets yet.
      expect(importChanges(data, state).changes).toEqual(event?.data);
    },
  );

  test('come back exactly as they were, in one event', () => {
    const restore = new RestoreVariables(id, { service, env: 1, variables: [token] }, meta);
    const data = { service, env: 1, added: [token], changed: [], removed: [which(level)] };
    given(variablesDecider, [added(level)])
      .when(restore)
      .then([{ type: 'VariablesRestored', data }]);
    given(variablesDecider, [added(token)])
      .when(restore)
      .thenNothing();
  });

  test('that are removed leave every secret that they had to be destroyed, and no other', () => {
    const revised = secret(12, 'TOKEN', 82);
    const other = secret(15, 'TOKEN', 83, 3);
    const events: VariableEvent[] = [
      added(token),
      added(other),
      { type: 'VariableRevised', data: { service, variable: revised } },
    ];
    expect(foldEvents(variablesDecider, events).gone).toEqual([]);
    const removed = { type: 'VariableRemoved', data: { service, variable: which(token) } } as const;
    given(variablesDecider, events)
      .when(new RemoveVariable(id, { service, id: token.id }, meta))
      .then([removed]);
    const after = foldEvents(variablesDecider, [...events, removed]);
    expect(after.gone).toEqual([uuid(81), uuid(82)]);
    // An undo in which the operator typed the value again.
    expect(foldEvents(variablesDecider, [...events, removed, added(token)]).gone).toEqual([uuid(82)]);
  });

  test('record who was shown them, unless there is nothing to show', () => {
    const showing = (count: number) => new ShowVariables(id, { service, env: 1, count }, meta);
    given(variablesDecider, [added(token)])
      .when(showing(0))
      .thenNothing();
    // Shows only the variables of the service's database.
    given(variablesDecider, [])
      .when(showing(4))
      .then([{ type: 'VariablesExported', data: { service, env: 1, count: 4 } }]);
  });
});

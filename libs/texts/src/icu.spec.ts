/** covers: I18N-01 */
import { argumentsOf, icuProblems } from './icu';

it('knows arguments, plurals, choices and tags', () => {
  const message =
    '{name} has <b>{count, plural, one {# file} other {# files in {folder}}}</b> of {sex, select, female {her} other {their}} {size, number} on {day, date} at {hour, time}';
  expect(Object.fromEntries(argumentsOf(message) ?? [])).toEqual({
    '{name}': 'text',
    '<b>': 'tag',
    '{count}': 'plural',
    '{folder}': 'text',
    '{sex}': 'choice',
    '{size}': 'number',
    '{day}': 'date',
    '{hour}': 'time',
  });
});

it('says what a translation lost, added and changed', () => {
  expect(icuProblems('Hello {name}', 'Bonjour {nom}')).toEqual([
    { kind: 'lost', argument: '{name}' },
    { kind: 'added', argument: '{nom}' },
  ]);
  expect(icuProblems('{n, plural, one {#} other {#}}', '{n}')).toEqual([
    { kind: 'changed', argument: '{n}', from: 'plural', to: 'text' },
  ]);
  expect(icuProblems('<b>{a}</b>', '{a}')).toEqual([{ kind: 'lost', argument: '<b>' }]);
  expect(icuProblems('{a} {b}', '{b} {a}')).toEqual([]);
});

it.each(['{{name}}', 'a { b', '{n, plural, one {#}}', '{n, list}'])(
  'says nothing about %j, which is no ICU message',
  (text) => {
    expect(icuProblems('Hello', text)).toBeUndefined();
    expect(icuProblems(text, 'Hello')).toBeUndefined();
  },
);

it.each(['a < b', 'line<br>line', 'a & b', "don't"])('takes %j as a text without tags', (text) => {
  expect(icuProblems(text, `${text}!`)).toEqual([]);
});

it('survives a message that is nested too deeply', () => {
  const deep = '{a,select,other{'.repeat(3000) + '}}'.repeat(3000);
  expect(() => icuProblems(deep, deep)).not.toThrow();
});

// covers: SRV-16
import fc from 'fast-check';
import { remember, verdict, type Reachability } from './health-verdict';

const rules = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }))
  .map(([a, b]) => ({ failures: Math.min(a, b), outOf: Math.max(a, b) }));
const runs = fc.array(fc.boolean(), { maxLength: 60 });
const states = fc.constantFrom<Reachability | undefined>('reachable', 'unreachable', undefined);

/** Feeds probes one after the other, as the prober does. @returns the changes, each with the number of probes so far */
const story = (
  probes: readonly boolean[],
  rule: { failures: number; outOf: number },
  recorded: Reachability | undefined,
) => {
  const changes: { to: Reachability; after: number }[] = [];
  let outcomes: boolean[] = [];
  let state = recorded;
  probes.forEach((ok, index) => {
    outcomes = remember(outcomes, ok);
    const to = verdict(outcomes, rule, state);
    if (to) changes.push({ to, after: index + 1 });
    state = to ?? state;
  });
  return { changes, state };
};

describe('whether a server counts as reachable', () => {
  const rule = { failures: 3, outOf: 4 };

  it('takes three failures of the last four by default', () => {
    const changes = (...probes: boolean[]) => story(probes, rule, 'reachable').changes;
    expect(changes(false, false, true, true, false, false)).toEqual([]);
    expect(changes(false, false, true, false)).toEqual([{ to: 'unreachable', after: 4 }]);
    expect(changes(false, false, false, false)).toEqual([{ to: 'unreachable', after: 3 }]);
  });

  it('takes one success to come back', () => {
    expect(story([false, false, false, true], rule, 'reachable').changes).toEqual([
      { to: 'unreachable', after: 3 },
      { to: 'reachable', after: 4 },
    ]);
  });

  it('is unknown before the first probe', () => {
    expect(verdict([], rule, undefined)).toBeUndefined();
    expect(story([false, false], rule, undefined).state).toBeUndefined();
  });

  test('is true after every success', () =>
    fc.assert(
      fc.property(runs, rules, states, (probes, any, recorded) => {
        expect(story([...probes, true], any, recorded).state).toBe('reachable');
      }),
    ));

  test('becomes false exactly when N of the last M probes failed', () =>
    fc.assert(
      fc.property(runs, rules, (probes, any) => {
        const { changes } = story(probes, any, 'reachable');
        let state: Reachability = 'reachable';
        probes.forEach((ok, index) => {
          const last = probes.slice(Math.max(0, index + 1 - any.outOf), index + 1);
          const enough = last.filter((one) => !one).length >= any.failures;
          const expected: Reachability = ok ? 'reachable' : enough ? 'unreachable' : state;
          const change = changes.find(({ after }) => after === index + 1);
          expect(change?.to ?? state).toBe(expected);
          state = expected;
        });
      }),
    ));

  test('is reported only when it changes: never the same twice in a row', () =>
    fc.assert(
      fc.property(runs, rules, states, (probes, any, recorded) => {
        const told = [recorded, ...story(probes, any, recorded).changes.map(({ to }) => to)];
        told.forEach((to, index) => index > 0 && expect(to).not.toBe(told[index - 1]));
      }),
    ));

  test('is not reported again after a restart while the probes agree with the record', () =>
    fc.assert(
      fc.property(runs, runs, rules, (before, after, any) => {
        const { state } = story(before, any, undefined);
        const agreeing = after.map(() => state === 'reachable');
        if (state !== undefined) expect(story(agreeing, any, state).changes).toEqual([]);
      }),
    ));

  test('does not depend on more probes than are remembered', () =>
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 200, maxLength: 300 }), rules, (probes, any) => {
        expect(verdict(probes.reduce<boolean[]>(remember, []), any, 'reachable')).toBe(
          verdict(probes, any, 'reachable'),
        );
      }),
    ));
});

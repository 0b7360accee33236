import { commandTypes } from './commands';
import { placement } from './placement';
import { anyStepLabel, stepLabel } from './run-words';

describe('the label of a step', () => {
  test('is the button label for every fixed command, even if the kind of run is unknown', () => {
    for (const { name, label } of commandTypes)
      expect([stepLabel('command', name), anyStepLabel(name)]).toEqual([label, label]);
  });

  test("is the step's name if kinds of run disagree or none knows it", () => {
    // Two kinds of run have a step of this name.
    expect(anyStepLabel('system')).toBe('Operating system and privileges');
    expect(anyStepLabel('noSuchStep')).toBe('noSuchStep');
    expect(stepLabel('noSuchKind', 'dockerPs')).toBe('dockerPs');
    expect(anyStepLabel('constructor')).toBe('constructor');
    expect(stepLabel('command', 'constructor')).toBe('constructor');
  });

  test('appears in the history, with how the step ended', () => {
    const started = (step: string, kind?: string) =>
      placement.RunStepStarted.says({ step, attempt: 1, kind } as never);
    // Kinds of run name a step of this name differently.
    expect([started('apply', 'applySite'), started('apply', 'applyVersion')]).toEqual([
      'started the step "Test, swap and reload"',
      'started the step "Statements"',
    ]);
    // Events of earlier versions have no kind.
    expect([started('serverInfo'), started('apply')]).toEqual([
      'started the step "Server info"',
      'started the step "apply"',
    ]);
    expect(placement.RunRetried.says({ step: 'apply', kind: 'applyVersion' } as never)).toBe(
      'retried from the step "Statements"',
    );
    const ended = (outcome: string, more: object = {}) =>
      placement.RunStepFinished.says({ step: 'dockerPs', outcome, durationMs: 204, ...more } as never);
    expect([
      ended('succeeded', { exitCode: 0 }),
      ended('failed', { exitCode: 3 }),
      ended('timedOut'),
      ended('lost'),
      ended('cancelled'),
    ]).toEqual([
      'finished the step "Docker containers" after 0.20 s',
      'failed in the step "Docker containers" with exit code 3 after 0.20 s',
      'ran out of time in the step "Docker containers" after 0.20 s',
      'lost the connection in the step "Docker containers" after 0.20 s',
      'cancelled the step "Docker containers" after 0.20 s',
    ]);
  });
});

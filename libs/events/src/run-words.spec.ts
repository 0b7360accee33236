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

  test('appears in the history', () => {
    const finished = { step: 'dockerPs', attempt: 1, outcome: 'succeeded', exitCode: 0, durationMs: 204 };
    expect(placement.RunStepStarted.says({ step: 'serverInfo', attempt: 1 } as never)).toBe(
      'started Server info',
    );
    expect(placement.RunStepFinished.says(finished as never)).toBe(
      'Docker containers succeeded with exit code 0 after 0.20 s',
    );
  });
});

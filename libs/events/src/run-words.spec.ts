import { commandTypes } from './commands';
import { placement } from './placement';
import { anyStepLabel, stepLabel } from './run-words';

describe('a step in words', () => {
  test('is that of its button for every fixed command, also where the kind of run is not known', () => {
    for (const { name, label } of commandTypes)
      expect([stepLabel('command', name), anyStepLabel(name)]).toEqual([label, label]);
  });

  test('is its name where kinds of run disagree or none knows it', () => {
    // Two kinds have a step of this name.
    expect(anyStepLabel('system')).toBe('Operating system and privileges');
    expect(anyStepLabel('noSuchStep')).toBe('noSuchStep');
    expect(stepLabel('noSuchKind', 'dockerPs')).toBe('dockerPs');
    expect(anyStepLabel('constructor')).toBe('constructor');
    expect(stepLabel('command', 'constructor')).toBe('constructor');
  });

  test('stands in the history', () => {
    const finished = { step: 'dockerPs', attempt: 1, outcome: 'succeeded', exitCode: 0, durationMs: 204 };
    expect(placement.RunStepStarted.says({ step: 'serverInfo', attempt: 1 } as never)).toBe(
      'started Server info',
    );
    expect(placement.RunStepFinished.says(finished as never)).toBe(
      'Docker containers succeeded with exit code 0 after 0.20 s',
    );
  });
});

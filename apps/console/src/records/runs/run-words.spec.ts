import { newRunId } from './new-run-id';
import {
  exitCodeOf,
  isLive,
  kindInWords,
  outputFilename,
  runInTheWay,
  runKinds,
  tookMs,
  waitsInFewWords,
} from './run-words';

const at = '2026-11-20T10:00:00.000Z';

describe('runs in words', () => {
  it('knows which runs may still print output', () => {
    expect(
      (['requested', 'running', 'succeeded', 'failed', 'interrupted', 'cancelled'] as const).filter((state) =>
        isLive({ state }),
      ),
    ).toEqual(['requested', 'running']);
  });

  it('computes the duration of an interrupted run, which was not measured', () => {
    expect(tookMs({ state: 'interrupted', startedAt: at, endedAt: '2026-11-20T10:00:03.000Z' })).toBe(3000);
    expect(tookMs({ state: 'running', startedAt: at })).toBeUndefined();
    expect(tookMs({ state: 'cancelled', endedAt: at })).toBe(0);
  });

  it('takes the exit code of the last step that has one', () => {
    const step = { step: 's', attempt: 1, state: 'succeeded' as const, startedAt: at };
    expect(exitCodeOf({ steps: [{ ...step, exitCode: 1 }, { ...step, exitCode: 0 }, step] })).toBe(0);
    expect(exitCodeOf({ steps: [step] })).toBeUndefined();
  });

  it('names a download after the work, the subject and the time, in characters that every file system accepts', () => {
    const subject = { kind: 'server', id: 'x', name: 'Web: 1/a' };
    expect(outputFilename({ label: 'Test and restart nginx', subject, requestedAt: at })).toBe(
      'test-and-restart-nginx-web-1-a-2026-11-20T10-00-00.txt',
    );
  });

  it('generates ids that the server accepts', () => {
    const ids = Array.from({ length: 100 }, newRunId);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(100);
  });

  it('has a label for every kind in the filter', () => {
    for (const { value, label } of runKinds) {
      expect(label).not.toBe(value);
      expect(label).not.toContain('undefined');
      expect(kindInWords(value)).toBe(label);
    }
    expect(kindInWords('sslMonitor')).toBe('SSL monitor');
    expect(kindInWords('somethingNew')).toBe('somethingNew');
  });

  it('says what a run in line waits for, and in which place', () => {
    const subject = { kind: 'server', id: 's', name: 'web-1' };
    const words = (of: string, place: number) =>
      waitsInFewWords({ subject, waitsFor: { id: 'r', label: 'Docker prune', of, place } });
    expect(words('web-1', 1)).toBe('Docker prune is under way. It is next in line.');
    expect(words('Orders', 3)).toBe('Docker prune of Orders is under way. It has place 3 in line.');
    expect(waitsInFewWords({ subject })).toBeUndefined();
  });

  it('finds no conflicting run in a refusal that names none', () => {
    expect(runInTheWay({ runId: 'a' })).toBe('a');
    for (const other of [undefined, null, 'a', {}, { runId: 1 }]) expect(runInTheWay(other)).toBeUndefined();
  });
});

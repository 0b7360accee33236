import { errorLineOf } from './error-line';
import { OutputLog } from './output-log';

const START = Date.parse('2026-11-20T10:00:00Z');
const logOf = (...chunks: [step: string, stream: 'out' | 'err', text: string][]): OutputLog => {
  const log = new OutputLog();
  log.append(
    chunks.map(([step, stream, text], index) => ({
      seq: index + 1,
      at: new Date(START + index).toISOString(),
      stream,
      text,
      step,
      attempt: 1,
    })),
  );
  return log;
};
const of = (step: string, log: OutputLog) => errorLineOf(log, { step, attempt: 1 });

test('prefers a line of the error stream to later ordinary output', () => {
  const log = logOf(
    ['system', 'out', 'looking around\n'],
    ['system', 'err', 'There is no package manager here that is known: apt, apk, dnf or yum.\n'],
    ['system', 'out', 'cleaning up\n'],
  );
  expect(of('system', log)).toEqual({
    line: 2,
    text: 'There is no package manager here that is known: apt, apk, dnf or yum.',
  });
});

test('finds the first line that names a fault', () => {
  const log = logOf(['script', 'out', 'one\nbuild: 0 errors\ncp: cannot stat /x\nmake: error 1\nbye\n']);
  expect(of('script', log)).toEqual({ line: 3, text: 'cp: cannot stat /x' });
});

test('prefers the line with the recorded reason', () => {
  const log = logOf(['script', 'out', 'error: one\nerror: two\nbye\n']);
  expect(errorLineOf(log, { step: 'script', attempt: 1 }, 'error: two')).toEqual({
    line: 2,
    text: 'error: two',
  });
});

test('falls back to the last line of the same step', () => {
  const log = logOf(['first', 'err', 'error: not this one\n'], ['second', 'out', 'one\ntwo\n\n']);
  expect(of('second', log)).toEqual({ line: 3, text: 'two' });
  expect(of('third', log)).toBeUndefined();
});

// covers: DOM-10
import fc from 'fast-check';
import { logLine, parseLogLine, sslLogLevels } from './ssl-log';

describe('a line of the activity log', () => {
  it('starts with its level', () => {
    expect(logLine('warning', 'Failed to check SSL for example.org')).toBe(
      '[warning] Failed to check SSL for example.org',
    );
  });

  test('parses back to its level and its text', () =>
    fc.assert(
      fc.property(fc.constantFrom(...sslLogLevels), fc.string({ unit: 'grapheme' }), (level, text) => {
        const line = parseLogLine(logLine(level, text));
        expect(line.level).toBe(level);
        expect(line.text).toBe(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim());
      }),
    ));

  it('cannot look like two lines', () => {
    const line = logLine('info', 'one\n[error] two\r\u2028[success] three\u001b[2J');
    expect(line.split(/[\n\r\u2028]/)).toHaveLength(1);
    expect(line).not.toContain('\u001b');
    expect(parseLogLine(line).level).toBe('info');
  });

  it('counts as information if its level is unknown', () => {
    expect(parseLogLine('Saving debug log')).toEqual({ level: 'info', text: 'Saving debug log' });
    expect(parseLogLine('[fatal] no')).toEqual({ level: 'info', text: '[fatal] no' });
    expect(parseLogLine('')).toEqual({ level: 'info', text: '' });
  });

  it('may be empty', () => {
    expect(parseLogLine(logLine('success', ''))).toEqual({ level: 'success', text: '' });
  });
});

import { plain, SshFailure } from './failure';

describe('messages from a server', () => {
  it('are shown without characters that neither the log nor the tables can store', () => {
    const { msg } = new SshFailure('channelRefused', 'it said "\0\u0007no\r\n thanks \ud83d", exit code 1');
    expect(msg).toBe('it said " no  thanks ", exit code 1');
  });

  it('are otherwise unchanged, in any language', () => {
    const words = 'Zugang für 山田 verweigert 🚢';
    expect(new SshFailure('channelRefused', words).msg).toBe(words);
  });

  it('may be cut anywhere', () => {
    expect(plain('a ship 🚢'.slice(0, 8))).toBe('a ship ');
  });
});

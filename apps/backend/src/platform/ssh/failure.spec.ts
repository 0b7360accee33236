import { plain, SshFailure } from './failure';

describe('what a server says', () => {
  it('is told without what neither the log nor the tables can hold', () => {
    const { msg } = new SshFailure('channelRefused', 'it said "\0\u0007no\r\n thanks \ud83d", exit code 1');
    expect(msg).toBe('it said " no  thanks ", exit code 1');
  });

  it('is told as it is otherwise, whatever its language', () => {
    const words = 'Zugang für 山田 verweigert 🚢';
    expect(new SshFailure('channelRefused', words).msg).toBe(words);
  });

  it('may be cut anywhere', () => {
    expect(plain('a ship 🚢'.slice(0, 8))).toBe('a ship ');
  });
});

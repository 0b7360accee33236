import { once } from 'node:events';
import { connect } from 'node:net';
import { pause, until } from '../../testing/patience';

/** A client that says what it likes. */
export const talkTo = async (port: number) => {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (part) => (heard += part.toString()));
  socket.on('error', () => undefined);
  const gone = new Promise((done) => socket.once('close', done));
  const answer = async (): Promise<string> => {
    await until(() => /^\d{3} .*\r\n$/m.test(heard) || socket.destroyed);
    const said = heard;
    heard = '';
    return said;
  };
  await once(socket, 'connect');
  const greeting = await answer();
  return {
    greeting,
    say: (line: string): Promise<string> => {
      socket.write(`${line}\r\n`);
      return answer();
    },
    /** The codes of the answers to all these lines, which are sent at once. */
    sayAll: async (lines: readonly string[]): Promise<string[]> => {
      socket.write(lines.map((line) => `${line}\r\n`).join(''));
      const codes = () => heard.split('\r\n').flatMap((line) => /^\d{3}(?= )/.exec(line)?.[0] ?? []);
      await until(() => codes().length >= lines.length || socket.destroyed);
      return codes();
    },
    write: (part: Buffer) => void socket.write(part),
    /** Sends the same part for as long as anybody takes it. */
    pour: async (part: Buffer): Promise<number> => {
      let sent = 0;
      for (; !socket.destroyed; sent += part.length)
        if (!socket.write(part))
          await Promise.race([new Promise((done) => socket.once('drain', done)), gone]);
      return sent;
    },
    /** Sends a part now and then for as long as anybody takes it. */
    drip: async (part: string): Promise<void> => {
      for (; !socket.destroyed; await pause(20)) socket.write(part);
    },
    /** What was heard since, once the other side has closed. */
    closed: async (): Promise<string> => {
      await until(() => socket.destroyed);
      return heard;
    },
    end: () => socket.destroy(),
  };
};

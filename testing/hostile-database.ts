/** A database server that signs everybody in, and then sends what a driver must survive. Speaks both real protocols. */
import net from 'node:net';

export type Dialect = 'mysql' | 'postgresql';

/**
 * `rows`: rows without end, as small as they can be. `bytes`: large rows without end. `claim`: one message that claims
 * 2 GB (MySQL: as many packets as it takes), and begins. `notices`: messages between answers, without end (PostgreSQL).
 * `silent`: no answer. `greeting`: endless before the user is signed in. `clear`, `md5`: asks for the password in that
 * form (PostgreSQL). `broken`: a question gets the bytes of `answer`. `error`: refuses a question with a megabyte that quotes the password (PostgreSQL).
 */
export type Misdeed =
  | 'rows'
  | 'bytes'
  | 'claim'
  | 'notices'
  | 'silent'
  | 'greeting'
  | 'clear'
  | 'md5'
  | 'error'
  | 'broken';

export interface HostileDatabase {
  readonly port: number;
  /** Bytes that clients took, in all connections. */
  sent(): number;
  /** What clients sent before they were signed in. */
  said(): string;
  /** Resolves with the next question that is not answered. */
  asked(): Promise<string>;
  open(): number;
  stop(): Promise<void>;
}

const MEGABYTE = 1024 * 1024;

const message = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const text = (value: string) => Buffer.from(`${value}\0`);

const postgresql = {
  ready: message('Z', Buffer.from('I')),
  welcome: message('R', int32(0)),
  columns: message('T', int16(1), text('a'), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)),
  row: (bytes: number) => message('D', int16(1), int32(bytes), Buffer.alloc(bytes, 'x')),
  claim: Buffer.concat([Buffer.from('D'), int32(2_000_000_000), Buffer.alloc(64_000, 'x')]),
  notice: message('N', Buffer.from('SNOTICE\0C00000\0Mbe warned\0\0')),
  error: message(
    'E',
    Buffer.from(
      `SERROR\0C42000\0Mno such thing: a-secret YS1zZWNyZXQ= 612d736563726574\nline two ${'x'.repeat(MEGABYTE)}\0\0`,
    ),
  ),
  done: message('C', text('SET')),
};

const packet = (sequence: number, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([body.length & 255, (body.length >> 8) & 255, (body.length >> 16) & 255, sequence & 255]),
    body,
  ]);
const sized = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);

const mysql = {
  greeting: packet(
    0,
    Buffer.concat([
      Buffer.from([10]),
      text('8.0.36'),
      Buffer.from([1, 0, 0, 0]),
      Buffer.from('12345678\0'),
      Buffer.from([0xff, 0xf7, 33, 2, 0, 0xff, 0x81, 21]),
      Buffer.alloc(10),
      Buffer.from('123456789012\0'),
      text('mysql_native_password'),
    ]),
  ),
  ok: (sequence: number) => packet(sequence, Buffer.from([0, 0, 0, 2, 0, 0, 0])),
  columns: Buffer.concat([
    packet(1, Buffer.from([1])),
    packet(
      2,
      Buffer.concat([
        ...['def', '', '', '', 'a', 'a'].map(sized),
        Buffer.from([12, 33, 0, 0, 1, 0, 0, 253, 0, 0, 0, 0, 0]),
      ]),
    ),
    packet(3, Buffer.from([254, 0, 0, 2, 0])),
  ]),
  /** As many rows as there are packet numbers. */
  row: (bytes: number) => {
    const size = bytes < 251 ? Buffer.from([bytes]) : Buffer.from([252, bytes & 255, bytes >> 8]);
    const row = Buffer.concat([size, Buffer.alloc(bytes, 'x')]);
    return Buffer.concat(Array.from({ length: 256 }, (_, at) => packet(at + 4, row)));
  },
  // The largest packet means that the message goes on in the next one.
  claim: Buffer.concat([Buffer.from([255, 255, 255, 4]), Buffer.alloc(0xff_ff_ff, 'x')]),
};

/** Sends it again and again, as fast as it is taken. */
const endlessly = (socket: net.Socket, unit: Buffer, onSent: (bytes: number) => void): void => {
  const chunk = Buffer.concat(
    Array.from({ length: Math.max(1, Math.floor(64_000 / unit.length)) }, () => unit),
  );
  const more = (): void => {
    if (socket.destroyed) return;
    socket.write(chunk, () => {
      onSent(chunk.length);
      // A turn of the loop between two chunks: in a test, the client is in the same process.
      setImmediate(more);
    });
  };
  more();
};

export async function startHostileDatabase(
  dialect: Dialect,
  misdeed: Misdeed,
  answer: Buffer = Buffer.alloc(0),
): Promise<HostileDatabase> {
  const sockets = new Set<net.Socket>();
  let sent = 0;
  let said = '';
  const waiting: ((question: string) => void)[] = [];
  const count = (bytes: number): void => void (sent += bytes);

  const misbehave = (socket: net.Socket, question: string): void => {
    for (const resolve of waiting.splice(0)) resolve(question);
    const words = dialect === 'mysql' ? mysql : postgresql;
    if (misdeed === 'silent') return;
    if (misdeed === 'broken') return void socket.write(answer);
    if (misdeed === 'error') return void socket.write(Buffer.concat([postgresql.error, postgresql.ready]));
    if (misdeed === 'notices') return endlessly(socket, postgresql.notice, count);
    socket.write(words.columns);
    if (misdeed === 'claim') return endlessly(socket, words.claim, count);
    endlessly(socket, words.row(misdeed === 'rows' ? 1 : 4000), count);
  };

  const asPostgresql = (socket: net.Socket): void => {
    let isIn = false;
    socket.on('data', (data) => {
      if (data.length >= 8 && data.readInt32BE(4) === 80_877_103) return void socket.write('N');
      if (!isIn) {
        const [type] = data.toString('latin1', 0, 1);
        if (type === 'p') said += data.toString('latin1');
        if (misdeed === 'greeting') return endlessly(socket, postgresql.notice, count);
        if (misdeed === 'clear' && type !== 'p') return void socket.write(message('R', int32(3)));
        if (misdeed === 'md5' && type !== 'p')
          return void socket.write(message('R', int32(5), Buffer.from('salt')));
        isIn = true;
        return void socket.write(Buffer.concat([postgresql.welcome, postgresql.ready]));
      }
      const question = data.toString('latin1');
      if (/^Q....set /s.test(question))
        return void socket.write(Buffer.concat([postgresql.done, postgresql.ready]));
      if (!question.startsWith('X')) misbehave(socket, question);
    });
  };

  const asMysql = (socket: net.Socket): void => {
    let isIn = false;
    if (misdeed === 'greeting') return endlessly(socket, packet(0, Buffer.alloc(60_000, 10)), count);
    socket.write(mysql.greeting);
    socket.on('data', (data) => {
      if (!isIn) {
        isIn = true;
        return void socket.write(mysql.ok((data[3] ?? 0) + 1));
      }
      const question = data.toString('latin1', 5);
      if (question.startsWith('set ')) return void socket.write(mysql.ok(1));
      if (data[4] === 3) misbehave(socket, question);
    });
  };

  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    (dialect === 'mysql' ? asMysql : asPostgresql)(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    sent: () => sent,
    said: () => said,
    asked: () => new Promise((resolve) => waiting.push(resolve)),
    open: () => sockets.size,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An authenticator of passkeys in software (WebAuthn, ES256), which can also answer wrongly. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const encoded = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

/** As much of CBOR as an attestation needs. */
const head = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
const number = (value: number): Buffer => (value >= 0 ? head(0, value) : head(1, -1 - value));
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (...entries: [Buffer, Buffer][]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);

const PRESENT = 0x01;
const HAS_CREDENTIAL = 0x40;

export interface Wrongly {
  origin?: string;
  host?: string;
  counter?: number;
  /** A made-up attestation certificate. */
  certificate?: Buffer;
}

export class SoftwarePasskey {
  private readonly id = randomBytes(16);
  private readonly key: KeyObject;
  private readonly cose: Buffer;
  private counter = 0;

  constructor(private readonly origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.key = privateKey;
    this.cose = map(
      [number(1), number(2)],
      [number(3), number(-7)],
      [number(-1), number(1)],
      [number(-2), bytes(Buffer.from(x, 'base64url'))],
      [number(-3), bytes(Buffer.from(y, 'base64url'))],
    );
  }

  make(challenge: string, wrongly: Wrongly = {}) {
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      this.cose,
    ]);
    const data = Buffer.concat([this.data(PRESENT | HAS_CREDENTIAL, wrongly), credential]);
    const { certificate } = wrongly;
    const statement = certificate
      ? map(
          [text('alg'), number(-7)],
          [text('sig'), bytes(Buffer.alloc(70))],
          [text('x5c'), Buffer.concat([head(4, 1), bytes(certificate)])],
        )
      : map();
    const attestation = map(
      [text('fmt'), text(certificate ? 'packed' : 'none')],
      [text('attStmt'), statement],
      [text('authData'), bytes(data)],
    );
    const client = this.client('webauthn.create', challenge, wrongly);
    return this.answer({ clientDataJSON: encoded(client), attestationObject: encoded(attestation) });
  }

  use(challenge: string, wrongly: Wrongly = {}) {
    this.counter += 1;
    const data = this.data(PRESENT, wrongly);
    const client = this.client('webauthn.get', challenge, wrongly);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.key);
    return this.answer({
      clientDataJSON: encoded(client),
      authenticatorData: encoded(data),
      signature: encoded(signature),
    });
  }

  private data(flags: number, { host, counter = this.counter }: Wrongly): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host ?? new URL(this.origin).hostname), Buffer.from([flags]), count]);
  }

  private client(type: string, challenge: string, { origin = this.origin }: Wrongly): string {
    return JSON.stringify({ type, challenge, origin, crossOrigin: false });
  }

  private answer<R extends object>(response: R) {
    const id = encoded(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

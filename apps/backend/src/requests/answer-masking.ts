/** Masks secrets in what a server sends back: it may repeat what it was sent, also encoded. */
import { Redactor } from '../platform/run-output';

/** The forms in which an answer may repeat a secret. */
export const formsOf = (secret: string): string[] => [
  ...new Set([
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ]),
];

export class Masking {
  private readonly texts: readonly string[];
  private readonly bytes: readonly string[];

  constructor(secrets: readonly string[]) {
    this.texts = secrets;
    // One character for each byte, so that a body is masked whatever it is.
    this.bytes = secrets.map((secret) => Buffer.from(secret).toString('latin1'));
  }

  text(value: string): string {
    const redactor = new Redactor(this.texts);
    return redactor.push(value) + redactor.end();
  }

  body(value: Buffer): Buffer {
    const redactor = new Redactor(this.bytes);
    const text = value.toString('latin1');
    const masked = redactor.push(text) + redactor.end();
    return masked === text ? value : Buffer.from(masked, 'latin1');
  }

  pairs(values: readonly (readonly [string, string])[]): [string, string][] {
    return values.map(([name, value]) => [this.text(name), this.text(value)]);
  }
}

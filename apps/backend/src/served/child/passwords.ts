/** Hashes of passwords: argon2id. Each takes 19 MiB and some 30 ms, so only two are made at once. */
import { hash, verify } from '@node-rs/argon2';
import { busy, wrongField } from './refusal';

/** `argon2id` is the default of the library. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
const AT_ONCE = 2;
const MAX_WAITING = 50;
const [SHORTEST, LONGEST] = [10, 200];

/** @throws ApiRefusal 400 */
export const acceptedPassword = (given: unknown, field = 'body.password'): string => {
  const says = `a text of ${SHORTEST} to ${LONGEST} characters is expected`;
  if (typeof given !== 'string' || given.length > LONGEST) throw wrongField(field, says);
  if ([...given.normalize('NFKC')].length < SHORTEST) throw wrongField(field, says);
  return given;
};

export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private noHash: Promise<string> | undefined;

  /** In PHC string format. @throws ApiRefusal 503 if too many wait */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password.normalize('NFKC'), COST));
  }

  /**
   * @param known undefined: there is no such account, and finding that out takes as long as a wrong password
   * @throws ApiRefusal 503 if too many wait
   */
  async isRight(password: string, known: string | undefined): Promise<boolean> {
    return this.inTurn(async () => {
      const none = await (this.noHash ??= hash('nobody has this password', COST));
      return (await verify(known ?? none, password.normalize('NFKC'))) && known !== undefined;
    });
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < AT_ONCE) this.running += 1;
    else {
      if (this.waiting.length >= MAX_WAITING) throw busy('too many people are signing in: try again', 2);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

/** One-time codes for who has lost the other factors: 80 random bits, stored as their SHA-256. */
import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { base32nopad } from '@scure/base';
import { transaction } from '../platform/database';
import { hashed } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';

export const RECOVERY_CODES = 10;
const CODE_BYTES = 10;

/** `ABCD-EFGH-IJKL-MNOP` */
const newCode = (): string => (base32nopad.encode(randomBytes(CODE_BYTES)).match(/.{4}/g) ?? []).join('-');

/** Without what people add or leave out when they copy a code. */
const hashOf = (code: string): string => hashed(code.replaceAll(/[\s-]/g, '').toUpperCase());

@Injectable()
export class RecoveryCodes {
  constructor(@Inject(DB) private readonly pool: Pool) {}

  /** Replaces all codes of the person. */
  async make(person: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newCode);
    await transaction(this.pool, async (client) => {
      await client.query('delete from app.recovery_codes where person = $1', [person]);
      await client.query('insert into app.recovery_codes (person, code) select $1, unnest($2::text[])', [
        person,
        codes.map(hashOf),
      ]);
    });
    return codes;
  }

  /** @returns whether it was one of the person's codes. It is used up then. */
  async take(person: string, code: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'delete from app.recovery_codes where person = $1 and code = $2',
      [person, hashOf(code)],
    );
    return rowCount === 1;
  }
}

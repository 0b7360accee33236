import type { Dialect } from '@quarterdeck/data-model';
import type { ApiDescription } from '../messages';

/** What an API without a console is made of, as a file. It has no secret, and no hash of one. */
export interface StandaloneDefinition {
  /** Of its database. */
  readonly dialect: Dialect;
  readonly description: Omit<ApiDescription, 'tokenHash'>;
}

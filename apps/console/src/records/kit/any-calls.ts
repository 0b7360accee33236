/** The calls of a plain noun without its types, for parts that serve every noun. */
import { callsOf, type NounCalls } from '@quarterdeck/contract';
import type { PlainNoun } from '@quarterdeck/events';
import type { Values } from './plain-fields';

export const anyCalls = (noun: PlainNoun): NounCalls<Values, string, never> =>
  callsOf(noun) as unknown as NounCalls<Values, string, never>;

import type { Draft } from './values';

export interface Field {
  name: string;
  label: string;
  help?: string;
  type: 'text' | 'number' | 'textarea' | 'secret' | 'select' | 'checkbox';
  placeholder?: string;
  optional?: boolean;
  rows?: number;
  options?: readonly { value: string | number; label: string }[];
  /** A select whose values are words even when they look like numbers. */
  numeric?: false;
  mono?: boolean;
  /** Half a row: two such fields stand side by side. */
  half?: boolean;
  /** A secret that is already there: it is never shown, this is. */
  stored?: { fingerprint?: string; setAt?: string };
  autoComplete?: string;
  /** Whether it is asked for, by what stands in the others. What is not asked for is not sent. */
  when?: (draft: Draft) => boolean;
}

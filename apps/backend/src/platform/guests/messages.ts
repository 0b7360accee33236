/** What a guest's thread and its host say to each other. What belongs to the guest crosses the border as JSON text. */

/** What a thread begins with. */
export interface GuestData {
  readonly module: WebAssembly.Module;
  /** Maximum of its WebAssembly memory. */
  readonly megabytes: number;
}

/** Host to thread. */
export type Order =
  | { readonly is: 'compile'; readonly ts: string }
  | ({ readonly is: 'run'; readonly js: string; readonly input: string } & GuestLimits)
  | { readonly is: 'answer'; readonly seq: number; readonly ok: boolean; readonly text: string };

/** Thread to host. */
export type Report =
  | { readonly is: 'ready' }
  | { readonly is: 'call'; readonly seq: number; readonly name: string; readonly text: string }
  | ({ readonly is: 'done'; readonly logs: readonly string[]; readonly isReusable: boolean } & Ended);

export type Ended = { readonly ok: true; readonly text: string } | ({ readonly ok: false } & Refusal);

export interface Refusal {
  /**
   * `threw`: the snippet threw an error. `refused`: it broke a rule. `late`, `full`: it took too long, or too much
   * memory or broke its thread. `busy`: no thread was free in time.
   */
  readonly code: 'threw' | 'refused' | 'late' | 'full' | 'busy';
  readonly message: string;
  /** Line of the snippet, from 1. */
  readonly line?: number | undefined;
}

export interface GuestLimits {
  /** For everything, including the calls that it makes. */
  readonly ms: number;
  readonly mostCalls: number;
  /** Of the answer, and of the block of each call, in UTF-16 units. */
  readonly mostText: number;
}

export const LIMITS: GuestLimits = { ms: 200, mostCalls: 100, mostText: 1_000_000 };
export const MAX_LOGS = 50;
export const MAX_LOG = 1000;

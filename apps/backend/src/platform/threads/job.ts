/** Work that may take long, so it runs in a thread. Input and result are copied, so they are plain data. */
export interface Job<Input, Result> {
  /** Unique among all jobs. */
  readonly name: string;
  readonly work: (input: Input) => Result | Promise<Result>;
}

/** What a thread is asked, and what it answers. */
export interface Question {
  readonly job: string;
  readonly input: unknown;
}
export type Reply =
  | { readonly result: unknown }
  | { readonly error: string; readonly stack?: string | undefined };

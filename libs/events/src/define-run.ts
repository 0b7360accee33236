/** Words of a kind of run, in the file `<noun>.runs.ts` of the feature that runs it. */
export interface RunWords {
  /** Undefined if the input does not say what it is, as that of an earlier version. */
  label: (input: Record<string, unknown>) => string | undefined;
  /** Labels of its steps, also of those that only earlier versions had. */
  steps: Readonly<Record<string, string>>;
}

/** What the sections of creations have in common: their steps make things by ids of the run, and find them again. */
import type { CreationSection } from '@quarterdeck/events';
import type { SectionValues } from '@quarterdeck/events/inputs';
import { v5 as uuidv5 } from 'uuid';
import type { DomainCommand } from '../platform/decider';
import { followUp } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import {
  StepCancelled,
  StepFailed,
  type LocalIo,
  type LocalStep,
  type RecordedRun,
  type Report,
  type AttemptReport,
  type RunContext,
  type RunEngine,
  type RunRequest,
} from '../runs';
import type { Made } from './creations.decider';

/** The input of a section's run: everything that was entered and made so far. Earlier sections no longer change. */
export interface SectionInput {
  creation: string;
  section: CreationSection;
  attempt: number;
  values: { [S in CreationSection]?: SectionValues<S> };
  made: { [S in CreationSection]?: Made };
  /** By field, of this section. */
  secrets: Record<string, { ref: string }>;
}

export const sectionInput = ({ input }: Pick<RunRequest, 'input'>): SectionInput =>
  input as unknown as SectionInput;

/** A thing that was made by a section, or chosen in it. */
export const madeId = (
  { made }: Pick<SectionInput, 'made'>,
  section: CreationSection,
  kind: string,
): string | undefined => made[section]?.find((one) => one.kind === kind)?.id;

export const madeBy = ({ report }: { report: Report }): Made =>
  report['made'] === undefined ? [] : (JSON.parse(report['made']) as Made);

/** The product that the creation works on: made or chosen by its first section. */
export const productOf = (input: Pick<SectionInput, 'values' | 'made'>): string =>
  input.values.product?.product?.id ?? madeId(input, 'product', 'product') ?? '';

/** The server of a product's services: made or chosen. */
export const serverOf = (input: Pick<SectionInput, 'values' | 'made'>): string =>
  input.values.server?.server?.id ?? madeId(input, 'server', 'server') ?? '';

/** Of a run whose request may have had its effect although nothing shows it. */
const UNKNOWN = 'unknownOutcome';

export const reportOf = (made: Made): Report => (made.length > 0 ? { made: JSON.stringify(made) } : {});

/** What all attempts at the steps of a run made. A thing that a repeated step found again counts once. */
export const madeIn = ({ attempts }: { attempts: readonly Pick<AttemptReport, 'report'>[] }): Made => [
  ...new Map(attempts.flatMap(madeBy).map((one) => [`${one.kind} ${one.id}`, one])).values(),
];

/**
 * The code of a section's failure. One request whose answer was lost may have made something, whatever later attempts
 * failed with.
 */
export const codeIn = (
  { attempts }: { attempts: readonly Pick<AttemptReport, 'report'>[] },
  code: string | undefined,
): string | undefined => (attempts.some(({ report }) => report['lost'] !== undefined) ? UNKNOWN : code);

export interface Work {
  context: RunContext;
  input: SectionInput;
  io: LocalIo;
  /** Meta of a command that makes a thing: the same in every attempt. */
  once(what: string): CommandMeta;
}

/** What an earlier step of the same run made. */
export const madeAt = ({ context }: Pick<Work, 'context'>, step: string): Made =>
  madeBy({ report: context.reports[step] ?? {} });

export interface Worked {
  made?: Made;
  report?: Report;
}

export interface SectionStep {
  name: string;
  /** Default: an hour. */
  timeoutMs?: number;
  when?(input: SectionInput): boolean;
  perform(work: Work): Promise<Worked>;
  /** A command after the step has succeeded. */
  event?(
    input: SectionInput,
    report: Report,
    meta: CommandMeta,
  ): DomainCommand | undefined | Promise<DomainCommand | undefined>;
}

export type SectionSteps = { readonly [S in CreationSection]?: readonly SectionStep[] };

export const onceIn =
  (run: string, io: Pick<LocalIo, 'meta'>) =>
  (what: string): CommandMeta => ({ ...followUp(io.meta, run), commandId: uuidv5(what, run), keyed: true });

const HOUR_MS = 3_600_000;

/** A refusal ends the step with its sentence. Other errors are retried, or waited for. */
const told =
  ({ signal }: LocalIo) =>
  (error: unknown): never => {
    if (signal.aborted || !(error instanceof DomainError) || error.code === 'unavailable') throw error;
    const [field] = Object.values(error.data ?? {});
    throw new StepFailed(error.detail.code ?? error.code, String(field ?? error.msg));
  };

export const localStep = ({ name, timeoutMs = HOUR_MS, when, perform, event }: SectionStep): LocalStep => ({
  name,
  on: 'console',
  timeoutMs,
  // Each step makes things by ids of the run, so the second attempt finds what the first one made.
  repeatable: true,
  ...(when && { when: ({ request }) => when(sectionInput(request)) }),
  perform: async (context, io) => {
    const work = { context, input: sectionInput(context.request), io, once: onceIn(context.run, io) };
    const { made = [], report = {} } = await perform(work).catch(told(io));
    return { report: { ...report, ...reportOf(made) } };
  },
  ...(event && {
    onSuccess: (context, report, meta) => event(sectionInput(context.request), report, meta),
  }),
});

interface Child {
  run: string;
  step: string;
  start(): Promise<unknown>;
  /** What exists, whether or not the run succeeds. */
  made?: Made | (() => Promise<Made>);
}

/**
 * Starts another feature's run, or joins it, and waits for its end. A person who retries the step retries the run.
 * @throws StepFailed with its reason, and what `made` says exists nevertheless
 */
export const joined = async (
  engine: RunEngine,
  { context, io }: Pick<Work, 'context' | 'io'>,
  child: Child,
): Promise<RecordedRun> => {
  const { workspace } = io.meta;
  const report = async () =>
    reportOf(typeof child.made === 'function' ? await child.made() : (child.made ?? []));
  // An attempt that was lost with its process is repeated by the next one, and not by a person.
  const retries = context.attempts.filter(
    ({ step, outcome }) => step === child.step && outcome !== 'lost',
  ).length;
  const isKnown = await engine.knows(child.run, workspace);
  if (!isKnown) await child.start();
  else if (retries > 0 && !(await engine.isOpen(child.run, workspace))) {
    const { end } = await engine.ended(child.run, workspace);
    const commandId = uuidv5(`retry ${retries}`, child.run);
    const meta: CommandMeta = { ...followUp(io.meta, child.run), commandId, keyed: true };
    if (end.is !== 'succeeded') await engine.retry(child.run, meta);
  }
  const cancel = (): void => engine.cancelPart(child.run, followUp(io.meta, child.run), () => !isOver);
  let isOver = false;
  if (io.end.aborted) cancel();
  io.end.addEventListener('abort', cancel, { once: true });
  try {
    const recorded = await engine.ended(child.run, workspace);
    const { end } = recorded;
    if (end.is === 'cancelled') throw new StepCancelled(end.reason, await report());
    if (end.is !== 'succeeded') {
      const code = 'code' in end ? end.code : end.is;
      const made = await report();
      throw new StepFailed(code, end.reason, code === UNKNOWN ? { ...made, lost: child.run } : made);
    }
    return recorded;
  } finally {
    isOver = true;
    io.end.removeEventListener('abort', cancel);
  }
};

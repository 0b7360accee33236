/** Runs a set-up step by step over a plain connection, like the engine, to check single steps. */
import type { AttemptReport, RemoteStep, Report, RunContext, RunKind } from '../../apps/backend/src/runs';
import { quote } from '../../apps/backend/src/platform/ssh/quote';
import { settingOf } from '../../apps/backend/src/platform/ssh/shell';
import type { SshTarget } from '../../apps/backend/src/platform/ssh';
import { fieldsOf } from '../backend/world';
import type { ThrowawayHost } from '../../testing/throwaway-host';
import { poolThatSees, run, targetOf } from '../ssh/targets';
import { ownMeta } from '../../apps/backend/src/platform/sessions/session';

export interface StepDone {
  step: string;
  exitCode: number | undefined;
  /** Both streams. */
  out: string;
  report: Report;
  changed: string[];
}

const MARK = '::told ';
const telling = `report() { printf '${MARK}%s %s\\n' "$1" "$2"; }
changed() { report changed "$1"; }
`;

const read = (step: string, exitCode: number | undefined, said: string): StepDone => {
  const done: StepDone = { step, exitCode, out: '', report: {}, changed: [] };
  for (const line of said.split('\n').slice(0, -1)) {
    const [name = '', value = ''] = line.startsWith(MARK) ? line.slice(MARK.length).split(/ (.*)/s) : [];
    if (name === 'changed') done.changed.push(value);
    else if (name) done.report[name] = value;
    else done.out += `${line}\n`;
  }
  return done;
};

export interface StepByStep {
  /** Performs the steps up to the first one that fails, or to the named one. */
  perform(kind: RunKind, until?: string): Promise<StepDone[]>;
  step(kind: RunKind, name: string): Promise<StepDone>;
  close(): Promise<void>;
}

export interface StepByStepOptions {
  username?: string;
  folders?: Partial<Pick<ReturnType<typeof fieldsOf>, 'root' | 'path' | 'nginxPath'>>;
}

export const stepByStep = async (
  host: ThrowawayHost,
  { username = 'root', folders = {} }: StepByStepOptions = {},
): Promise<StepByStep> => {
  const { pool } = poolThatSees();
  const target: SshTarget = await targetOf(host, 'ed25519', { username });
  const server = { id: 'a', ...fieldsOf('web', host), username, ...folders };
  const request = { kind: '', subject: { kind: 'server', id: 'a', name: 'web' }, input: {} };

  const remote = async (step: RemoteStep, context: RunContext): Promise<StepDone> => {
    const order =
      typeof step.script === 'function' ? await step.script(context, ownMeta('system', 'a')) : step.script;
    const { script: text, ...given } = typeof order === 'string' ? { script: order } : order;
    const script = `exec 2>&1\n${telling}${settingOf(given)}${text}`;
    const asRoot = step.privileged === true && username !== 'root';
    const { exitCode, out } = await run(
      pool,
      target,
      asRoot ? `exec sudo -n sh -c ${quote(script)}` : script,
      { timeoutMs: step.timeoutMs },
    );
    return read(step.name, exitCode, out);
  };
  const stepsOf = ({ steps }: RunKind): RemoteStep[] =>
    (typeof steps === 'function' ? steps(request) : steps).filter((step) => step.on === 'server');

  const perform = async (kind: RunKind, until?: string): Promise<StepDone[]> => {
    const done: StepDone[] = [];
    const reports: Record<string, Report> = {};
    const attempts: AttemptReport[] = [];
    for (const step of stepsOf(kind)) {
      const one = await remote(step, { run: 'a', request, reports, attempts, server });
      done.push(one);
      const report = { ...one.report, ...(one.changed.length > 0 && { changed: one.changed.join('\n') }) };
      reports[step.name] = report;
      attempts.push({ step: step.name, attempt: 1, outcome: 'succeeded', report });
      if (one.exitCode !== 0 || step.name === until) break;
    }
    return done;
  };
  return {
    perform,
    async step(kind, name) {
      const step = stepsOf(kind).find((one) => one.name === name);
      if (!step) throw new Error(`no step ${name}`);
      return remote(step, { run: 'a', request, reports: {}, attempts: [], server });
    },
    close: () => pool.close(),
  };
};

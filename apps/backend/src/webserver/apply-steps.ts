/** The steps that put a configuration on a server, for every run that changes a site. */
import type { EventData } from '@quarterdeck/events';
import { RecordAppliedConfig, RecordConfigRemoval } from '../domains';
import type { CommandMeta } from '../platform/sessions';
import { shell } from '../platform/ssh';
import type { RemoteStep, RunContext, RunRequest } from '../runs';
import { applyScript, removeScript, type SitePlace } from './apply-scripts/apply';
import siteFolders from './apply-scripts/site-folders.sh';
import { foldersOf, serverOf, siteInputOf, type SiteInput } from './site-input';
import { siteFileName } from './site-model';
import { explainMissing, explainRefusal } from './site-refusals';

const makeFolders = shell(siteFolders, []);

export const minutes = (count: number): number => count * 60_000;

export const placeOf = (
  context: RunContext,
  { serverName }: Pick<SiteInput, 'serverName'>,
  expected: string,
): SitePlace => {
  const { nginxPath, root } = serverOf(context);
  return { nginxPath, root, file: siteFileName(serverName), expected };
};

export interface ApplyHow {
  /** Names of the two steps. */
  names?: { folders: string; apply: string };
  /** Selects the configuration from the request. */
  of?: (request: RunRequest) => SiteInput;
  when?: (context: RunContext) => boolean;
}

/** Creates the folders, then swaps the file, which is recorded at once. */
export const applySteps = ({
  names = { folders: 'folders', apply: 'apply' },
  of = siteInputOf,
  when = () => true,
}: ApplyHow = {}): readonly RemoteStep[] => [
  {
    name: names.folders,
    on: 'server',
    when,
    script: (context) => makeFolders({}, foldersOf(serverOf(context), of(context.request))),
    explain: (context, end) => explainMissing(of(context.request), end),
    privileged: true,
    timeoutMs: minutes(1),
    repeatable: true,
  },
  {
    name: names.apply,
    on: 'server',
    when,
    script: (context) => {
      const input = of(context.request);
      return applyScript(placeOf(context, input, input.expected), input.text);
    },
    explain: (context, end) => explainRefusal(of(context.request), end),
    onSuccess: ({ request }, _report, meta) =>
      new RecordAppliedConfig(request.subject.id, appliedConfig(of(request)), meta),
    privileged: true,
    timeoutMs: minutes(5),
    repeatable: true,
  },
];

type Record = RemoteStep['onSuccess'];

/** Removes the file, whatever it contains, and records that. */
export const removeStep = (
  when: (context: RunContext) => boolean = () => true,
  onSuccess: Record = ({ request }, _report, meta) => removal(request, meta),
): RemoteStep => ({
  name: 'remove',
  on: 'server',
  when,
  script: (context) => removeScript(placeOf(context, siteInputOf(context.request), '*')),
  explain: (context, end) => explainRefusal(siteInputOf(context.request), end),
  onSuccess,
  privileged: true,
  timeoutMs: minutes(5),
  repeatable: true,
});

export const removal = (request: RunRequest, meta: CommandMeta): RecordConfigRemoval => {
  const file = siteFileName(siteInputOf(request).serverName);
  return new RecordConfigRemoval(request.subject.id, { file }, meta);
};

/** The result of such steps, for the domain's stream. */
export const appliedConfig = ({
  text,
  sha256,
  options,
  restored,
  serverName,
}: SiteInput): EventData<'SiteConfigApplied'> => ({
  text,
  sha256,
  options,
  file: siteFileName(serverName),
  ...(restored !== undefined && { restored }),
});

/** Words for versions and their lint findings. */
import { hasEffect, refusals } from '@quarterdeck/data-model';
import { environments } from '@quarterdeck/events';
import type { Answer, versions } from '@quarterdeck/contract';

export type Finding = Answer<typeof versions.pending>['findings'][number];

export const envName = (id: number): string => environments[id - 1] ?? String(id);

export const severities: Record<
  Finding['severity'],
  { label: string; tone: 'bad' | 'warn' | 'info' | 'quiet' }
> = {
  destructive: { label: 'destructive', tone: 'bad' },
  refusable: { label: 'may be refused', tone: 'warn' },
  breaking: { label: 'breaks old programs', tone: 'info' },
  advice: { label: 'advice', tone: 'quiet' },
};

/** The findings that stop an apply, whatever the operator says. Those that ask for a value are answered instead. */
export const hindrances = (findings: readonly Finding[]): Finding[] =>
  refusals(findings).filter(({ asks }) => asks === undefined);

export const shownAs = (finding: Finding): (typeof severities)[Finding['severity']] => {
  if (hindrances([finding]).length > 0) return { label: 'will be refused', tone: 'bad' };
  return hasEffect(finding)
    ? severities[finding.severity]
    : { label: 'no effect without rows', tone: 'quiet' };
};

export const worstFirst = (findings: readonly Finding[]): Finding[] => {
  const order = Object.keys(severities);
  return findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
};

/** Words for versions and their lint findings. */
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

export const worstFirst = (findings: readonly Finding[]): Finding[] => {
  const order = Object.keys(severities);
  return findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
};

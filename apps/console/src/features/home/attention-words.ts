/** Label and link of the page where an item that needs attention can be handled. Pure. */
import type { AttentionItem } from '@quarterdeck/projections';
import { paths } from '../../core/paths';

interface Action {
  label: string;
  to: string;
}

const actions: Record<AttentionItem['part'], (item: Pick<AttentionItem, 'id' | 'kind'>) => Action> = {
  reach: ({ id }) => ({ label: 'Check connection', to: paths.server(id) }),
  hostKey: ({ id }) => ({ label: 'Compare host keys', to: paths.server(id) }),
  load: ({ id }) => ({ label: 'Show health', to: paths.server(id, 'health') }),
  dns: ({ id }) => ({ label: 'Check DNS', to: paths.domain(id) }),
  site: ({ id }) => ({ label: 'Show site', to: paths.domain(id) }),
  certificate: ({ id }) => ({ label: 'Show certificate', to: paths.domain(id, 'certificate') }),
  config: ({ id }) => ({ label: 'Review changes', to: paths.domain(id, 'config') }),
  run: ({ id, kind }) => ({
    label: 'Show reason',
    to: kind === 'fleet' ? paths.fleetRun(id) : paths.run(id),
  }),
  alert: ({ id }) => ({ label: 'Show alert', to: paths.alerts(id) }),
};

const counted = (count: number, one: string): string[] =>
  count === 0 ? [] : [`${count} ${one}${count === 1 ? '' : 's'}`];

/** `affects 2 domains and 1 run` */
export const affectedInWords = ({ domains, runs }: NonNullable<AttentionItem['affects']>): string =>
  `affects ${[...counted(domains, 'domain'), ...counted(runs, 'run')].join(' and ')}`;

export const actionOf = (item: Pick<AttentionItem, 'id' | 'kind' | 'part'>): Action =>
  actions[item.part](item);

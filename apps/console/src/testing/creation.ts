import { creationPlans, type CreationKind } from '@quarterdeck/events';
import type { CreationSectionView, CreationView } from '@quarterdeck/projections';

const ADA = '01930000-0000-7000-8000-000000000500';
const at = '2026-11-20T12:00:00.000Z';
export const CREATION = '01930000-0000-7000-8000-000000000c00';
export const RUN = '01930000-0000-7000-8000-000000000c99';

export const sectionOf = (section: string, more: Partial<CreationSectionView> = {}): CreationSectionView => ({
  section,
  state: 'idle',
  attempt: 0,
  undos: 0,
  secrets: [],
  made: [],
  ...more,
});

export const doneSection = (section: string, more: Partial<CreationSectionView> = {}): CreationSectionView =>
  sectionOf(section, { state: 'done', attempt: 1, run: RUN, by: ADA, at, ...more });

/** A creation as the API returns it. @param known its sections that were begun, in order */
export const creationOf = (
  kind: CreationKind,
  known: readonly CreationSectionView[],
  more: Partial<CreationView> = {},
): CreationView => ({
  id: CREATION,
  workspace: 'w',
  kind,
  name: 'Bookshop',
  state: 'open',
  sections: creationPlans[kind].map((section, nth) => known[nth] ?? sectionOf(section)),
  startedAt: at,
  startedBy: ADA,
  changedAt: at,
  changedBy: ADA,
  revision: 3,
  position: '5',
  ...more,
});

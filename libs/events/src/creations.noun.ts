import type { creationEvents } from './creations.events';
import { defineNoun } from './define-noun';

const LABELS = {
  product: 'Product',
  database: 'Database',
  repository: 'Github repo',
  server: 'Server',
  service: 'Service',
  domain: 'Domain',
  deploy: 'Deploy',
  repo: 'Repo',
  dns: 'DNS',
  certificate: 'Certificate',
} as const;

/** Sections of a creation, in order. A section is started once all earlier ones are done. */
export const creationPlans = {
  product: ['product', 'database', 'repository', 'server', 'service', 'domain', 'deploy'],
  container: ['repo', 'dns', 'certificate'],
} as const;

export type CreationKind = keyof typeof creationPlans;
export type CreationSection = (typeof creationPlans)[CreationKind][number];
export const creationKinds = ['product', 'container'] as const satisfies readonly CreationKind[];
export const creationSections: readonly CreationSection[] = creationKinds.flatMap(
  (kind): readonly CreationSection[] => creationPlans[kind],
);

/** A creation is finished without these. They can be started afterwards. */
export const optionalSections: readonly string[] = ['certificate'];

/** Made things that exist at a provider with their content: they are only deleted after their name was typed. */
export const confirmedThings: readonly string[] = ['droplet', 'clouddatabase'];

export const sectionLabel = (section: string): string =>
  Object.hasOwn(LABELS, section) ? LABELS[section as CreationSection] : section;

export const creation = defineNoun<typeof creationEvents>()({
  category: 'creation',
  words: { many: 'Creations', one: 'One creation' },
  rows: 'creations',
  audience: 'admin',
  named: { CreationStarted: (d) => d.name },
  events: {
    CreationStarted: (d) =>
      d.kind === 'product'
        ? `started to create the product ${d.name}`
        : `started to deploy the container ${d.name}`,
    CreationSectionFilled: (d) => `filled in the section ${sectionLabel(d.section)}`,
    CreationSectionStarted: (d) => `started the section ${sectionLabel(d.section)}`,
    CreationSectionDone: (d) => `completed the section ${sectionLabel(d.section)}`,
    CreationSectionFailed: (d) => `could not complete the section ${sectionLabel(d.section)}: ${d.reason}`,
    CreationSectionUndoStarted: (d) => `started to undo the section ${sectionLabel(d.section)}`,
    CreationSectionUndone: (d) => `undid the section ${sectionLabel(d.section)}`,
    CreationFinished: () => 'finished the creation',
    CreationAbandoned: () => 'abandoned the creation',
  },
});

import type { RunWords } from './define-run';

/** A section of a creation is a run. The names of the steps are those of the specification, where it has some. */
export const creationRuns = {
  creationProduct: {
    label: () => 'Create: product',
    steps: { product: 'Product', structure: 'Starter model', version: 'First version' },
  },
  creationDatabase: {
    label: () => 'Create: database',
    steps: { cloudDatabase: 'Cloud database', database: 'Database' },
  },
  creationRepository: {
    label: () => 'Create: repositories',
    steps: { server: 'Server part', client: 'Client part' },
  },
  creationServer: {
    label: () => 'Create: server',
    steps: {
      droplet: 'Droplet',
      server: 'Server',
      signIn: 'Sign in',
      initialize: 'Initialize Server',
      docker: 'Install Docker',
    },
  },
  creationService: {
    label: () => 'Create: service',
    steps: { create: 'Server part', createFront: 'Client part', addEnvVar: 'Add environment variables' },
  },
  creationDomain: { label: () => 'Create: domain', steps: { domain: 'Domain' } },
  creationDeploy: {
    label: () => 'Create: deploy',
    steps: {
      server: 'Deploy the server part',
      client: 'Deploy the client part',
      deployment: 'Site',
      CI: 'Publishing workflow',
      CIFront: 'Publishing workflow of the client part',
    },
  },
  creationRepo: { label: () => 'Container: repo', steps: { repo: 'Package' } },
  creationDns: {
    label: () => 'Container: DNS',
    steps: {
      service: 'Service',
      dns: 'DNS record',
      domain: 'Domain',
      deploy: 'Deploy',
      site: 'Site',
    },
  },
  creationCertificate: { label: () => 'Container: certificate', steps: { certificate: 'Certificate' } },
  undoCreation: { label: () => 'Undo a section', steps: { remove: 'Remove what it made' } },
} satisfies Record<string, RunWords>;

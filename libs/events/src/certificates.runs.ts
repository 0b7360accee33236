import type { RunWords } from './define-run';

const certificateSteps = {
  preflight: 'DNS and rate limits',
  lineage: "Look at certbot's certificates",
  folders: 'Folders',
  apply: 'Site over HTTP',
  recordSite: 'Record the configuration',
  webroot: 'Check the ACME challenge',
  order: 'Begin the order',
  prove: 'Prove the names in DNS',
  certbot: 'Order with certbot',
  unprove: 'Remove the proof from DNS',
  stop: 'End the order',
  record: 'Record the certificate',
  folders2: 'Folders',
  install: 'Site over TLS',
  recordTls: 'Record the configuration',
  served: 'Check the served certificate',
};

export const certificateRuns = {
  issueCertificate: {
    label: () => 'Issue certificate',
    steps: certificateSteps,
  },
  renewCertificate: {
    label: () => 'Renew certificate',
    steps: certificateSteps,
  },
  removeCertificate: {
    label: () => 'Remove certificate',
    steps: {
      folders: 'Folders',
      apply: 'Back to plain HTTP',
      recordSite: 'Record the configuration',
      certbot: 'Remove the certificate',
      served: 'Check the served certificate',
    },
  },
  removeDomain: {
    label: () => 'Remove domain',
    steps: { remove: 'Remove the configuration', certbot: 'Remove the certificate' },
  },
  removeLeft: {
    label: () => 'Remove what was left behind',
    steps: { remove: 'Remove the configuration', certbot: 'Remove the certificate' },
  },
} satisfies Record<string, RunWords>;

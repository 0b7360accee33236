/** The configuration of a domain on its server, and its certificate there. */
import {
  certificateIssue,
  certificateLineage,
  certificateRemove,
  siteAdopt,
  siteExec,
  siteGenerate,
  siteLook,
  siteRestore,
} from '@quarterdeck/events/inputs';
import { z } from 'zod';
import { ids, started } from './answers';
import { calls } from './call';
import { demo, newRunId, seen } from './demo';
import { exampleLocation } from './locations';

const generated = z.strictObject({
  nginxStatement: z.string(),
  sha256: z.string(),
  /** The live configuration, as far as the console knows. */
  applied: z.string().nullable(),
  same: z.boolean(),
  /** Problems by field of the location or of the site. */
  problems: z.record(z.string(), z.string()),
});

const applied = z.strictObject({ nginxStatement: z.string(), runId: z.string() });

/** The current file on the server. */
const found = z.strictObject({
  runId: z.string(),
  sha256: z.string().nullable(),
  text: z.string().nullable(),
  drifted: z.boolean(),
});

/** What certbot has under the name of a domain. */
const lineage = z.strictObject({
  /** `theirs`: made by somebody else, or with more names. `broken`: certbot would store the next one elsewhere. */
  is: z.enum(['none', 'ours', 'theirs', 'broken']),
  /** certbot's name for it. */
  name: z.string(),
  /** The name of another one beside it. */
  own: z.string(),
  /** Why it is not the console's, or what is damaged, in sentences. */
  wrong: z.string().optional(),
  names: z.array(z.string()).optional(),
  authenticator: z.string().optional(),
  webroot: z.string().optional(),
  hooks: z.string().optional(),
});

const options = { docker: false, ssl: true, gzip: true } as const;

export const sites = calls('nginx', 'admin', {
  issueCertificate: {
    summary: 'Issues or renews the certificate of a domain, as a recorded run',
    path: 'certbot',
    input: certificateIssue,
    example: {
      id: demo.domain,
      runId: newRunId,
      force: true,
      newAccount: true,
      lineage: { take: 'adopt', webroot: '/srv/shop' },
    },
    answer: started,
    stales: 'domains',
    receipt: false,
  },
  removeCertificate: {
    summary: 'Removes the certificate of a domain from its server, as a recorded run',
    path: 'certbot-rm',
    input: certificateRemove,
    example: { id: demo.domain, runId: newRunId, leave: true, lineage: 'shop.example.org' },
    answer: started,
    stales: 'domains',
    receipt: false,
  },
  lineage: {
    summary: 'Asks the server of a domain what certbot has under its name now',
    costs: 'waiting',
    input: certificateLineage,
    example: { id: demo.domain },
    answer: lineage,
    shows: 'domains',
    volatile: true,
  },
  generate: {
    summary: 'Preview of the configuration of a domain',
    input: siteGenerate,
    example: {
      id: demo.domain,
      options,
      draft: { id: demo.location, data: exampleLocation },
      lineage: { take: 'own' },
    },
    answer: generated,
    shows: 'domains',
    asOf: true,
    volatile: true,
  },
  exec: {
    summary: 'Applies the configuration of a domain, as a recorded run',
    input: siteExec,
    example: { id: demo.domain, options, seen, overwrite: seen, runId: newRunId },
    answer: applied,
    stales: 'domains',
    receipt: false,
  },
  restore: {
    summary: 'Puts an earlier configuration back, as a recorded run',
    input: siteRestore,
    example: { id: demo.domain, sha256: seen, overwrite: seen, runId: newRunId },
    answer: applied,
    stales: 'domains',
    receipt: false,
  },
  appliedText: {
    summary: 'The text of a configuration that was once live',
    path: 'applied',
    input: siteAdopt,
    example: { id: demo.domain, sha256: seen },
    answer: z.strictObject({ text: z.string() }),
    shows: [],
    asOf: true,
  },
  look: {
    summary: 'Reads the file of a domain from its server now',
    input: siteLook,
    example: { id: demo.domain, runId: newRunId },
    answer: found,
    stales: 'domains',
    receipt: false,
  },
  adopt: {
    summary: 'Adopts the configuration that was found on the server',
    input: siteAdopt,
    example: { id: demo.domain, sha256: seen },
    answer: ids,
    stales: 'domains',
  },
  remove: {
    summary: 'Takes the configuration of a domain from its server, as a recorded run',
    input: siteLook,
    example: { id: demo.domain, runId: newRunId },
    answer: started,
    stales: 'domains',
    receipt: false,
  },
});

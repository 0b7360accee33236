/** The tables of schema `app`, of the platform and of every feature. Commands load them without the features. */
import { backUpFirst } from './backups';
import { backupsTables } from './backups/backups.tables';
import { dnsProofsTables } from './certificates/dns-proofs.tables';
import { sslTables } from './ssl-monitor/ssl.tables';
import { cloudTables } from './cloud/cloud.tables';
import { credentialsTables } from './credentials/credentials.tables';
import { domainsTables } from './domains/domains.tables';
import { healthTables } from './health/health.tables';
import { mailsTables } from './mails/mails.tables';
import { peopleTables } from './people/people.tables';
import { platformTables, type ProgramTables } from './platform/boot';
import { composed, type Tables } from './platform/database';
import { publicTokensTables } from './public-tokens/public-tokens.tables';
import { pushesTables } from './pushes/pushes.tables';
import { requestAnswersTables } from './requests/answers.tables';
import { schedulesTables } from './schedules/schedules.tables';
import { servedTables } from './served/served.tables';
import { signInLinksTables } from './sessions/sign-in-links.tables';
import { signInTables } from './sign-in/sign-in.tables';
import { superadminTables } from './superadmin/superadmin.tables';
import { textsTables } from './texts/texts.tables';
import { trafficTables } from './traffic/traffic.tables';
import { variablesTables } from './variables/variables.tables';
import { importsTables } from './versions/imports.tables';
import { workflowTriggersTables } from './workflow-triggers/workflow-triggers.tables';

/** Installations that are older than `remaking.ts` have the claims of these owners already. */
const remadeTables: Tables = {
  steps: [
    {
      name: '015-remade',
      sql: `
        insert into app.installation (key, value)
        select 'remade:' || owner, 'done'
        from unnest(array['workspace', 'person', 'server-alias', 'domain-name', 'script-name']) as owner
        where exists (select from app.claims)`,
    },
  ],
  rows: {},
};

const all = composed([
  ...platformTables,
  backupsTables,
  cloudTables,
  credentialsTables,
  dnsProofsTables,
  domainsTables,
  healthTables,
  importsTables,
  mailsTables,
  peopleTables,
  publicTokensTables,
  pushesTables,
  requestAnswersTables,
  schedulesTables,
  servedTables,
  signInLinksTables,
  signInTables,
  sslTables,
  superadminTables,
  textsTables,
  trafficTables,
  variablesTables,
  workflowTriggersTables,
  remadeTables,
]);

/** Whatever opens a database with these tables backs it up before it changes it. */
export const tables: ProgramTables = { ...all, beforeMigration: backUpFirst };

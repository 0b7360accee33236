/** Who answers for a site, and when that counts as changed. */
import type { EventData } from '@quarterdeck/events';
import { command } from '../platform/decider';
import { ofPresent } from './domain-state';

export type SiteAnswer = EventData<'SiteAnswerChanged'>;

/** The site as it was asked: by the time of the answer it may have another name, server or configuration. */
interface AnswerOfSite {
  serverName: string;
  server: string;
  /** SHA-256 of the live configuration. */
  sha256: string;
  answer: SiteAnswer;
}

export class RecordSiteAnswer extends command('RecordSiteAnswer', { idempotent: true })(
  ofPresent(({ serverName, server, sha256, answer }: AnswerOfSite, domain) => {
    const isSame =
      serverName === domain.serverName && server === domain.server && sha256 === domain.config?.sha256;
    return isSame && answer.is !== domain.answer ? [{ type: 'SiteAnswerChanged', data: answer }] : [];
  }),
) {}

/** Who answers for a site, and when that counts as changed. */
import type { EventData } from '@quarterdeck/events';
import { command } from '../platform/decider';

export type SiteAnswer = EventData<'SiteAnswerChanged'>;

/** The site as it was asked: by the time of the answer it may have another name, server or configuration. */
interface SiteQuestion {
  serverName: string;
  server: string;
  /** SHA-256 of the live configuration. */
  sha256: string;
}

export class RecordSiteAnswer extends command('RecordSiteAnswer', { idempotent: true })<
  SiteQuestion & { answer: SiteAnswer }
>() {}

export const recordSiteAnswer = (
  { serverName, server, sha256, answer }: RecordSiteAnswer['data'],
  domain: {
    serverName: string;
    server: string;
    config?: { sha256: string };
    answer?: SiteAnswer['is'];
  },
): { type: 'SiteAnswerChanged'; data: SiteAnswer }[] => {
  const isSame =
    serverName === domain.serverName && server === domain.server && sha256 === domain.config?.sha256;
  return isSame && answer.is !== domain.answer ? [{ type: 'SiteAnswerChanged', data: answer }] : [];
};

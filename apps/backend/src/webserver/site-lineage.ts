/** What certbot keeps the certificate of a site as, and what of it the configuration of the site names. Pure. */
import { nameOnDisk, type EventData } from '@quarterdeck/events';
import type { Site } from './site-model';

export type Lineage = NonNullable<EventData<'CertificateIssued'>['lineage']>;

/** What an operator chose about a certificate that certbot already has under the domain's name. */
export interface LineageChoice {
  take: 'adopt' | 'own';
  /** The folder in which its owner proves the name. */
  webroot?: string | undefined;
}

/** The name of a certificate of the console beside another one. */
export const ownLineage = (serverName: string): string => `quarterdeck-${nameOnDisk(serverName)}`;

export const chosenLineage = (serverName: string, { take, webroot }: LineageChoice): Lineage =>
  take === 'own'
    ? { name: ownLineage(serverName) }
    : { name: nameOnDisk(serverName), adopted: webroot === undefined ? {} : { webroot } };

/** The site with the certificate and the proof of that lineage. Absent: those of a certificate of the console. */
export const withLineage = (planned: Site, lineage: Lineage | undefined): Site => {
  const { certificate: _, acme: __, ...site } = planned;
  return {
    ...site,
    ...(lineage !== undefined &&
      lineage.name !== nameOnDisk(site.serverName) && {
        certificate: {
          fullchain: `/etc/letsencrypt/live/${lineage.name}/fullchain.pem`,
          key: `/etc/letsencrypt/live/${lineage.name}/privkey.pem`,
        },
      }),
    ...(lineage?.adopted?.webroot !== undefined && { acme: lineage.adopted.webroot }),
  };
};

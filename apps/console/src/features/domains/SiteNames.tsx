/** The other names of a site: served alike, or redirected to the main one. */
import { namesWith, unicodeName, type DomainView } from '@quarterdeck/projections';
import { CopyText } from '../../ui/CopyText';
import { EditInPlace } from '../../ui/EditInPlace';
import { part } from '../../ui/part';
import { Card } from '../../ui/Card';
import { Dim, Note } from '../../ui/Note';
import { List } from '../../ui/List';

const NamesForm = part(
  () => import('./NamesForm').then((all) => ({ default: all.NamesForm })),
  'Loading the form',
);

export const SiteNames = ({ domain }: { domain: DomainView }) => (
  <Card aria-label="Other names">
    <EditInPlace
      title="Other names"
      name="names"
      note="They go live with the configuration. The certificate is ordered for all of them."
      view={<NameFacts domain={domain} />}
      form={(done) => <NamesForm domain={domain} onDone={done} />}
    />
  </Card>
);

const NameFacts = ({ domain: { names = [], dns } }: { domain: DomainView }) => {
  if (names.length === 0) return <Note below>The site has no other names.</Note>;
  const away = new Set([...namesWith(dns, 'wrong'), ...namesWith(dns, 'none')]);
  return (
    <List gap={6}>
      {names.map(({ name, does: what }) => (
        <li key={name}>
          <CopyText value={name} /> {unicodeName(name) !== name && <Dim>{unicodeName(name)} </Dim>}
          <Dim>
            {what === 'redirects' ? 'redirects to the main name' : 'is served alike'}
            {away.has(name) && ', does not point here'}
          </Dim>
        </li>
      ))}
    </List>
  );
};

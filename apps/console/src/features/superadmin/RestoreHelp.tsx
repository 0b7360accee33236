/** What a restore needs, and the commands to run. */
import { chainTo, newestInPlace, type ArchiveView, type BackupsView } from '@quarterdeck/projections';
import { CopyText } from '../../ui/CopyText';
import { Note } from '../../ui/Note';
import { List } from '../../ui/List';
import { Section } from '../../ui/Card';
import look from '../../ui/look.module.css';

/** What the command takes. An archive in a bucket that is not the plan's any more has to be copied into a folder. */
const addressOf = ({ place, name }: ArchiveView, { plan, target }: BackupsView): string => {
  if (!/^https?:/.test(place)) return `${place}/${name}`;
  return plan.target.kind === 's3' && target.name === place
    ? `s3://${plan.target.bucket}/${plan.target.prefix}${name}`
    : `FOLDER/${name}`;
};

export const RestoreHelp = ({ view }: { view: BackupsView }) => {
  const newest = newestInPlace(view.archives);
  const chain = newest && chainTo(newest, view.archives);
  return (
    <Section title="Restore">
      {!newest && (
        <Note maw="80ch" mb={12}>
          The commands will appear here once there is an archive.
        </Note>
      )}
      {newest && !chain && (
        <Note maw="80ch" mb={12}>
          The newest archive depends on one that is missing, so it cannot be restored. Take a full backup.
        </Note>
      )}
      {newest && chain && (
        <>
          <Note maw="80ch" mb={12}>
            A restore needs an empty DATA_DIR or database on any machine, the master key {newest.masterKey}{' '}
            (the file master.key, or MASTER_KEY; keep it apart from the archives), and{' '}
            {chain.length === 1 ? 'this archive' : `these ${chain.length} archives in one folder`}. Whoever
            has the key and the archives has everything.{' '}
            {chain.length === 1
              ? '“Download the newest” gives this file.'
              : `“Download the newest” gives all ${chain.length} in one tar file: unpack it with tar -xf.`}
          </Note>
          <List className={`${look.framed} ${look.wrap}`} gap={4} mb={12} p="10px 14px">
            {chain.map((archive) => (
              <li key={archive.id}>
                <CopyText value={archive.name} />
              </li>
            ))}
          </List>
          <Note maw="80ch" mb={12}>
            The first command restores. Add <code>--up-to</code> with a position or an instant to stop there.
            The console then waits; when the old one no longer runs, the second command lets scheduled work
            begin.
            {addressOf(newest, view).startsWith('s3:') && (
              <>
                {' '}
                The environment says how to reach the bucket: <code>AWS_ACCESS_KEY_ID</code>,{' '}
                <code>AWS_SECRET_ACCESS_KEY</code>, <code>AWS_REGION</code> and, outside of Amazon,{' '}
                <code>AWS_ENDPOINT_URL</code>.
              </>
            )}
          </Note>
          <List className={`${look.framed} ${look.wrap}`} gap={4} mb={12} p="10px 14px">
            <li>
              <CopyText value={`npm run restore -- ${addressOf(newest, view)}`} />
            </li>
            <li>
              <CopyText value="npm run restore -- --release" />
            </li>
          </List>
        </>
      )}
    </Section>
  );
};

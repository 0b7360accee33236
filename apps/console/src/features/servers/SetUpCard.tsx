/** What was set up on a server: when, by which run and with what result. Missing set-ups are offered as buttons. */
import { Button, Group } from '@mantine/core';
import { SET_UP } from '@quarterdeck/events';
import type { ServerView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { bytesInWords } from '../../ui/bytes';
import { RelativeTime } from '../../ui/RelativeTime';
import { setUpLabel, setUps, type SetUp } from './set-ups';
import { Card } from '../../ui/Card';
import { Note } from '../../ui/Note';
import { Fact, Facts } from '../../ui/Facts';
import { List } from '../../ui/List';

interface SetUpCardProps {
  server: ServerView;
  onSetUp: (what: SetUp) => void;
}

export const SetUpCard = ({ server: { initialized, docker }, onSetUp }: SetUpCardProps) => {
  const isBehind = initialized !== undefined && (initialized.setUp ?? 1) < SET_UP;
  const missing = setUps.filter((what) => (what === 'initializeServer' ? !initialized || isBehind : !docker));
  return (
    <Card
      title="Set-up"
      actions={
        <Group gap="xs">
          {missing.map((what) => (
            <DisabledInPast key={what}>
              <Button variant="default" onClick={() => onSetUp(what)}>
                {setUpLabel(what)}
              </Button>
            </DisabledInPast>
          ))}
        </Group>
      }
    >
      {isBehind && (
        <Note below>
          Initialize this server again: by now that also gives nginx enough connections for thousands of
          WebSockets, and refuses names that no site has. What is in place stays as it is.
        </Note>
      )}
      {initialized ? (
        <Initialized initialized={initialized} />
      ) : (
        <Note below>Not initialized yet. Initializing installs nginx and certbot and makes the folders.</Note>
      )}
      {docker && <Docker docker={docker} />}
    </Card>
  );
};

interface Done {
  at: string;
  run: string;
  changed: string[];
}

const ByRun = ({ done }: { done: Done }) => (
  <>
    <RelativeTime at={done.at} /> <Link to={paths.run(done.run)}>Open run</Link>
  </>
);

const Initialized = ({ initialized }: { initialized: NonNullable<ServerView['initialized']> }) => {
  const { facts } = initialized;
  return (
    <Facts>
      <Fact label="Initialized">
        <ByRun done={initialized} />
      </Fact>
      <Fact label="Changes">
        <Changed lines={initialized.changed} />
      </Fact>
      <Fact label="System">{facts.os}</Fact>
      <Fact label="Kernel">
        {facts.kernel}, {facts.architecture}
      </Fact>
      <Fact label="Cores">{facts.cores}</Fact>
      <Fact label="Memory">{bytesInWords(facts.memoryBytes)}</Fact>
      <Fact label="Disk of root">{bytesInWords(facts.diskBytes)}</Fact>
      <Fact label="nginx">{facts.nginx ?? 'not found'}</Fact>
      <Fact label="certbot">{facts.certbot ?? 'not found'}</Fact>
    </Facts>
  );
};

const Docker = ({ docker }: { docker: NonNullable<ServerView['docker']> }) => (
  <Facts label="Docker">
    <Fact label="Docker">
      <ByRun done={docker} />
    </Fact>
    <Fact label="Changes">
      <Changed lines={docker.changed} />
    </Fact>
    <Fact label="Engine">{docker.engine}</Fact>
    <Fact label="Compose">{docker.compose ?? 'not found'}</Fact>
  </Facts>
);

const Changed = ({ lines }: { lines: string[] }) =>
  lines.length === 0 ? (
    'none, everything was in place'
  ) : (
    <List>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </List>
  );

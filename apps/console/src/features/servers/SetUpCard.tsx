/** What was set up on a server: when, by which run and with what result. Missing set-ups are offered as buttons. */
import { Button, Group } from '@mantine/core';
import { SET_UP } from '@quarterdeck/events';
import type { ServerView } from '@quarterdeck/projections';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DisabledInPast } from '../../core/past/in-past';
import { paths } from '../../core/paths';
import { bytesInWords } from '../../ui/bytes';
import { RelativeTime } from '../../ui/RelativeTime';
import { setUpLabel, setUps, type SetUp } from './set-ups';
import classes from './servers.module.css';

interface SetUpCardProps {
  server: ServerView;
  onSetUp: (what: SetUp) => void;
}

export const SetUpCard = ({ server: { initialized, docker }, onSetUp }: SetUpCardProps) => {
  const isBehind = initialized !== undefined && (initialized.setUp ?? 1) < SET_UP;
  const missing = setUps.filter((what) => (what === 'initializeServer' ? !initialized || isBehind : !docker));
  return (
    <section className={classes.card} aria-label="Set-up">
      <div className={classes.cardHead}>
        <h2>Set-up</h2>
        <Group gap="xs">
          {missing.map((what) => (
            <DisabledInPast key={what}>
              <Button variant="default" onClick={() => onSetUp(what)}>
                {setUpLabel(what)}
              </Button>
            </DisabledInPast>
          ))}
        </Group>
      </div>
      {isBehind && (
        <p className={classes.hint}>
          Initialize this server again: by now that also gives nginx enough connections for thousands of
          WebSockets, and refuses names that no site has. What is in place stays as it is.
        </p>
      )}
      {initialized ? (
        <Initialized initialized={initialized} />
      ) : (
        <p className={classes.hint}>
          Not initialized yet. Initializing installs nginx and certbot and makes the folders.
        </p>
      )}
      {docker && <Docker docker={docker} />}
    </section>
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
    <dl className={classes.facts}>
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
    </dl>
  );
};

const Docker = ({ docker }: { docker: NonNullable<ServerView['docker']> }) => (
  <dl className={classes.facts} aria-label="Docker" data-next>
    <Fact label="Docker">
      <ByRun done={docker} />
    </Fact>
    <Fact label="Changes">
      <Changed lines={docker.changed} />
    </Fact>
    <Fact label="Engine">{docker.engine}</Fact>
    <Fact label="Compose">{docker.compose ?? 'not found'}</Fact>
  </dl>
);

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

const Changed = ({ lines }: { lines: string[] }) =>
  lines.length === 0 ? (
    'none, everything was in place'
  ) : (
    <ul className={classes.changed}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );

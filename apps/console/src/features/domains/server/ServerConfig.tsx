/** The compose file and web server configuration of a server, generated on demand. */
import { Button } from '@mantine/core';
import { servers } from '@quarterdeck/contract';
import { IconFileCode } from '@tabler/icons-react';
import type { ServerView } from '@quarterdeck/projections';
import { useState } from 'react';
import { useAnswer } from '../../../core/calls';
import { CodeView } from '../../../ui/code';
import { DataView } from '../../../ui/DataView';
import classes from '../domains.module.css';

export const ServerConfig = ({ server: { id, alias } }: { server: Pick<ServerView, 'id' | 'alias'> }) => {
  const [asked, setAsked] = useState(false);
  const query = useAnswer(servers.config, { id }, { skip: !asked });
  return (
    <section className={classes.card} aria-label="Compose file">
      <div className={classes.cardHead}>
        <h2>Compose file</h2>
        <Button
          variant="default"
          size="compact-sm"
          loading={query.isFetching}
          leftSection={<IconFileCode size={14} aria-hidden />}
          onClick={() => (asked ? void query.refetch() : setAsked(true))}
        >
          Generate
        </Button>
      </div>
      {asked ? (
        <DataView query={query} what="Compose file">
          {({ dockerCompose, nginxStatement }) => (
            <div className={classes.column}>
              <CodeView
                text={dockerCompose}
                label="docker-compose.yml"
                language="yaml"
                filename="docker-compose.yml"
              />
              <CodeView
                text={nginxStatement}
                label="Web server configuration"
                language="nginx"
                filename={`${alias}.conf`}
              />
            </div>
          )}
        </DataView>
      ) : (
        <p className={classes.hint}>
          The compose file of the containers of {alias}, and the web server configuration of all its domains
          in one text. Nothing is written on the server.
        </p>
      )}
    </section>
  );
};

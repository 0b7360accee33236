/** The container compose file and the live web server configuration of a server, when asked for. */
import { Alert } from '@mantine/core';
import { servers } from '@quarterdeck/contract';
import { IconAlertTriangle, IconFileCode } from '@tabler/icons-react';
import type { ServerView } from '@quarterdeck/projections';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../../core/calls';
import { paths } from '../../../core/paths';
import { Action } from '../../../ui/Action';
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
        <Action
          icon={IconFileCode}
          variant="default"
          loading={query.isFetching}
          does={() => (asked ? void query.refetch() : setAsked(true))}
        >
          Generate
        </Action>
      </div>
      {asked ? (
        <DataView query={query} what="Compose file">
          {({ dockerCompose, nginxStatement, unapplied }) => (
            <div className={classes.column}>
              <CodeView
                text={dockerCompose}
                label="docker-compose.yml"
                language="yaml"
                filename="docker-compose.yml"
              />
              {unapplied.length > 0 && (
                <Alert
                  color="yellow"
                  variant="light"
                  icon={<IconAlertTriangle size={18} aria-hidden />}
                  title="Some configurations are not applied yet"
                >
                  {unapplied.map((domain) => (
                    <div key={domain.id}>
                      <Link to={paths.domain(domain.id)}>{domain.serverName}</Link>:{' '}
                      {[domain.state, ...domain.problems].join('. ')}
                    </div>
                  ))}
                </Alert>
              )}
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
          and services as it was last applied. Nothing is written on the server.
        </p>
      )}
    </section>
  );
};

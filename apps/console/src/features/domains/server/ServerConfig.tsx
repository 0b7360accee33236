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
import { Card } from '../../../ui/Card';
import { Stacked } from '../../../ui/Columns';
import { Note } from '../../../ui/Note';

export const ServerConfig = ({ server: { id, alias } }: { server: Pick<ServerView, 'id' | 'alias'> }) => {
  const [asked, setAsked] = useState(false);
  const query = useAnswer(servers.config, { id }, { skip: !asked });
  return (
    <Card
      title="Compose file"
      actions={
        <Action
          icon={IconFileCode}
          variant="default"
          loading={query.isFetching}
          does={() => (asked ? void query.refetch() : setAsked(true))}
        >
          Generate
        </Action>
      }
    >
      {asked ? (
        <DataView query={query} what="Compose file">
          {({ dockerCompose, nginxStatement, unapplied }) => (
            <Stacked>
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
            </Stacked>
          )}
        </DataView>
      ) : (
        <Note below>
          The compose file of the containers of {alias}, and the web server configuration of all its domains
          and services as it was last applied. Nothing is written on the server.
        </Note>
      )}
    </Card>
  );
};

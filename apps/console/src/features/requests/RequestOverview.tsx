/** The page of a request: its fields and sending it beside each other, then its parameters and its answers. */
import { Grid } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from '../../ui/Card';
import { Facts } from '../../ui/Facts';
import { RelativeTime } from '../../ui/RelativeTime';
import { ExecutePanel } from './ExecutePanel';
import { LogTable } from './LogTable';
import { ParamTable } from './ParamTable';
import type { RequestView } from './request-words';

interface RequestOverviewProps {
  request: RequestView;
  fields: ReactNode;
  /** Address of its parameters. */
  paramsAt: string;
}

export const RequestOverview = ({ request, fields, paramsAt }: RequestOverviewProps) => (
  <Grid gap={16}>
    <Grid.Col span={{ base: 12, md: 6 }}>
      <Card title="Request">
        {fields}
        <Facts facts={[['Date', <RelativeTime key="date" at={request.addedAt} />]]} />
      </Card>
    </Grid.Col>
    <Grid.Col span={{ base: 12, md: 6 }}>
      <ExecutePanel request={request} />
    </Grid.Col>
    <Grid.Col span={12}>
      <ParamTable request={request.id} base={paramsAt} />
    </Grid.Col>
    <Grid.Col span={12}>
      <LogTable request={request.id} />
    </Grid.Col>
  </Grid>
);

/** The page of a request: its fields and sending it beside each other, then its parameters and its answers. */
import type { ReactNode } from 'react';
import { Card } from '../../ui/Card';
import { Columns, Stacked } from '../../ui/Columns';
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
  <Stacked gap={24}>
    <Columns>
      <Card aria-label="Request">
        {fields}
        <Facts
          mt={12}
          pt={12}
          style={{ borderTop: '1px solid var(--qd-border)' }}
          facts={[['Date', <RelativeTime key="date" at={request.addedAt} />]]}
        />
      </Card>
      <ExecutePanel request={request} />
    </Columns>
    <ParamTable request={request.id} base={paramsAt} />
    <LogTable request={request.id} />
  </Stacked>
);

import { IconShieldX } from '@tabler/icons-react';
import { serverVerdict, type JudgedServer, type ServerVerdict } from '@quarterdeck/projections';
import { useNow } from '../../core/as-of/clock';
import { BadgeHint } from '../../ui/BadgeHint';
import { absoluteTime } from '../../ui/RelativeTime';
import { useNewestHealth } from '../health';
import { VerdictBadge } from './VerdictBadge';

type Named = JudgedServer & { id: string };

const useServerVerdict = (server: Named): ServerVerdict => {
  const newest = useNewestHealth(server.id);
  return serverVerdict(server, { now: useNow(), newest });
};

/** Whether the server can be reached and works; the tooltip says why not, and when it was last seen. */
export const ServerVerdictBadge = ({ server }: { server: Named }) => {
  const verdict = useServerVerdict(server);
  const newest = useNewestHealth(server.id);
  const { health } = server;
  const reason = newest?.ok === false ? (newest.reason ?? health?.reason) : health?.reason;
  const why = verdict.is === 'unreachable' ? (reason ?? 'It does not answer.') : undefined;
  const seen = newest?.seenAt && `Last seen ${absoluteTime(newest.seenAt)}.`;
  const more = [why, seen].filter((words) => typeof words === 'string');
  return (
    <BadgeHint label={more.join(' ')}>
      <VerdictBadge verdict={verdict} {...(verdict.is === 'hostKeyChanged' && { icon: IconShieldX })} />
    </BadgeHint>
  );
};

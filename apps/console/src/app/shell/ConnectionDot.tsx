import { Hint } from '../../ui/Hint';
import { absoluteTime } from '../../ui/RelativeTime';
import { useConnection, type ConnectionState } from '../../core/connection';
import styles from './Shell.module.css';

const words = { live: 'Live', reconnecting: 'Reconnecting', offline: 'Offline' } as const;

const details = ({ state, lagMs, position, since }: ConnectionState): string => {
  if (state === 'live') {
    return [
      'Updates live',
      lagMs !== undefined && `answer in ${lagMs} ms`,
      position !== undefined && `at event ${position}`,
    ]
      .filter(Boolean)
      .join(', ');
  }
  const when = since ? ` since ${absoluteTime(since)}` : '';
  return `No live connection${when}. The page may be out of date. It updates when the connection is back.`;
};

export function ConnectionDot() {
  const connection = useConnection();
  return (
    <Hint label={details(connection)} maw={280}>
      <span className={styles.connection} data-state={connection.state} role="status" tabIndex={0}>
        <span className={styles.dot} aria-hidden />
        <span className={styles.connectionWord}>{words[connection.state]}</span>
      </span>
    </Hint>
  );
}

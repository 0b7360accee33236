/** Offers to reload when the connection comes back to a newer version of the console. */
import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useConnection } from '../../core/connection';
import { judgeRelease } from '../../core/parts';
import { banner } from '../../ui/toast';

const BANNER = 'release';

export function ReleaseNews() {
  const { state, since } = useConnection();
  const wasLost = useRef(false);
  useEffect(() => {
    if (since !== undefined) wasLost.current = true;
    if (state !== 'live' || !wasLost.current) return;
    wasLost.current = false;
    void judgeRelease().then((lateness) => {
      if (lateness !== 'released') return;
      banner.show(
        BANNER,
        <>
          A new version of the console was installed.{' '}
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </>,
      );
    });
  }, [state, since]);
  return null;
}

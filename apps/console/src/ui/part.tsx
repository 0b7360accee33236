/**
 * The only way to load a component when it is first shown. React's `lazy` alone would keep the first failure forever
 * and replace the whole page with an error.
 */
import { Button, Group, Loader } from '@mantine/core';
import { IconPlugOff, IconRefresh } from '@tabler/icons-react';
// oxlint-disable-next-line no-restricted-imports -- everything else uses the wrappers of this file
import { lazy, Suspense, useEffect, type ComponentType, type ReactNode } from 'react';
import { retryParts, untilLoaded, useLateness, type Lateness } from '../core/parts';
import { EmptyState } from './EmptyState';
import { AfterAWhile, Loading } from './Loading';
import { usePageTitle } from './page-title';
import { banner } from './toast';

type Load<C> = () => Promise<{ default: C }>;

const advice: Record<Lateness, string> = {
  'no-connection': 'There is no connection to the server. This loads as soon as the connection is back.',
  released: 'The server has a newer version of the console than this tab. Reload to continue.',
  failing: 'The server did not send a file of the console. It is requested again every few seconds.',
};

const titleOf = (lateness: Lateness, what: string): string =>
  lateness === 'released' ? 'A new version was installed' : `This ${what} could not be loaded`;

const Reload = () => <Button onClick={() => window.location.reload()}>Reload</Button>;

const TryAgain = () => (
  <Button variant="default" onClick={retryParts}>
    Try again now
  </Button>
);

function Late({ lateness, page = false }: { lateness: Lateness; page?: boolean }) {
  return (
    <div role="alert">
      <EmptyState
        page={page}
        icon={lateness === 'released' ? IconRefresh : IconPlugOff}
        title={titleOf(lateness, page ? 'page' : 'part of the page')}
        action={
          <Group gap={8} justify="center">
            {lateness !== 'no-connection' && <Reload />}
            {lateness !== 'released' && <TryAgain />}
          </Group>
        }
      >
        {advice[lateness]}
      </EmptyState>
    </div>
  );
}

interface InPlaceProps {
  label: string;
  lines: number | undefined;
}

function InPlace({ label, lines }: InPlaceProps) {
  const lateness = useLateness();
  return lateness ? (
    <Late lateness={lateness} />
  ) : (
    <Loading label={label} {...(lines !== undefined && { lines })} />
  );
}

function AsPage() {
  const lateness = useLateness();
  usePageTitle(lateness ? titleOf(lateness, 'page') : 'Loading');
  return lateness ? (
    <Late lateness={lateness} page />
  ) : (
    <AfterAWhile>
      <Group component="p" gap={8} m={0} c="dimmed" role="status" data-skeleton>
        <Loader size="sm" aria-hidden /> Loading...
      </Group>
    </AfterAWhile>
  );
}

const BANNER = 'late-part';

/** For dialogs: they have no place on the page until they have loaded. */
function AsBanner() {
  const lateness = useLateness();
  useEffect(() => {
    if (lateness === undefined) return;
    banner.show(
      BANNER,
      lateness === 'released' ? (
        <>
          A new version of the console was installed. <Reload />
        </>
      ) : (
        'A part of the console could not be loaded. It is requested again until the server sends it.'
      ),
    );
    return () => banner.hide(BANNER);
  }, [lateness]);
  return null;
}

type PropsOf<C> = C extends (props: infer P extends object) => ReactNode ? P : object;

const behind = <C extends (props: never) => ReactNode>(load: Load<C>, fallback: ReactNode) => {
  const Loaded = lazy(() => untilLoaded(load as unknown as Load<ComponentType<object>>));
  return (props: PropsOf<C>) => (
    <Suspense fallback={fallback}>
      <Loaded {...props} />
    </Suspense>
  );
};

/**
 * A part of a page: a tab, a card, a form.
 *
 * @param lines about as high as the part, if something is below it that would move
 */
export const part = <C extends (props: never) => ReactNode>(load: Load<C>, label: string, lines?: number) =>
  behind(load, <InPlace label={label} lines={lines} />);

/** A whole page. */
export const pagePart = <C extends (props: never) => ReactNode>(load: Load<C>) => behind(load, <AsPage />);

/** A dialog, a drawer, the palette. */
export const overlayPart = <C extends (props: never) => ReactNode>(load: Load<C>) =>
  behind(load, <AsBanner />);

/** A part that shows nothing while it loads. */
export const quietPart = <C extends (props: never) => ReactNode>(load: Load<C>) => behind(load, null);

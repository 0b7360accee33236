/** Notifications of a product, for administrators and members: list, forms, and a preview of what users see. */
import { Button } from '@mantine/core';
import { endOf, notification, startOf, type Window } from '@quarterdeck/events';
import { IconBell } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, Route } from 'react-router';
import { RecordArea, type Cells, type ProductAreaProps } from '../../records/kit';
import { shortTimeOf, windowInWords } from './notification-words';
import { PhaseBadge } from './PhaseBadge';
import { PreviewPage, type Says } from './PreviewPage';

interface NotificationsProps extends ProductAreaProps {
  says: Says;
  /** Address of a CMS text. */
  textPath: (id: string) => string;
}

/** Its name has the type already. */
const ON_CARD = ['status', 'cms'] as const;

export const Notifications = ({ base, product, says, textPath }: NotificationsProps) => {
  const cells = useMemo(
    (): Cells => ({
      // Its own name has the times as they were sent.
      name: (view) =>
        `${(view['type'] as { name: string }).name} ${windowInWords(view as unknown as Window)}`,
      status: (view) => (
        <>
          {(view['status'] as { name: string }).name} <PhaseBadge {...(view as unknown as Window)} />
        </>
      ),
      dateStart: ({ dateStart }) => shortTimeOf(startOf(String(dateStart))),
      dateEnd: ({ dateEnd }) => shortTimeOf(endOf(String(dateEnd))),
      cms: ({ cms }) => {
        const { id, name } = cms as { id: string; name?: string };
        return name === undefined ? 'deleted' : <Link to={textPath(id)}>{name}</Link>;
      },
    }),
    [textPath],
  );
  const preview = `${base}/preview`;
  return (
    <RecordArea
      noun={notification}
      base={base}
      parents={{ product }}
      icon={IconBell}
      empty="What the product tells its users, such as in a banner, will appear here."
      consequences="Users no longer see it. You can undo this."
      cells={cells}
      onCard={ON_CARD}
      reading={
        <Button component={Link} to={preview} variant="default">
          Preview
        </Button>
      }
      pages={
        <Route
          path="preview"
          element={<PreviewPage base={base} product={product} says={says} textPath={textPath} />}
        />
      }
    />
  );
};

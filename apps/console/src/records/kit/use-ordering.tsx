/** Manual order of records: each row has a handle that is dragged or moved with the arrow keys. */
import { ActionIcon } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { plainNounOf, type PlainNoun } from '@quarterdeck/events';
import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useSession } from '../../core/session';
import { toast } from '../../ui/toast';
import styles from './record.module.css';
import { nameIn, valuesOf, type Parents, type View } from './record-fields';
import { anyCalls } from './any-calls';

/** The ids after moving one of them to another place. */
export const movedTo = (ids: readonly string[], id: string, place: number): string[] => {
  const others = ids.filter((one) => one !== id);
  return others.toSpliced(Math.max(0, Math.min(others.length, place)), 0, id);
};

/** Id of the row under the pointer. */
const rowAt = (x: number, y: number): string | undefined =>
  document.elementFromPoint(x, y)?.closest('tr, li')?.querySelector<HTMLElement>('[data-moves]')?.dataset
    .moves;

/** @returns renders the handle of a row; undefined if the records have no order or the user may not change it */
export const useOrdering = (
  noun: PlainNoun,
  parents: Parents | undefined,
  rows: readonly View[],
): ((view: View) => ReactNode) | undefined => {
  const { within, inOrder } = noun;
  const parent = plainNounOf(within);
  const id = parents?.[within ?? ''] ?? '';
  const isOrdered = parent !== undefined && inOrder !== undefined;
  const { data } = useAnswer(anyCalls(parent ?? noun).detail, { id }, { skip: !isOrdered });
  const [update] = useChange(anyCalls(parent ?? noun).update);
  const [target, setTarget] = useState<string>();
  const [params] = useSearchParams();
  const isAdmin = useSession().can('admin');
  const past = useAsOf();
  // Under another sort order, a search or a filter, a place among the visible rows means nothing.
  const isWhole =
    !params.has('sort') && !params.has('q') && ![...params.keys()].some((key) => key.startsWith('f.'));
  if (!isOrdered || !isAdmin || past !== undefined || !isWhole || rows.length < 2) return undefined;

  const ids = rows.map((row) => row.id);
  const move = async (moved: string, place: number): Promise<void> => {
    const to = movedTo(ids, moved, place);
    const view = data as View | undefined;
    if (!view || to.every((one, at) => one === ids[at])) return;
    try {
      await update({
        id,
        data: { ...valuesOf(parent, view), [inOrder]: to },
        revision: view.revision,
      }).unwrap();
    } catch (thrown) {
      toast.failure(`The order was not saved: ${toApiError(thrown).msg}`);
    }
  };
  return (view) => {
    const at = ids.indexOf(view.id);
    const onKeyDown = (event: KeyboardEvent): void => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      void move(view.id, at + step);
    };
    const onPointerUp = (event: PointerEvent): void => {
      setTarget(undefined);
      const over = rowAt(event.clientX, event.clientY);
      if (over !== undefined && over !== view.id) void move(view.id, ids.indexOf(over));
    };
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        className={styles.handle}
        aria-label={`Move ${nameIn(noun, view)}`}
        title="Drag, or use the arrow keys"
        data-moves={view.id}
        data-target={target === view.id || undefined}
        onKeyDown={onKeyDown}
        onPointerDown={(event: PointerEvent) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event: PointerEvent) =>
          event.buttons > 0 && setTarget(rowAt(event.clientX, event.clientY))
        }
        onPointerUp={onPointerUp}
        onPointerCancel={() => setTarget(undefined)}
      >
        <IconGripVertical size={16} aria-hidden />
      </ActionIcon>
    );
  };
};

/** A form in a dialog, about one thing of a list. */
import { Modal } from '@mantine/core';
import type { z } from 'zod';
import { DataView } from '../../ui/DataView';
import type { QueryLike } from '../../ui/query';
import { ResourceForm, type ResourceFormProps } from '../../ui/ResourceForm';
import { Note } from '../../ui/Note';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';
import type { ReactNode } from 'react';

interface FormDialogProps<S extends z.ZodType> extends Omit<
  ResourceFormProps<S>,
  'onCancel' | 'label' | 'dirtyGuard'
> {
  title: string;
  /** What happens, in a sentence. */
  children?: ReactNode;
  /** The form appears once this is there. */
  awaits?: { query: QueryLike<unknown>; what: string } | undefined;
  onClose: () => void;
}

export function FormDialog<S extends z.ZodType>({
  title,
  children,
  awaits,
  onClose,
  ...form
}: FormDialogProps<S>) {
  const fields = () => <ResourceForm {...form} label={title} dirtyGuard={false} onCancel={onClose} />;
  return (
    <Modal opened={useOpenedOnceThere(true)} onClose={onClose} title={title} centered zIndex={450}>
      {children && <Note mb={12}>{children}</Note>}
      {awaits ? <DataView {...awaits}>{fields}</DataView> : fields()}
    </Modal>
  );
}

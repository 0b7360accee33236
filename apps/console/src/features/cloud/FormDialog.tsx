/** A form in a dialog, about one thing of a list. */
import { Modal } from '@mantine/core';
import type { z } from 'zod';
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
  onClose: () => void;
}

export function FormDialog<S extends z.ZodType>({ title, children, onClose, ...form }: FormDialogProps<S>) {
  return (
    <Modal opened={useOpenedOnceThere(true)} onClose={onClose} title={title} centered zIndex={450}>
      {children && <Note mb={12}>{children}</Note>}
      <ResourceForm {...form} label={title} dirtyGuard={false} onCancel={onClose} />
    </Modal>
  );
}

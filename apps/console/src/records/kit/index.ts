export { initialOf, type Cells, type View } from './record-fields';
export { MASK, useSecret } from './RecordSecret';
export { RecordArea, type ProductAreaProps } from './RecordArea';
export { RecordAdd, RecordEditForm } from './RecordForms';
export { useFormFields } from './use-form-fields';
export { useRemoval } from './use-record';
export { RecordPage } from './RecordPage';
export type { RecordTab, RecordTabContext, RecordTabs } from './RecordPage';

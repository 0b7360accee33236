export { columnsOf, type Cells, type View } from './record-fields';
export { MASK, useSecret } from './RecordSecret';
export { RecordArea, type ProductAreaProps } from './RecordArea';
export { RecordAdd, RecordEditForm, type Checking } from './parts';
export { useRemoval } from './use-record';
export { RecordPage } from './RecordPage';
export type { RecordTab, RecordTabContext, RecordTabs } from './RecordPage';

export { initialOf, type Cells, type View } from './plain-fields';
export { MASK, useSecret } from './PlainSecret';
export { PlainArea, type ProductAreaProps } from './PlainArea';
export { PlainAdd, PlainEditForm } from './PlainForms';
export { useFormFields } from './use-form-fields';
export { useRemoval } from './use-plain';
export type { PlainTab, PlainTabContext, PlainTabs } from './PlainPage';

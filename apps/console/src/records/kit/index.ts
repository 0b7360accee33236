export { initialOf, type Cells, type View } from './plain-fields';
export { MASK, useSecret } from './PlainSecret';
export { PlainArea, type ProductAreaProps } from './PlainArea';
export { PlainEditForm } from './PlainForms';
export { useFormFields } from './use-form-fields';
export type { PlainTab, PlainTabContext, PlainTabs } from './PlainPage';

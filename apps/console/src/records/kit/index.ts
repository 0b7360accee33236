export { PlainArea } from './PlainArea';
export { PlainEditForm } from './PlainForms';
export { anyCalls } from './use-plain';
export type { PlainTab, PlainTabContext, PlainTabs } from './PlainPage';

export { type ApiLimits, type ApiManner, DigitalOceanClient } from './client';
export { isAnswerLost } from './refusals';
export { storable } from './storable';

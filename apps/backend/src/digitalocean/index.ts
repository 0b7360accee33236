export { type ApiLimits, type ApiManner, DigitalOceanClient } from './client';
export { isAnswerLost } from './refusals';

/** Metrics of what runs: a tab of services. */
export { ServiceMetrics } from './ServiceMetrics';

/** Metrics of what runs: tabs of services and domains. */
export { ServiceMetrics } from './ServiceMetrics';
export { SiteTraffic } from './SiteTraffic';

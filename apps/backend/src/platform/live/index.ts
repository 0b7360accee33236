export { Gateway } from './gateway';
export { GatewayModule } from './gateway.module';
export { type LiveMessage, LiveMessages, MAX_LIVE_BYTES } from './live-messages';
export { audienceOf } from './push-changes';
export { ProjectedEvents } from './projected-events';
export { SocketAdapter } from './socket-adapter';
export { type LiveStream, liveStreams, type StreamSink } from './live-stream';

export { GatewayModule } from './gateway.module';
export { type LiveMessage, LiveMessages, MOST_LIVE_BYTES } from './live-messages';
export { audienceOf } from './push-changes';
export { PushStream } from './push-stream';
export { SocketAdapter } from './socket-adapter';

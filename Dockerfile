# Node's image based on Debian 12, the system that the tests run on.
FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY apps/backend/package.json apps/backend/
COPY apps/console/package.json apps/console/
COPY libs/data-model/package.json libs/data-model/
COPY libs/api/package.json libs/api/
COPY libs/texts/package.json libs/texts/
COPY libs/log/package.json libs/log/
COPY libs/events/package.json libs/events/
COPY libs/projections/package.json libs/projections/
COPY libs/contract/package.json libs/contract/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.base.json ./
COPY scripts scripts
COPY libs libs
COPY apps apps
RUN node scripts/build.mjs && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:26-bookworm-slim
# As process 1, tini reaps child processes of the embedded Postgres.
RUN apt-get update -qq \
  && apt-get install -qq -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node /data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--enable-source-maps", "dist/backend/main.js"]
